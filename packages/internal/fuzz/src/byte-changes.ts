import fc from "fast-check";
import { hostileBytes, hostileText } from "./hostile.js";

/** One change of a byte sequence. */
export interface ByteChange {
  readonly how: "flip" | "cut" | "drop" | "repeat" | "insert" | "replace";
  /** The position, as a fraction of the length in units of 1/65 536. */
  readonly at: number;
  /** The number of bytes, or of the bit. */
  readonly count: number;
  /** The inserted bytes. */
  readonly put: Uint8Array;
}

/** One to three changes, applied one after another. */
export const byteChanges: fc.Arbitrary<readonly ByteChange[]> = fc.array(
  fc.record({
    how: fc.constantFrom("flip", "cut", "drop", "repeat", "insert", "replace"),
    at: fc.nat({ max: 65_535 }),
    count: fc.nat({ max: 40 }),
    put: fc.oneof(
      hostileBytes,
      hostileText.map((text) => new Uint8Array(Buffer.from(text))),
    ),
  }),
  { minLength: 1, maxLength: 3, size: "max" },
);

/** Returns the bytes after the changes. */
export function changedBytes(bytes: Uint8Array, changes: readonly ByteChange[]): Uint8Array {
  return changes.reduce(changedOnce, bytes);
}

function changedOnce(bytes: Uint8Array, { how, at, count, put }: ByteChange): Uint8Array {
  const place = Math.floor((at * bytes.length) / 65_536);
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
  switch (how) {
    case "flip":
      return bytes.map((byte, index) => (index === place ? byte ^ (1 << (count % 8)) : byte));
    case "cut":
      return before;
    case "drop":
      return Buffer.concat([before, after.subarray(count)]);
    case "repeat":
      return Buffer.concat([before, after.subarray(0, count), after]);
    case "insert":
      return Buffer.concat([before, put, after]);
    case "replace":
      return Buffer.concat([before, put, after.subarray(put.length)]);
  }
}
