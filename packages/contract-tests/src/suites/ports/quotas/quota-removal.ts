import type { QuotaKey, QuotaStore, QuotaTake } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import {
  aQuotaKey,
  aQuotaTake,
  FIXTURE_TIME,
  DAY,
  MINUTE,
  CONCURRENT_CALLERS,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";
import { drained } from "../../../support/stores/drained.js";

const YESTERDAY = "2026-01-14";
const TODAY = "2026-01-15";

/** Tests `QuotaStore`: removing the counters of past days, and expired spacings. */
export function quotaRemoval(store: () => QuotaStore): void {
  const take = (key: QuotaKey, changes: Partial<QuotaTake> = {}) =>
    expectOk(store().take(key, aQuotaTake(changes)));
  const removeBefore = (day: string, limit = 100) => expectOk(store().removeBefore(day, limit));
  const removeSpacings = (before: number, limit = 100) => expectOk(store().removeSpacings(before, limit));

  describe("removeBefore", () => {
    it("removes the counters of every scope before the day, and returns how many", async () => {
      const key = aQuotaKey();
      for (const day of ["2025-12-31", YESTERDAY, TODAY]) await take(key, { day });
      await take(aQuotaKey({ scope: "downloads" }), { day: YESTERDAY });
      await take(aQuotaKey({ scope: "sms-app" }), { day: YESTERDAY });
      expect(await removeBefore(YESTERDAY)).toBe(1);
      expect(await removeBefore(TODAY)).toBe(3);
      expect(await removeBefore(TODAY)).toBe(0);
      expect(await take(key, { limit: 1 })).toEqual({ granted: false, used: 1 });
    });

    it("removes at most the limit", async () => {
      for (const day of ["2026-01-12", "2026-01-10", "2026-01-11"]) await take(aQuotaKey(), { day });
      expect(await removeBefore(TODAY, 2)).toBe(2);
      expect(await removeBefore(TODAY, 0)).toBe(0);
      expect(await removeBefore(TODAY, 2)).toBe(1);
    });

    it("keeps the spacing that began on a removed day", async () => {
      const key = aQuotaKey();
      await take(key, { day: YESTERDAY, spacing: DAY });
      expect(await removeBefore(TODAY)).toBe(1);
      expect(await take(key, { now: FIXTURE_TIME + DAY - 1, spacing: DAY })).toEqual({
        granted: false,
        used: 0,
        retryAt: FIXTURE_TIME + DAY,
      });
    });

    it(`counts each counter once in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      await race(2 * CONCURRENT_CALLERS, (caller) =>
        store().take(aQuotaKey(), aQuotaTake({ day: `2026-01-0${1 + (caller % 7)}` })),
      );
      expect(await drained((limit) => store().removeBefore(TODAY, limit))).toBe(2 * CONCURRENT_CALLERS);
    });

    it(`grants exactly the limit of the day to ${CONCURRENT_CALLERS} callers during a removal`, async () => {
      const key = aQuotaKey();
      for (let tried = 0; tried < 5; tried += 1) await take(key, { day: YESTERDAY });
      const answers = await race(2 * CONCURRENT_CALLERS, (caller) =>
        caller % 2 === 0
          ? store()
              .take(key, aQuotaTake({ limit: 7 }))
              .map(({ granted }) => (granted ? "granted" : "refused"))
          : store()
              .removeBefore(TODAY, 5)
              .map((count) => `removed ${String(count)}`),
      );
      expect(answers.filter((answer) => answer === "granted")).toHaveLength(7);
      expect(answers.filter((answer) => answer === "removed 1")).toHaveLength(1);
      expect(await take(key, { limit: 7 })).toEqual({ granted: false, used: 7 });
    });
  });

  describe("removeSpacings", () => {
    it("removes the times of spaced units before the given time, and returns how many", async () => {
      for (const now of [FIXTURE_TIME - 2, FIXTURE_TIME - 1, FIXTURE_TIME])
        await take(aQuotaKey(), { now, spacing: MINUTE });
      expect(await removeSpacings(FIXTURE_TIME)).toBe(2);
      expect(await removeSpacings(FIXTURE_TIME)).toBe(0);
      expect(await removeSpacings(FIXTURE_TIME + 1)).toBe(1);
    });

    it("removes at most the limit", async () => {
      for (const age of [30, 10, 20]) await take(aQuotaKey(), { now: FIXTURE_TIME - age, spacing: MINUTE });
      expect(await removeSpacings(FIXTURE_TIME, 2)).toBe(2);
      expect(await removeSpacings(FIXTURE_TIME, 0)).toBe(0);
      expect(await removeSpacings(FIXTURE_TIME, 2)).toBe(1);
    });

    it("removes nothing for units without a spacing, but removes the time of a spaced unit that was given back", async () => {
      const key = aQuotaKey();
      await take(aQuotaKey());
      await take(key, { spacing: MINUTE });
      await expectOk(store().giveBack(key, TODAY));
      expect(await removeSpacings(FIXTURE_TIME + DAY)).toBe(1);
    });

    it("keeps an active spacing and every counter", async () => {
      const [spaced, old] = [aQuotaKey(), aQuotaKey()];
      await take(spaced, { spacing: MINUTE });
      await take(old, { now: FIXTURE_TIME - DAY, spacing: MINUTE });
      expect(await removeSpacings(FIXTURE_TIME)).toBe(1);
      expect(await take(spaced, { now: FIXTURE_TIME + MINUTE - 1, spacing: MINUTE })).toEqual({
        granted: false,
        used: 1,
        retryAt: FIXTURE_TIME + MINUTE,
      });
      expect(await take(old, { limit: 1 })).toEqual({ granted: false, used: 1 });
    });

    it(`counts each time once in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      await race(2 * CONCURRENT_CALLERS, (caller) =>
        store().take(aQuotaKey(), aQuotaTake({ now: FIXTURE_TIME - 1 - (caller % 7), spacing: MINUTE })),
      );
      expect(await drained((limit) => store().removeSpacings(FIXTURE_TIME, limit))).toBe(
        2 * CONCURRENT_CALLERS,
      );
    });

    it(`grants one of ${CONCURRENT_CALLERS} callers within the spacing during the removal of the previous spacing`, async () => {
      const key = aQuotaKey();
      await take(key, { now: FIXTURE_TIME - DAY, spacing: MINUTE });
      const answers = await race(2 * CONCURRENT_CALLERS, (caller) =>
        caller % 2 === 0
          ? store()
              .take(key, aQuotaTake({ limit: CONCURRENT_CALLERS, spacing: MINUTE }))
              .map(({ granted }) => granted)
          : store()
              .removeSpacings(FIXTURE_TIME - MINUTE, 5)
              .map(() => false),
      );
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect(await take(key, { now: FIXTURE_TIME + MINUTE - 1, spacing: MINUTE })).toEqual({
        granted: false,
        used: 2,
        retryAt: FIXTURE_TIME + MINUTE,
      });
    });
  });
}
