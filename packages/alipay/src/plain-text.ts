import { walletText } from "@tillkit/wallet-kit";

/**
 * Removes control characters, emoji, `/`, `=` and `&`, and cuts the text to `maxBytes` of UTF-8.
 *
 * Returns `fallback` if nothing is left. The function is deterministic, so a retry sends the same
 * text. Alipay refuses `/`, `=` and `&` in a `subject`. A notification repeats the texts of an
 * order in its signed text, where `&` and `=` separate the members.
 */
export function titleText(text: string, maxBytes: number, fallback: string): string {
  return walletText(text.replaceAll(/[/=&]/g, " "), { maxBytes, fallback, replacement: " " });
}

/** Maximum size of a `refund_reason` in bytes. */
const MAX_REASON = 256;

/** Returns a `refund_reason` for the reason of an operator, by the rules of a `subject`. */
export function reasonText(reason: string, fallback: string): string {
  return titleText(reason, MAX_REASON, fallback);
}
