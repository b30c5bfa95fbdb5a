import { describe, expect, it, onTestFinished, vi } from "vitest";
import { noopObserver } from "./noop-observer.js";
import { systemClock } from "./system-clock.js";

describe("systemClock", () => {
  it("returns the machine's time in milliseconds", () => {
    const before = Date.now();
    const now = systemClock.now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });

  it("sleeps for the given time", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let awake = false;
    const sleeping = systemClock.sleep(15).then(() => {
      awake = true;
    });
    await vi.advanceTimersByTimeAsync(14);
    expect(awake).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await sleeping;
    expect(awake).toBe(true);
  });
});

describe("noopObserver", () => {
  it("accepts any event", () => {
    const notification = { type: "notification.refused", payChannel: "WALLET_A", reason: "probe" } as const;
    expect(() => noopObserver.onEvent(notification)).not.toThrow();
  });
});
