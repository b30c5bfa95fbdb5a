/** Runs `run` after `ms` milliseconds. The returned function cancels it. */
export type StartTimer = (ms: number, run: () => void) => () => void;

/** How an attempt failed. `error` is what was thrown. */
export type FailedAttempt =
  { readonly kind: "threw"; readonly error: unknown } | { readonly kind: "timeout" };

/** How an attempt ended. */
type AttemptEnd<T> = { readonly kind: "done"; readonly value: T } | FailedAttempt;

/**
 * Runs `work` with a signal that aborts after `ms` milliseconds. Never rejects.
 *
 * At the deadline, the promise resolves with `timeout`, even if `work` ignores the signal.
 */
export function withinDeadline<T>(
  startTimer: StartTimer,
  ms: number,
  work: (signal: AbortSignal) => PromiseLike<T>,
): Promise<AttemptEnd<T>> {
  return new Promise((resolve) => {
    const controller = new AbortController();
    const cancel = startTimer(ms, () => {
      resolve({ kind: "timeout" });
      controller.abort();
    });
    const end = (result: AttemptEnd<T>): void => {
      cancel();
      resolve(result);
    };
    started(() => work(controller.signal)).then(
      (value) => end({ kind: "done", value }),
      (error: unknown) => end({ kind: "threw", error }),
    );
  });
}

/** Turns a synchronous throw of `work` into a rejection. */
async function started<T>(work: () => PromiseLike<T>): Promise<T> {
  return await work();
}
