import { walletText } from "@tillkit/wallet-kit";

/**
 * Removes control characters and emoji, and cuts the text to `maxBytes` of UTF-8.
 *
 * Returns `fallback` if nothing is left. The function is deterministic, so a retry sends the same
 * text.
 */
export function plainText(text: string, maxBytes: number, fallback: string): string {
  return walletText(text, { maxBytes, fallback });
}
