import type { SandboxClock } from "../sandbox-clock.js";

/** Noon of a Thursday in China. */
const NOON = Date.UTC(2026, 0, 15, 4);

/** A clock that stands still until it is moved. `sleep` takes real time: whoever waits for an answer over the wire waits for as long as it takes. */
export function virtualClock(): SandboxClock {
  const listeners = new Set<() => void>();
  let time = NOON;
  return {
    now: () => time,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    advance: (ms) => {
      time += ms;
      for (const listener of listeners) listener();
    },
    onAdvance: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
