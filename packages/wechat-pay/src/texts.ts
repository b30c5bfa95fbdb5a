import { walletText } from "@tillkit/wallet-kit";

/**
 * A text as WeChat Pay takes it: no control characters, no emoji, at most `maxBytes` in UTF-8;
 * `fallback` if nothing is left. Equal texts stay equal, so that a repetition is identical.
 */
export function plainText(text: string, maxBytes: number, fallback: string): string {
  return walletText(text, { maxBytes, fallback });
}
