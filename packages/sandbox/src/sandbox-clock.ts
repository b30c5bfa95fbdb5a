import type { Clock } from "@tillkit/core";

/** A clock that a person or a test can move forward. */
export interface SandboxClock extends Clock {
  /** Moves `now()` forward by `ms` milliseconds. Running sleeps continue in real time. */
  advance(ms: number): void;
  /** Calls `listener` after every `advance`. Returns a function that removes the listener. */
  onAdvance(listener: () => void): () => void;
}

/**
 * Creates a clock that shows `time` plus all moves.
 *
 * `sleep` takes real time, so delays stay short however far the clock moves.
 *
 * @param time - the source of the time in epoch milliseconds. With a constant source only
 *   `advance` moves the clock.
 * @returns the clock.
 * @example
 * ```ts
 * import { sandboxClock } from "@tillkit/sandbox";
 *
 * const clock = sandboxClock();
 * clock.advance(24 * 60 * 60 * 1000);
 * ```
 */
export function sandboxClock(time: () => number = Date.now): SandboxClock {
  const listeners = new Set<() => void>();
  let offset = 0;
  return {
    now: () => time() + offset,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    advance: (ms) => {
      offset += ms;
      for (const listener of listeners) listener();
    },
    onAdvance: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
