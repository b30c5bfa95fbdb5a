import { titleText } from "../title-text.js";

/** Maximum size of a `refund_reason` in bytes. */
const MAX_REASON = 256;

/** Returns a `refund_reason` for the reason of an operator, by the rules of a `subject`. */
export function reasonText(reason: string, fallback: string): string {
  return titleText(reason, MAX_REASON, fallback);
}
