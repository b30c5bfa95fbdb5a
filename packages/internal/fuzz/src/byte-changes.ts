import fc from "fast-check";
import { hostileBytes, hostileText } from "./hostile.js";

/** One change of a run of bytes. */
export interface ByteChange {
  readonly how: "flip" | "cut" | "drop" | "repeat" | "insert" | "replace";
  /** Where, in parts of 65 536 of the whole. */
  readonly at: number;
  /** How many bytes, or which bit. */
  readonly count: number;
  /** What is put there. */
  readonly put: Uint8Array;
}

/** Some changes, one after the other. */
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

/** The bytes after the changes. */
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
