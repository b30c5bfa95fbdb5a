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
import { expectOk, type Opened, openBeforeEach, race } from "../../../support/open-before-each.js";
import { partlyUsedQuotas } from "./partly-used.js";
import { quotaRemoval } from "./quota-removal.js";

const TODAY = "2026-01-15";
const TOMORROW = "2026-01-16";

/** Tests every requirement of `QuotaStore`. `open` returns an empty store for each test. */
export function quotaStoreContract(adapter: string, open: () => Promise<Opened<QuotaStore>>): void {
  describe(`QuotaStore contract: ${adapter}`, () => {
    const store = openBeforeEach(open);
    const take = (key: QuotaKey, changes: Partial<QuotaTake> = {}) =>
      expectOk(store().take(key, aQuotaTake(changes)));

    describe("take", () => {
      it("grants up to the limit and returns how many are used", async () => {
        const key = aQuotaKey();
        for (const used of [1, 2, 3]) expect(await take(key, { limit: 3 })).toEqual({ granted: true, used });
        expect(await take(key, { limit: 3 })).toEqual({ granted: false, used: 3 });
        expect(await take(key, { limit: 3 })).toEqual({ granted: false, used: 3 });
      });

      it("grants nothing of a limit of zero", async () => {
        expect(await take(aQuotaKey(), { limit: 0 })).toEqual({ granted: false, used: 0 });
      });

      it("accepts a limit up to the largest safe integer", async () => {
        expect(await take(aQuotaKey(), { limit: Number.MAX_SAFE_INTEGER })).toEqual({
          granted: true,
          used: 1,
        });
        const spaced = { limit: Number.MAX_SAFE_INTEGER, spacing: MINUTE };
        expect(await take(aQuotaKey(), spaced)).toEqual({ granted: true, used: 1 });
      });

      it("counts every day, subject and scope separately", async () => {
        const key = aQuotaKey({ subject: "s" });
        await take(key, { limit: 1 });
        expect(await take(key, { limit: 1, day: TOMORROW })).toEqual({ granted: true, used: 1 });
        expect(await take(aQuotaKey({ subject: "S" }), { limit: 1 })).toEqual({ granted: true, used: 1 });
        expect(await take(aQuotaKey({ subject: "s", scope: "downloads" }), { limit: 1 })).toEqual({
          granted: true,
          used: 1,
        });
        expect(await take(aQuotaKey({ subject: "s", scope: "sms-app" }), { limit: 1 })).toEqual({
          granted: true,
          used: 1,
        });
        expect(await take(key, { limit: 1 })).toEqual({ granted: false, used: 1 });
      });

      it("uses a limit that was raised or lowered during the day", async () => {
        const key = aQuotaKey();
        await take(key, { limit: 1 });
        expect(await take(key, { limit: 2 })).toEqual({ granted: true, used: 2 });
        expect(await take(key, { limit: 1 })).toEqual({ granted: false, used: 2 });
      });

      it(`grants exactly the limit to ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        const key = aQuotaKey();
        const grants = await race(CONCURRENT_CALLERS, () => store().take(key, aQuotaTake({ limit: 7 })));
        const used = grants.filter(({ granted }) => granted).map((grant) => grant.used);
        expect(used.toSorted((left, right) => left - right)).toEqual([1, 2, 3, 4, 5, 6, 7]);
        for (const grant of grants) expect(grant.used).toBeLessThanOrEqual(7);
        expect(await take(key, { limit: 7 })).toEqual({ granted: false, used: 7 });
      });

      it.each([CONCURRENT_CALLERS, CONCURRENT_CALLERS - 1, CONCURRENT_CALLERS - 2])(
        `grants %i units to ${CONCURRENT_CALLERS} concurrent calls, each with its own count`,
        async (limit) => {
          const key = aQuotaKey();
          const grants = await race(CONCURRENT_CALLERS, () => store().take(key, aQuotaTake({ limit })));
          const used = grants.filter(({ granted }) => granted).map((grant) => grant.used);
          expect(used.toSorted((left, right) => left - right)).toEqual(
            Array.from({ length: limit }, (_, index) => index + 1),
          );
          expect(await take(key, { limit })).toEqual({ granted: false, used: limit });
        },
      );

      it(`grants the remaining units of a day to ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        const key = aQuotaKey();
        const limit = CONCURRENT_CALLERS;
        for (const used of [1, 2]) expect(await take(key, { limit })).toEqual({ granted: true, used });
        const grants = await race(CONCURRENT_CALLERS, () => store().take(key, aQuotaTake({ limit })));
        expect(grants.filter(({ granted }) => granted)).toHaveLength(CONCURRENT_CALLERS - 2);
        expect(await take(key, { limit })).toEqual({ granted: false, used: limit });
      });

      it("keeps the spacing between two granted units", async () => {
        const key = aQuotaKey();
        await take(key, { spacing: MINUTE });
        expect(await take(key, { spacing: MINUTE, now: FIXTURE_TIME + MINUTE - 1 })).toEqual({
          granted: false,
          used: 1,
          retryAt: FIXTURE_TIME + MINUTE,
        });
        expect(await take(key, { spacing: MINUTE, now: FIXTURE_TIME + MINUTE })).toEqual({
          granted: true,
          used: 2,
        });
      });

      it("counts the spacing from the last granted unit, not from a denied unit", async () => {
        const key = aQuotaKey();
        await take(key, { spacing: MINUTE });
        await take(key, { spacing: MINUTE, now: FIXTURE_TIME + MINUTE - 1 });
        expect((await take(key, { spacing: MINUTE, now: FIXTURE_TIME + MINUTE + 1 })).granted).toBe(true);
      });

      it("denies no unit because the clock was set back", async () => {
        const key = aQuotaKey();
        await take(key, { limit: 3 });
        expect(await take(key, { limit: 3, now: FIXTURE_TIME - 1 })).toEqual({ granted: true, used: 2 });
        expect(await take(key, { limit: 3, now: FIXTURE_TIME - MINUTE, spacing: 1 })).toEqual({
          granted: true,
          used: 3,
        });
      });

      it("keeps the spacing across midnight", async () => {
        const key = aQuotaKey();
        await take(key, { spacing: MINUTE });
        expect(await take(key, { spacing: MINUTE, now: FIXTURE_TIME + 1, day: TOMORROW })).toEqual({
          granted: false,
          used: 0,
          retryAt: FIXTURE_TIME + MINUTE,
        });
        const later = { spacing: MINUTE, now: FIXTURE_TIME + DAY, day: TOMORROW };
        expect(await take(key, later)).toEqual({ granted: true, used: 1 });
      });

      it("returns no time to retry after the units of the day are used up", async () => {
        const key = aQuotaKey();
        await take(key, { limit: 1, spacing: MINUTE });
        expect(await take(key, { limit: 1, spacing: MINUTE })).toEqual({ granted: false, used: 1 });
      });

      it(`grants one of ${CONCURRENT_CALLERS} concurrent calls within the spacing`, async () => {
        const key = aQuotaKey();
        const grants = await race(CONCURRENT_CALLERS, () =>
          store().take(key, aQuotaTake({ limit: CONCURRENT_CALLERS, spacing: MINUTE })),
        );
        expect(grants.filter(({ granted }) => granted)).toHaveLength(1);
      });
    });

    describe("giveBack", () => {
      it("returns one unit of the day", async () => {
        const key = aQuotaKey();
        await take(key, { limit: 1 });
        await expectOk(store().giveBack(key, TODAY));
        expect(await take(key, { limit: 1 })).toEqual({ granted: true, used: 1 });
      });

      it("never goes below zero", async () => {
        const key = aQuotaKey();
        await expectOk(store().giveBack(key, TODAY));
        await take(key);
        await expectOk(store().giveBack(key, TODAY));
        await expectOk(store().giveBack(key, TODAY));
        expect(await take(key, { limit: 1 })).toEqual({ granted: true, used: 1 });
        expect(await take(key, { limit: 1 })).toEqual({ granted: false, used: 1 });
      });

      it("keeps the spacing", async () => {
        const key = aQuotaKey();
        await take(key, { spacing: MINUTE });
        await expectOk(store().giveBack(key, TODAY));
        expect(await take(key, { spacing: MINUTE, now: FIXTURE_TIME + 1 })).toEqual({
          granted: false,
          used: 0,
          retryAt: FIXTURE_TIME + MINUTE,
        });
        expect(await take(key, { spacing: MINUTE, now: FIXTURE_TIME + MINUTE })).toEqual({
          granted: true,
          used: 1,
        });
      });

      it("does not change other days, subjects and scopes", async () => {
        const key = aQuotaKey({ subject: "s" });
        await take(key, { limit: 1 });
        await expectOk(store().giveBack(key, TOMORROW));
        await expectOk(store().giveBack(aQuotaKey({ subject: "t" }), TODAY));
        await expectOk(store().giveBack(aQuotaKey({ subject: "s", scope: "downloads" }), TODAY));
        expect(await take(key, { limit: 1 })).toEqual({ granted: false, used: 1 });
      });

      it(`counts each of ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        const key = aQuotaKey();
        await race(CONCURRENT_CALLERS, () => store().take(key, aQuotaTake({ limit: CONCURRENT_CALLERS })));
        await race(CONCURRENT_CALLERS - 1, () => store().giveBack(key, TODAY));
        expect(await take(key, { limit: CONCURRENT_CALLERS })).toEqual({ granted: true, used: 2 });
      });

      it(`grants no unit past the limit while units are given back among ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        const key = aQuotaKey();
        const granted = async (): Promise<number> => {
          const grants = await race(CONCURRENT_CALLERS, () => store().take(key, aQuotaTake({ limit: 3 })));
          return grants.filter((grant) => grant.granted).length;
        };
        expect(await granted()).toBe(3);
        const [meanwhile] = await Promise.all([granted(), race(3, () => store().giveBack(key, TODAY))]);
        expect(meanwhile + (await granted())).toBe(3);
        expect(await take(key, { limit: 3 })).toEqual({ granted: false, used: 3 });
      });
    });

    describe("find", () => {
      it("returns the used units of one subject, scope and day", async () => {
        const key = aQuotaKey({ subject: "s" });
        expect(await expectOk(store().find(key, TODAY))).toBe(0);
        for (const _ of [1, 2]) await take(key);
        await take(key, { day: TOMORROW });
        await take(aQuotaKey({ subject: "t" }));
        expect(await expectOk(store().find(key, TODAY))).toBe(2);
        await expectOk(store().giveBack(key, TODAY));
        expect(await expectOk(store().find(key, TODAY))).toBe(1);
        expect(await expectOk(store().find(aQuotaKey({ subject: "s", scope: "bills" }), TODAY))).toBe(0);
      });
    });

    describe("list", () => {
      it("returns the counters of one period, the most units first, up to the limit", async () => {
        const period = `${TODAY}/08`;
        const used = async (scope: QuotaKey["scope"], subject: string, units: number, day = period) => {
          for (let n = 0; n < units; n += 1) await take({ scope, subject }, { day });
        };
        await used("sms-app", "app_1", 2);
        await used("sms-host", "host", 5);
        await used("sms-country", "CN", 3);
        await used("sms-app", "app_2", 4, TODAY);
        await used("sms-app", "app_3", 1);
        await expectOk(store().giveBack({ scope: "sms-app", subject: "app_3" }, period));
        expect(await expectOk(store().list(period, 10))).toEqual([
          { scope: "sms-host", subject: "host", used: 5 },
          { scope: "sms-country", subject: "CN", used: 3 },
          { scope: "sms-app", subject: "app_1", used: 2 },
        ]);
        expect(await expectOk(store().list(period, 1))).toHaveLength(1);
        expect(await expectOk(store().list(TOMORROW, 10))).toEqual([]);
      });
    });

    partlyUsedQuotas(store);
    quotaRemoval(store);
  });
}
