import type { Clock } from "@tillkit/core";

/** The system clock. `sleep` waits for at least `ms` milliseconds and cannot be cancelled. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
