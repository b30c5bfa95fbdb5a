import type { Clock } from "@tillkit/core";

/** A clock that moves only when a test moves it. */
export interface TestClock extends Clock {
  /** Moves the clock forward by `ms` milliseconds. */
  advance(ms: number): void;
  /** Sets the clock to `at` in epoch milliseconds. The clock may go back. */
  set(at: number): void;
}

/** The default start time: noon on Thursday, 2026-01-15, in China. */
const NOON = Date.UTC(2026, 0, 15, 4);

/**
 * Creates a clock for tests.
 *
 * `sleep` does not move the clock. It lets other pending work run and then resolves, so that a
 * polling loop repeats immediately.
 *
 * @param start Start time in epoch milliseconds. Defaults to 2026-01-15T12:00+08:00.
 * @returns the clock.
 * @example
 * ```ts
 * import { testClock } from "@tillkit/memory";
 *
 * const clock = testClock();
 * clock.advance(60_000);
 * ```
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
