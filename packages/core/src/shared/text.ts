const encoder = new TextEncoder();

/** How many bytes `text` takes in UTF-8. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/** Whether `text` holds a control character (C0, DEL or C1). */
export function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
