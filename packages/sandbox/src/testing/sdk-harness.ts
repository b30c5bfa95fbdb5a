import { onTestFinished, vi } from "vitest";
import { NOON, openHarness, type SandboxHarness } from "./sandbox-harness.js";

/** A fixture for clients that read `Date`, which always agrees with the sandbox's clock. */
export interface SdkHarness extends SandboxHarness {
  /** Moves the sandbox's clock and `Date` together. */
  readonly leap: (ms: number) => Promise<void>;
}

/** Opens a fixture for the running test. The clients' time stands still, like the sandbox's. */
export async function openSdkHarness(): Promise<SdkHarness> {
  vi.useFakeTimers({ toFake: ["Date"], now: NOON });
  onTestFinished(() => void vi.useRealTimers());
  const harness = await openHarness();
  return {
    ...harness,
    leap: async (ms) => {
      vi.setSystemTime(Date.now() + ms);
      await harness.advance(ms);
    },
  };
}
