import { LONGEST_TIMER_MS } from "./longest-timer.js";

/**
 * Resolves with the value of `work`, or with `"timeout"` after `ms` milliseconds. `work` continues.
 */
export async function valueOrTimeout<T>(work: Promise<T>, ms: number): Promise<T | "timeout"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<"timeout">((resolve) => {
    timer = setTimeout(
      () => {
        resolve("timeout");
      },
      Math.min(ms, LONGEST_TIMER_MS),
    );
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
