import { setTimeout as pause } from "node:timers/promises";
import type { WorkerProcess } from "./worker-process.js";

/** A worker is silent after this number of missed checks in a row. One late answer is normal. */
const CHECKS = 4;

/**
 * Checks a worker repeatedly. Resolves once it has not answered for `deadline` milliseconds.
 *
 * The process of a silent worker may still exist, for example in an endless loop or after SIGSTOP.
 * Such a worker would receive connections and never answer them. Rejects if `signal` aborts.
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
