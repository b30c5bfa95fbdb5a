import { onTestFinished, vi } from "vitest";
import { NOON, openStand, type Stand } from "./stand.js";

/** A stand for clients that take the time from `Date`: it agrees with the sandbox's clock, also after a leap. */
export interface SdkStand extends Stand {
  /** Moves the sandbox's clock and `Date` together. */
  readonly leap: (ms: number) => Promise<void>;
}

/** Opens a stand for the running test, in which time stands still for the clients, too. */
export async function openSdkStand(): Promise<SdkStand> {
  vi.useFakeTimers({ toFake: ["Date"], now: NOON });
  onTestFinished(() => void vi.useRealTimers());
  const stand = await openStand();
  return {
    ...stand,
    leap: async (ms) => {
      vi.setSystemTime(Date.now() + ms);
      await stand.advance(ms);
    },
  };
}
