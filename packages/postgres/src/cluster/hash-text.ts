/**
 * Returns PostgreSQL's hash of a text, as `hashtext()` of a UTF-8 database returns it.
 *
 * A cluster stores a row in the shard whose range contains the hash of its distribution column. The
 * algorithm is Bob Jenkins' `lookup3`, over the bytes of the text in little-endian order. A server
 * with another byte order or encoding returns other hashes.
 */
export function hashText(value: string): number {
  const bytes = Buffer.from(value);
  const whole = bytes.length - (bytes.length % BLOCK);
  let [a, b, c] = [0, 0, 0];
  a = b = c = (INITIAL + bytes.length) | 0;
  for (let at = 0; at < whole; at += BLOCK) {
    a = (a + bytes.readInt32LE(at)) | 0;
    b = (b + bytes.readInt32LE(at + 4)) | 0;
    c = (c + bytes.readInt32LE(at + 8)) | 0;
    a = (a - c) ^ rotate(c, 4);
    c = (c + b) | 0;
    b = (b - a) ^ rotate(a, 6);
    a = (a + c) | 0;
    c = (c - b) ^ rotate(b, 8);
    b = (b + a) | 0;
    a = (a - c) ^ rotate(c, 16);
    c = (c + b) | 0;
    b = (b - a) ^ rotate(a, 19);
    a = (a + c) | 0;
    c = (c - b) ^ rotate(b, 4);
    b = (b + a) | 0;
  }
  const rest = bytes.subarray(whole);
  a = (a + word(rest, 0)) | 0;
  b = (b + word(rest, 4)) | 0;
  // The lowest byte of the last word is reserved for the length.
  c = (c + (word(rest, 8) << 8)) | 0;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  return ((c ^ b) - rotate(b, 24)) | 0;
}

/** The number of bytes that a round mixes. */
const BLOCK = 12;

/** The golden ratio plus a constant of PostgreSQL. */
const INITIAL = 0x9e3779b9 + 3_923_095;

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

/** Reads up to four bytes from `at`. Missing bytes are zero. */
function word(bytes: Uint8Array, at: number): number {
  const byte = (nth: number): number => (bytes[at + nth] ?? 0) << (8 * nth);
  return byte(0) | byte(1) | byte(2) | byte(3);
}
