import { setTimeout as pause } from "node:timers/promises";
import type { WorkerProcess } from "./worker-process.js";

/** How many checks in a row a silent worker misses. One late answer means nothing. */
const CHECKS = 4;

/**
 * Asks a worker again and again, and resolves once it has not answered for `deadline` milliseconds.
 *
 * Its process may still run: an endless loop, or a signal such as SIGSTOP, makes it silent. It
 * would receive connections and never answer them. Rejects if `signal` aborts.
 */
export async function untilSilent(
  worker: Pick<WorkerProcess, "isSilent">,
  deadline: number,
  signal: AbortSignal,
): Promise<void> {
  const every = deadline / CHECKS;
  let missed = 0;
  while (missed < CHECKS) {
    const [silent] = await Promise.all([
      worker.isSilent(every),
      pause(every, undefined, { signal, ref: false }),
    ]);
    missed = silent ? missed + 1 : 0;
  }
}
