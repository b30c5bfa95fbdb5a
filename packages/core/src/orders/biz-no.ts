import { issue, singleLineText } from "../shared/input.js";
import { LONGEST_KEY } from "../shared/limits.js";

/** Schema of a `bizNo`: 1 to `maxLength` visible ASCII characters. */
export function bizNo(maxLength: number) {
  return singleLineText(maxLength).refine(isVisibleAscii, issue("visible-ascii"));
}

/** Schema of the `bizNo` of a stored order. Allows the longest one that any policy allows. */
export function storedBizNo() {
  return bizNo(LONGEST_KEY);
}

/** Returns whether a text has only visible ASCII characters. */
export function isVisibleAscii(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text);
}
