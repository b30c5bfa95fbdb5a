import type { Clock } from "@tillkit/core";

/** A clock that a person or a test can move forward. */
export interface SandboxClock extends Clock {
  /** Moves `now()` forward by `ms` milliseconds. Sleeps that are under way go on in real time. */
  advance(ms: number): void;
  /** Calls `listener` after every `advance`; the function it gives back ends that. */
  onAdvance(listener: () => void): () => void;
}

/**
 * The machine's clock plus what it was advanced by. `time` is another clock to begin with, epoch milliseconds; one that stands still makes a clock that
 * only `advance` moves. `sleep` takes real time, so that pauses stay short however far the clock is moved.
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
