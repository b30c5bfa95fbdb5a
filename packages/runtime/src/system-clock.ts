import type { Clock } from "@tillkit/core";

/** The machine's clock. `sleep` waits on a real timer of at least `ms` milliseconds; nothing cuts it short. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
