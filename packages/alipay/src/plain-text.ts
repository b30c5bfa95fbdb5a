import { walletText } from "@tillkit/wallet-kit";

/**
 * Removes control characters and emoji, and cuts the text to `maxBytes` of UTF-8.
 *
 * Returns `fallback` if nothing is left. The function is deterministic, so a retry sends the same
 * text. Alipay accepts the result in fields such as `body`.
 */
export function plainText(text: string, maxBytes: number, fallback: string): string {
  return walletText(text, { maxBytes, fallback, replacement: " " });
}

/** Also removes `/`, `=` and `&`, which Alipay refuses in a `subject`. See {@link plainText}. */
export function titleText(text: string, maxBytes: number, fallback: string): string {
  return plainText(text.replaceAll(/[/=&]/g, " "), maxBytes, fallback);
}

/** Maximum size of a `refund_reason` in bytes. */
const MAX_REASON = 256;

/** Returns a `refund_reason` for the reason of an operator, by the rules of a `subject`. */
export function reasonText(reason: string, fallback: string): string {
  return titleText(reason, MAX_REASON, fallback);
}
