import { walletText } from "@tillkit/wallet-kit";

/**
 * A text as Alipay takes it, such as a `body`: no control characters, no emoji, at most `maxBytes`
 * in UTF-8; `fallback` if nothing is left. Equal texts stay equal, so that a repetition is
 * identical.
 */
export function plainText(text: string, maxBytes: number, fallback: string): string {
  return walletText(text, { maxBytes, fallback, replacement: " " });
}

/** Like `plainText`, also without `/`, `=` and `&`, which Alipay does not take in a `subject`. */
export function titleText(text: string, maxBytes: number, fallback: string): string {
  return plainText(text.replaceAll(/[/=&]/g, " "), maxBytes, fallback);
}

/** Bytes of a `refund_reason`. */
const MAX_REASON = 256;

/** The `refund_reason` for an operator's reason: cleaned like a `subject`. */
export function reasonText(reason: string, fallback: string): string {
  return titleText(reason, MAX_REASON, fallback);
}
