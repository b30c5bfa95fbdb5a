import { randomBytes } from "node:crypto";
import type { Random } from "@tillkit/core";

/** The operating system's cryptographically secure random source. */
export const systemRandom: Random = { bytes: (count) => randomBytes(count) };
