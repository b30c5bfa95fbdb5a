import { setTimeout as pause } from "node:timers/promises";

/** Runs `work` again and again until `signal` aborts, with a pause in between. */
export async function repeat(
  signal: AbortSignal,
  pauseMs: number,
  work: (nth: number) => Promise<unknown>,
): Promise<void> {
  for (let nth = 1; !signal.aborted; nth += 1) {
    await work(nth);
    await pause(pauseMs);
  }
}
