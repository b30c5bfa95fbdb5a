const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Encodes bytes as base64url without padding. */
export function base64Url(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += 3) {
    const second = bytes[start + 1];
    const third = bytes[start + 2];
    const group = ((bytes[start] ?? 0) << 16) | ((second ?? 0) << 8) | (third ?? 0);
    text += ALPHABET.charAt(group >> 18) + ALPHABET.charAt((group >> 12) & 63);
    if (second !== undefined) text += ALPHABET.charAt((group >> 6) & 63);
    if (third !== undefined) text += ALPHABET.charAt(group & 63);
  }
  return text;
}

/** Decodes a text that {@link base64Url} produced, or returns `undefined` for any other text. */
export function bytesOfBase64Url(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let buffer = 0;
  let length = 0;
  for (const character of text) {
    const value = ALPHABET.indexOf(character);
    if (value < 0) return undefined;
    buffer = ((buffer << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[length] = (buffer >> bits) & 0xff;
      length += 1;
    }
  }
  return base64Url(bytes) === text ? bytes : undefined;
}
