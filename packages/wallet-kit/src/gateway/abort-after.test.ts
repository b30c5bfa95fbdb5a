import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { abortAfter } from "./abort-after.js";

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
