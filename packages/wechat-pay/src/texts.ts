/**
 * What WeChat Pay takes of a text: without control characters, and without characters outside of the basic plane, emoji among them; at most `longest`
 * characters; `fallback` when nothing is left. Equal texts stay equal, so that a repetition is identical.
 */
export function plainText(text: string, longest: number, fallback: string): string {
  const kept = [...text].filter((character) => /^[^\p{Cc}\p{Cs}\u{10000}-\u{10ffff}]$/u.test(character));
  const plain = kept.slice(0, longest).join("").trim();
  return plain === "" ? fallback : plain;
}
