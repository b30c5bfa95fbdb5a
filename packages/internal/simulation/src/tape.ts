import { createHash } from "node:crypto";

/** Where every choice of a run comes from. */
export interface Tape {
  /** A number from 0 to `bound - 1`. 0 is always the quietest choice, and all there is after the end of a recorded tape. */
  next(bound: number): number;
  /** What was drawn so far: a run on a tape recorded from it is the same run. */
  readonly drawn: readonly number[];
  /** Whether a recorded tape is at its end. */
  ended(): boolean;
}

/** An endless tape that `seed` decides. */
export function seededTape(seed: number): Tape {
  const bytes = byteStream(`seed ${String(seed)}`);
  const drawn: number[] = [];
  return {
    next: (bound) => {
      const [a = 0, b = 0, c = 0, d = 0] = bytes(4);
      const value = (a + 256 * (b + 256 * (c + 256 * d))) % bound;
      drawn.push(value);
      return value;
    },
    drawn,
    ended: () => false,
  };
}

/** A tape with these choices on it. */
export function recordedTape(values: readonly number[]): Tape {
  const drawn: number[] = [];
  return {
    next: (bound) => {
      const value = (values[drawn.length] ?? 0) % bound;
      drawn.push(value);
      return value;
    },
    drawn,
    ended: () => drawn.length >= values.length,
  };
}

/** Bytes without an end that `name` decides: SHA-256 of the name and a counter. */
export function byteStream(name: string): (count: number) => Uint8Array {
  let block = 0;
  let held: Uint8Array = new Uint8Array();
  return (count) => {
    while (held.length < count) {
      const more = createHash("sha256")
        .update(`${name} ${String((block += 1))}`)
        .digest();
      held = Buffer.concat([held, more]);
    }
    const taken = held.subarray(0, count);
    held = held.subarray(count);
    return new Uint8Array(taken);
  };
}
