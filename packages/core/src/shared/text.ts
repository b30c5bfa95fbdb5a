const encoder = new TextEncoder();

/** Encodes `text` as UTF-8. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Returns whether `text` contains a control character (C0, DEL or C1). */
export function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
