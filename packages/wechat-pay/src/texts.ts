const NOT_TAKEN = /[\p{Cc}\p{Cs}\u{10000}-\u{10ffff}]/gu;

/**
 * What WeChat Pay takes of a text: without control characters, and without characters outside of the basic plane, emoji among them; at most `longest`
 * characters; `fallback` when nothing is left. Equal texts stay equal, so that a repetition is identical.
 */
export function plainText(text: string, longest: number, fallback: string): string {
  const plain = text.replaceAll(NOT_TAKEN, "").slice(0, longest).trim();
  return plain === "" ? fallback : plain;
}
