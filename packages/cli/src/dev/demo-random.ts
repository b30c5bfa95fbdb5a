import { createHash } from "node:crypto";

/** Creates a generator of numbers from 0 to less than 1. Equal seeds give equal numbers. */
export function demoRandom(seed: string): () => number {
  let state = createHash("sha256").update(seed).digest().readUInt32LE();
  return () => {
    // Mulberry32: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
