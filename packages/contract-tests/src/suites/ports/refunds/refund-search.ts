import type { Refund, Stores } from "@tillkit/core";
import {
  consoleRefundNo,
  outRefundNo,
  type RefundPosition,
  type RefundSearchQuery,
} from "@tillkit/core/ports";
import { beforeEach, describe, expect, it } from "vitest";
import { anAdoption, FIXTURE_TIME } from "../../../support/fixtures.js";
import { expectOk } from "../../../support/open-before-each.js";
import { aPaidOrder, aRequestedRefund } from "../../../support/stores/paid-order.js";
import { refundMovedTo } from "../../../support/stores/refund-moved-to.js";

/** Tests `RefundStore`: the list of the refunds of all orders. */
export function refundSearch(stores: () => Pick<Stores, "orders" | "refunds">): void {
  const page = (query: Partial<RefundSearchQuery> = {}) =>
    expectOk(stores().refunds.search({ limit: 100, ...query }));
  const search = async (query: Partial<RefundSearchQuery> = {}) => (await page(query)).items;

  describe("search", () => {
    /** All refunds, newest first. */
    let all: readonly Refund[];
    /** The number of the first refund at the wallet. */
    let atWallet: string;
    beforeEach(async () => {
      const made: Refund[] = [];
      for (const [nth, status] of (["CONFIRMED", "FAILED", "SENT", "CONFIRMED", "FAILED"] as const).entries())
        for (const appId of ["app_1", "app_2"]) {
          const order = await aPaidOrder(stores(), { appId, bizNo: `biz-${nth}` });
          const gmtCreate = FIXTURE_TIME + Math.floor(nth / 2);
          const facts = { amount: 100 + nth, operator: nth % 2 === 0 ? "han" : "li" };
          const named = { ...facts, refundNo: `r-${nth}`, gmtCreate };
          const refund = await aRequestedRefund(stores(), order, named);
          if (made.length === 0) atWallet = outRefundNo(order, refund);
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
      ["operator", { operator: "li" }, ({ operator }: Refund) => operator === "li"],
      ["refundNo", { number: "r-3" }, ({ refundNo }: Refund) => refundNo === "r-3"],
      ["bizNo", { number: "biz-3" }, ({ bizNo }: Refund) => bizNo === "biz-3"],
      [
        "time",
        { from: FIXTURE_TIME + 1, until: FIXTURE_TIME + 2 },
        ({ gmtCreate }: Refund) => gmtCreate === FIXTURE_TIME + 1,
      ],
      ["lowest amount", { minAmount: 103 }, ({ amount }: Refund) => amount >= 103],
      ["highest amount", { maxAmount: 101 }, ({ amount }: Refund) => amount <= 101],
      [
        "all of these",
        {
          operator: "li",
          number: "r-3",
          from: FIXTURE_TIME + 1,
          until: FIXTURE_TIME + 9,
          minAmount: 103,
          maxAmount: 103,
          apps: ["app_2"],
          status: "CONFIRMED",
        },
        ({ refundNo, appId }: Refund) => refundNo === "r-3" && appId === "app_2",
      ],
    ] as const satisfies readonly (readonly [string, Partial<RefundSearchQuery>, unknown])[])(
      "filters by %s",
      async (_, filter, matches) => {
        const expected = all.filter((refund) => matches(refund));
        expect(expected.length).toBeGreaterThan(0);
        expect(await search(filter)).toEqual(expected);
      },
    );

    it("filters by the time of the confirmation", async () => {
      const confirmed = all.filter(({ status }) => status === "CONFIRMED");
      const times = confirmed.map(({ gmtModified }) => gmtModified);
      const [from, last] = [Math.min(...times), Math.max(...times)];
      expect(await search({ confirmedFrom: from, confirmedUntil: last + 1 })).toEqual(confirmed);
      expect(await search({ confirmedFrom: from })).toEqual(confirmed);
      expect(await search({ confirmedUntil: from })).toEqual([]);
      expect(await search({ confirmedFrom: last + 1 })).toEqual([]);
      expect(await search({ confirmedFrom: from, status: "FAILED" })).toEqual([]);
    });

    it("filters by the channel of the order", async () => {
      const order = await aPaidOrder(stores(), { appId: "app_1", bizNo: "other", payChannel: "WALLET_B" });
      const refund = await aRequestedRefund(stores(), order, { refundNo: "r-other" });
      expect(await search({ payChannel: "WALLET_B" })).toEqual([refund]);
      expect(await search({ payChannel: "WALLET_A" })).toEqual(all);
    });

    it("finds a refund by the wallet's number, and by its own number at the wallet", async () => {
      const confirmed = all.find(({ walletRefundNo }) => walletRefundNo !== undefined);
      const ofNumber = all.filter(({ walletRefundNo }) => walletRefundNo === confirmed?.walletRefundNo);
      expect(ofNumber.length).toBeGreaterThan(0);
      expect(await search({ number: confirmed?.walletRefundNo })).toEqual(ofNumber);
      expect(await search({ number: atWallet })).toEqual(all.slice(-1));
      expect(await search({ number: "none-r-0" })).toEqual([]);
      expect(await search({ number: atWallet, apps: ["app_2"] })).toEqual([]);
    });

    it("finds a refund that was made in the wallet's console by its number there", async () => {
      const order = await aPaidOrder(stores(), { appId: "app_1", bizNo: "console" });
      const adoption = anAdoption(order, { refundNo: consoleRefundNo("5030000001") });
      await expectOk(stores().refunds.adopt(adoption));
      expect(await search({ number: "5030000001" })).toEqual([adoption.refund]);
      expect(await search({ number: adoption.refund.refundNo })).toEqual([adoption.refund]);
    });

    it("returns a refund once if several of its numbers match", async () => {
      const order = await aPaidOrder(stores(), { appId: "app_1", bizNo: "same" });
      await aRequestedRefund(stores(), order, { refundNo: "same" });
      expect(await search({ number: "same" })).toHaveLength(1);
    });

    it("returns a `next` only if there is a further page", async () => {
      expect(await page({ limit: all.length })).toEqual({ items: all });
      const { next } = await page({ limit: all.length - 1 });
      expect(await page({ before: next })).toEqual({ items: all.slice(-1) });
    });

    it.each([
      {},
      { status: "CONFIRMED" },
      { operator: "han" },
      { number: "r-0" },
      { number: "biz-1", minAmount: 1 },
      { apps: ["app_1", "app_2"] },
      { apps: ["app_2"], status: "FAILED" },
    ] as const)("returns each refund of %j on one page", async (filter) => {
      const whole = await search(filter);
      const found: Refund[] = [];
      let before: RefundPosition | undefined;
      do {
        const { items, next } = await page({ ...filter, before, limit: 1 });
        found.push(...items);
        before = next;
      } while (before !== undefined);
      expect(found).toEqual(whole);
      expect(found.length).toBeGreaterThan(1);
    });
  });
}
