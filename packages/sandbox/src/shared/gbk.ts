const decoder = new TextDecoder("gbk");
let encoded: ReadonlyMap<string, readonly [number, number]> | undefined;

/**
 * Encodes a text in GBK, the character set of Alipay's files. Node only has a decoder.
 *
 * Replaces characters that GBK does not contain with `?`.
 */
export function gbkBytes(text: string): Uint8Array {
  encoded ??= everyPair();
  const bytes = Buffer.alloc(text.length * 2);
  let length = 0;
  for (const character of text) {
    const code = character.charCodeAt(0);
    for (const byte of code < 0x80 ? [code] : (encoded.get(character) ?? [0x3f])) {
      bytes[length] = byte;
      length += 1;
    }
  }
  return bytes.subarray(0, length);
}

function everyPair(): ReadonlyMap<string, readonly [number, number]> {
  const pairs = new Map<string, readonly [number, number]>();
  for (let high = 0x81; high <= 0xfe; high += 1) {
    for (let low = 0x40; low <= 0xfe; low += 1) {
      const character = decoder.decode(Uint8Array.of(high, low));
      if (character.length === 1 && character !== "\uFFFD") pairs.set(character, [high, low]);
    }
  }
  return pairs;
}
