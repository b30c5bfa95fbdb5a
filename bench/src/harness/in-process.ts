import { play } from "./play.js";
import type { Contestant, Role } from "./row.js";

/** A contestant that works in this process. */
export interface InProcess {
  readonly name: string;
  readonly role: Role;
  /** Does the work once. */
  readonly once: () => Promise<unknown>;
  /** Works that may be under way at once; 1 unless said otherwise. */
  readonly atOnce?: number;
}

/** A contestant out of a function. */
export function inProcess({ name, role, once, atOnce = 1 }: InProcess): Contestant {
  return { name, role, play: (ms) => play(once, atOnce, ms) };
}
