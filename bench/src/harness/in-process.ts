import { play } from "./play.js";
import type { Contestant, Role } from "./row.js";

/** A contestant that runs in this process. */
export interface InProcess {
  readonly name: string;
  readonly role: Role;
  /** Does the operation once. */
  readonly once: () => Promise<unknown>;
  /** How many operations may run concurrently. Defaults to 1. */
  readonly atOnce?: number;
}

/** Creates a contestant from a function. */
export function inProcess({ name, role, once, atOnce = 1 }: InProcess): Contestant {
  return { name, role, play: (ms) => play(once, atOnce, ms) };
}
