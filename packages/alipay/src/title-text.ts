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
