import type { Clock } from "@tillkit/core";

/** A clock that stands still until it is told to move. */
export interface TestClock extends Clock {
  /** Moves the time on by `ms` milliseconds. */
  advance(ms: number): void;
  /** Moves the time to `at`, epoch milliseconds; backwards too. */
  set(at: number): void;
}

/** When a test clock starts unless it is told: noon of a Thursday in China. */
const NOON = Date.UTC(2026, 0, 15, 4);

/**
 * A clock for tests. `sleep` does not move the time: it gives way to whatever else can run and resolves, so that code which
 * waits for something looks again at once instead of holding a test up.
 */
export function testClock(start: number = NOON): TestClock {
  let time = start;
  return {
    now: () => time,
    sleep: () => new Promise((resolve) => setTimeout(resolve, 0)),
    advance: (ms) => {
      time += ms;
    },
    set: (at) => {
      time = at;
    },
  };
}
