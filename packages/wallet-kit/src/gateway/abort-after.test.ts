import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { abortAfter, withDeadline } from "./abort-after.js";

describe("abortAfter", () => {
  it.each([0, -1, 0.5])("aborts soon after %d milliseconds", async (milliseconds) => {
    const signal = abortAfter(milliseconds);
    while (!signal.aborted) await pause(1);
    expect(signal.reason).toMatchObject({ name: "TimeoutError" });
  });

  it.each([Infinity, 2 ** 31, 2 ** 53])(
    "treats %d milliseconds as a long time, not as zero",
    async (milliseconds) => {
      const signal = abortAfter(milliseconds);
      await pause(5);
      expect(signal.aborted).toBe(false);
    },
  );
});

describe("withDeadline", () => {
  it("aborts the signal while the work runs too long", async () => {
    const aborted = await withDeadline(1, async (signal) => {
      while (!signal.aborted) await pause(1);
      return signal.aborted;
    });
    expect(aborted).toBe(true);
  });

  it.each(["resolves", "rejects"])("never aborts the signal after work that %s", async (how) => {
    let seen: AbortSignal | undefined;
    const work = withDeadline(5, async (signal) => {
      seen = signal;
      if (how === "rejects") throw new Error("broken");
    });
    await work.catch(() => undefined);
    await pause(20);
    expect(seen?.aborted).toBe(false);
  });
});
