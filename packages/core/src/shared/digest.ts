/** Hash functions of the host. The implementation holds the keys; core never sees a pepper. */
export interface Digest {
  /** Returns the SHA-256 of the UTF-8 bytes of `text` as 64 lower-case hexadecimal digits. */
  sha256(text: string): string;
  /**
   * Returns the HMAC-SHA-256 of `text` under each configured pepper, the current one first.
   *
   * Each hash is written `v{version}:{64 hexadecimal digits}`. Tillkit stores values under the
   * first hash and looks them up under all hashes, so that the host can replace a pepper.
   */
  keyed(text: string): readonly [current: string, ...older: string[]];
}

/** Compares two texts in a time that depends only on their lengths. */
export function equalInConstantTime(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let position = 0; position < left.length; position += 1) {
    // `charCodeAt` beyond the end is NaN, which counts as 0. The lengths already differ in that
    // case.
    difference |= left.charCodeAt(position) ^ right.charCodeAt(position);
  }
  return difference === 0;
}
