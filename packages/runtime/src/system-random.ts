import { randomFillSync } from "node:crypto";
import type { Random } from "@tillkit/core";

/** How many bytes are asked of the system at once: asking costs more than the rest of a read, and hardly more for many bytes than for few. */
const AHEAD = 4_096;

const pool = new Uint8Array(AHEAD);
let given = AHEAD;

/** The operating system's cryptographically secure random source, asked ahead. No byte is given twice, and none is kept once it was given. */
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
