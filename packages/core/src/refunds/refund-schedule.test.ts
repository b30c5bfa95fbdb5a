import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import { nextRefundTryAt, passedTries } from "./refund-schedule.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SINCE = 1_000_000;

const nextAge = (age: number, moved: Parameters<typeof nextRefundTryAt>[3] = {}) =>
  nextRefundTryAt({ gmtModified: SINCE }, SINCE + age, defaultPolicy, moved) - SINCE;

describe("passedTries", () => {
  it("grows by one from each scheduled query to the next, without end", () => {
    let age = 0;
    for (let count = 0; count < 60; count += 1) {
      const passed = passedTries({ gmtModified: SINCE }, SINCE + age, defaultPolicy);
      expect(passed).toBe(count);
      age = nextAge(age);
    }
  });
});

describe("nextRefundTryAt", () => {
  it("queries after 1, 5, 10 and 30 minutes, then hourly for a day, then daily without end", () => {
    const ages: number[] = [];
    for (let age = 0; ages.length < 40; ages.push(age)) age = nextAge(age);
    const minutes = [1, 5, 10, 30].map((count) => count * MINUTE);
    const hours = Array.from({ length: 24 }, (_, index) => (index + 1) * HOUR);
    const days = Array.from({ length: 12 }, (_, index) => (index + 2) * DAY);
    expect(ages).toEqual([...minutes, ...hours, ...days]);
    expect(nextAge(400 * DAY)).toBe(401 * DAY);
  });

  it("does not skip the first age, however long the call that sent the refund took", () => {
    expect(nextAge(1)).toBe(MINUTE);
    expect(nextAge(MINUTE - 1)).toBe(MINUTE);
    expect(nextAge(MINUTE)).toBe(5 * MINUTE);
  });

  it("skips a later age that would come before the shortest pause is over", () => {
    expect(nextAge(4 * MINUTE)).toBe(5 * MINUTE);
    expect(nextAge(4 * MINUTE + 1)).toBe(10 * MINUTE);
  });

  it("doubles the pause if the wallet reports too many calls", () => {
    expect(nextAge(0, { rateLimited: true })).toBe(2 * MINUTE);
    expect(nextAge(1, { rateLimited: true })).toBe(10 * MINUTE - 1);
    expect(nextAge(10 * MINUTE, { rateLimited: true })).toBe(50 * MINUTE);
  });

  it("queries when an unsigned answer takes effect if this is sooner, but never before the shortest pause", () => {
    expect(nextAge(10 * MINUTE, { alsoAt: SINCE + 12 * MINUTE })).toBe(12 * MINUTE);
    expect(nextAge(10 * MINUTE, { alsoAt: SINCE + 10 * MINUTE + 5 })).toBe(11 * MINUTE);
    expect(nextAge(10 * MINUTE, { alsoAt: SINCE + HOUR })).toBe(30 * MINUTE);
  });

  it("leaves at least the first age as a pause after the first age or too many calls, for any schedule", () => {
    const schedule = fc
      .uniqueArray(fc.integer({ min: 1, max: 10 * DAY }), { maxLength: 6 })
      .map((ages) => ages.toSorted((left, right) => left - right));
    fc.assert(
      fc.property(
        fc.integer({ min: -DAY, max: 900 * DAY }),
        schedule,
        fc.boolean(),
        (age, refundSchedule, rateLimited) => {
          const now = SINCE + age;
          const next = nextRefundTryAt({ gmtModified: SINCE }, now, { refundSchedule }, { rateLimited });
          const first = refundSchedule[0] ?? DAY;
          if (age < first && !rateLimited) expect(next - SINCE).toBe(first);
          else expect(next - now).toBeGreaterThanOrEqual(first);
          expect(Number.isSafeInteger(next)).toBe(true);
        },
      ),
    );
  });
});
