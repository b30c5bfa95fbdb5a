import { randomFillSync } from "node:crypto";
import type { Random } from "@tillkit/core";

/**
 * The number of bytes that one call to the operating system reads.
 *
 * A call costs almost the same for many bytes as for a few.
 */
const AHEAD = 4_096;

const pool = new Uint8Array(AHEAD);
let given = AHEAD;

/**
 * The cryptographically secure random source of the operating system, read in advance.
 *
 * Returns every byte once, and then deletes the byte from the buffer.
 */
export const systemRandom: Random = {
  bytes: (count) => {
    if (count > AHEAD) return randomFillSync(new Uint8Array(count));
    if (given + count > AHEAD) {
      randomFillSync(pool);
      given = 0;
    }
    const bytes = pool.slice(given, given + count);
    pool.fill(0, given, given + count);
    given += count;
    return bytes;
  },
};
