import { LONGEST_TIMER_MS } from "./longest-timer.js";

/**
 * Waits for `work`, at most `ms` milliseconds.
 *
 * `work` continues after the timeout. If `work` rejects before the timeout, the returned promise
 * rejects too. A value of `ms` above {@link LONGEST_TIMER_MS} counts as {@link LONGEST_TIMER_MS}.
 *
 * @example
 * ```ts
 * import { valueOrTimeout } from "@tillkit/runtime";
 *
 * const answer = await valueOrTimeout(fetch("https://example.com"), 10_000);
 * if (answer === "timeout") console.log("no answer yet");
 * ```
 * @returns the value of `work`, or `"timeout"`.
 */
export async function valueOrTimeout<T>(work: Promise<T>, ms: number): Promise<T | "timeout"> {
  let timer: NodeJS.Timeout | undefined;
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
