import type { Refund, RefundsQuery, Stores } from "@tillkit/core";
import { beforeEach, describe, expect, it } from "vitest";
import { FIXTURE_TIME } from "../../../support/fixtures.js";
import { expectOk } from "../../../support/open-before-each.js";
import { aPaidOrder, aRequestedRefund } from "../../../support/stores/paid-order.js";
import { refundMovedTo } from "../../../support/stores/refund-moved-to.js";

/** Tests `RefundStore`: the list of the refunds of all orders. */
export function refundSearch(stores: () => Pick<Stores, "orders" | "refunds">): void {
  const search = (query: Partial<RefundsQuery> = {}) =>
    expectOk(stores().refunds.search({ limit: 100, ...query }));

  describe("search", () => {
    /** All refunds, newest first. */
    let all: readonly Refund[];
    beforeEach(async () => {
      const made: Refund[] = [];
      for (const [nth, status] of (["CONFIRMED", "FAILED", "SENT", "CONFIRMED", "FAILED"] as const).entries())
        for (const appId of ["app_1", "app_2"]) {
          const order = await aPaidOrder(stores(), { appId, bizNo: `biz-${nth}` });
          const gmtCreate = FIXTURE_TIME + Math.floor(nth / 2);
          const refund = await aRequestedRefund(stores(), order, { refundNo: `r-${nth}`, gmtCreate });
          made.push(await refundMovedTo(stores(), order, refund, status));
        }
      all = made.toReversed();
    });

    it("returns the refunds of all orders, newest first", async () => {
      expect(await search()).toEqual(all);
      expect(await search({ limit: 3 })).toEqual(all.slice(0, 3));
    });

    it.each(["CONFIRMED", "FAILED", "SENT", "ABNORMAL"] as const)(
      "filters by the status %s",
      async (status) => {
        expect(await search({ status })).toEqual(all.filter((refund) => refund.status === status));
      },
    );

    it.each([undefined, "CONFIRMED", "FAILED"] as const)(
      "returns only refunds of the given apps with the status %s",
      async (status) => {
        const of = (...apps: readonly string[]) =>
          all.filter(
            (refund) => apps.includes(refund.appId) && (status === undefined || refund.status === status),
          );
        expect(await search({ status, apps: ["app_1"] })).toEqual(of("app_1"));
        expect(await search({ status, apps: ["app_2", "none", "app_1"] })).toEqual(of("app_1", "app_2"));
        expect(await search({ status, apps: ["none"] })).toEqual([]);
        expect(await search({ status, apps: [] })).toEqual([]);
      },
    );

    it.each([
      {},
      { status: "CONFIRMED" },
      { apps: ["app_1", "app_2"] },
      { apps: ["app_2"], status: "FAILED" },
    ] as const)("returns every refund of %j on one of several pages", async (filter) => {
      const whole = await search(filter);
      const found: Refund[] = [];
      for (;;) {
        const page = await search({ ...filter, before: found.at(-1), limit: 1 });
        if (page.length === 0) break;
        found.push(...page);
      }
      expect(found).toEqual(whole);
      expect(found.length).toBeGreaterThan(1);
    });
  });
}
