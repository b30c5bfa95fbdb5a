/** One-way functions. Keys stay inside the implementation: the domain never holds a pepper. */
export interface Digest {
  /** SHA-256 of the UTF-8 bytes of `text`, 64 lower-case hexadecimal digits. */
  sha256(text: string): string;
  /**
   * HMAC-SHA-256 of `text`, written `v{version}:{64 hexadecimal digits}`, under every pepper the host still holds, the
   * current one first. Values are stored under the first and looked up under all of them, so a pepper can be replaced.
   */
  keyed(text: string): readonly [current: string, ...older: string[]];
}

/** Whether two texts are equal, in a time that depends on their lengths only. */
export function equalInConstantTime(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let position = 0; position < left.length; position += 1) {
    // Beyond its end a text gives NaN, which counts as 0: the lengths have made the difference by then.
    difference |= left.charCodeAt(position) ^ right.charCodeAt(position);
  }
  return difference === 0;
}
