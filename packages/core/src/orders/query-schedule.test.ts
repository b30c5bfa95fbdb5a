import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import { nextQueryAt } from "./query-schedule.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const order = { gmtCreate: 1_000, expiresAt: 1_000 + 2 * HOUR };
const after = (age: number) => {
  const next = nextQueryAt(order, 1_000 + age, defaultPolicy);
  return next === undefined ? undefined : next - 1_000;
};

describe("nextQueryAt", () => {
  it("follows the schedule for the order's age", () => {
    expect([0, 30_000, 61_000, 4 * MINUTE, 11 * MINUTE].map(after)).toEqual([
      30_000,
      MINUTE,
      2 * MINUTE,
      5 * MINUTE,
      30 * MINUTE,
    ]);
  });

  it("returns the moment at which the order can be closed", () => {
    const closable = 2 * HOUR + defaultPolicy.expiryMargin;
    expect(after(2 * HOUR)).toBe(closable);
    expect(after(closable)).toBe(closable + defaultPolicy.unsignedRefusalDelay);
  });

  it("continues hourly, then daily, and ends after seven days", () => {
    expect(after(20.5 * HOUR)).toBe(21 * HOUR);
    expect(after(24 * HOUR)).toBe(48 * HOUR);
    expect(after(7 * 24 * HOUR)).toBeUndefined();
  });
});
