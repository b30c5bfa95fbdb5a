import { createHash } from "node:crypto";
import type { Random } from "@tillkit/core";

/** The length of a SHA-256 digest in bytes. */
const BLOCK = 32;

/**
 * Creates a source of repeatable bytes for tests. It is not secure.
 *
 * Two sources with the same seed return the same bytes for the same sequence of calls.
 */
export function seededRandom(seed: string): Random {
  let block = 0;
  return {
    bytes: (count) => {
      const bytes = new Uint8Array(count);
      for (let filled = 0; filled < count; filled += BLOCK) {
        block += 1;
        const digest = createHash("sha256").update(`${seed}\n${block}`).digest();
        bytes.set(digest.subarray(0, count - filled), filled);
      }
      return bytes;
    },
  };
}
