import { createHash } from "node:crypto";

/** The source of every choice of a run. */
export interface ChoiceSource {
  /**
   * Returns a number from 0 to `bound - 1`. 0 is the simplest choice.
   *
   * After the end of a recording it always returns 0.
   */
  next(bound: number): number;
  /** The choices so far. A recording of them repeats the run. */
  readonly drawn: readonly number[];
  /** Returns whether a recording is at its end. */
  ended(): boolean;
}

/** Creates an endless source whose choices depend only on `seed`. */
export function seededChoices(seed: number): ChoiceSource {
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

/** Creates a source that repeats these choices. */
export function recordedChoices(values: readonly number[]): ChoiceSource {
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

/** Creates an endless stream of bytes: SHA-256 of `name` and a counter. */
export function byteStream(name: string): (count: number) => Uint8Array {
  let block = 0;
  let stored: Uint8Array = new Uint8Array();
  return (count) => {
    while (stored.length < count) {
      const more = createHash("sha256")
        .update(`${name} ${String((block += 1))}`)
        .digest();
      stored = Buffer.concat([stored, more]);
    }
    const taken = stored.subarray(0, count);
    stored = stored.subarray(count);
    return new Uint8Array(taken);
  };
}
