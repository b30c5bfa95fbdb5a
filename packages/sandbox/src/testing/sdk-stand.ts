import { onTestFinished, vi } from "vitest";
import { NOON, openStand, type Stand } from "./stand.js";

/** A fixture for clients that read `Date`, which always agrees with the sandbox's clock. */
export interface SdkStand extends Stand {
  /** Moves the sandbox's clock and `Date` together. */
  readonly leap: (ms: number) => Promise<void>;
}

/** Opens a fixture for the running test. The clients' time stands still, too. */
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
