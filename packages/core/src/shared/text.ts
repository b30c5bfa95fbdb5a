const encoder = new TextEncoder();

/** The bytes of `text` in UTF-8. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Whether `text` holds a control character (C0, DEL or C1). */
export function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
