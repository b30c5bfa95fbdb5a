import type { Order, Refund, Stores } from "@tillkit/core";
import type { ConfirmedRefundsQuery } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { aConfirmation, anEntry, aRefund, FIXTURE_TIME, DAY } from "../../../support/fixtures.js";
import { expectOk } from "../../../support/open-before-each.js";
import { refundMovedTo } from "../../../support/stores/refund-moved-to.js";
import { aPaidOrder, aRequestedRefund } from "../../../support/stores/paid-order.js";

/** Tests `RefundStore`: the refunds that are compared with bills. */
export function refundBills(stores: () => Pick<Stores, "orders" | "refunds">): void {
  const listed = (changes: Partial<ConfirmedRefundsQuery> = {}) =>
    expectOk(
      stores().refunds.listConfirmed({
        payToolIds: ["01TESTPAYTOOL"],
        from: FIXTURE_TIME,
        until: FIXTURE_TIME + DAY,
        limit: 100,
        ...changes,
      }),
    );
  const numbers = async (changes: Partial<ConfirmedRefundsQuery> = {}) =>
    (await listed(changes)).map(({ refund: { refundNo } }) => refundNo);
  const confirmedAt = async (at: number, changes: Partial<Order> = {}, refund: Partial<Refund> = {}) => {
    const order = await aPaidOrder(stores(), changes);
    const requested = await aRequestedRefund(stores(), order, refund);
    const confirmation = aConfirmation({ at });
    const confirmed = await expectOk(stores().refunds.confirm(order, requested.refundNo, confirmation));
    if (confirmed === undefined) throw new Error("There is no refund to confirm.");
    return confirmed;
  };

  describe("listConfirmed", () => {
    it("returns the refunds confirmed in the period with their orders, including its start and excluding its end", async () => {
      await confirmedAt(FIXTURE_TIME - 1);
      const first = await confirmedAt(FIXTURE_TIME);
      const last = await confirmedAt(FIXTURE_TIME + DAY - 1);
      await confirmedAt(FIXTURE_TIME + DAY);
      expect(await listed()).toEqual([
        { refund: first.refund, order: first.order },
        { refund: last.refund, order: last.order },
      ]);
    });

    it("omits unconfirmed refunds and refunds of other pay tools", async () => {
      const order = await aPaidOrder(stores());
      const failed = await aRequestedRefund(stores(), order);
      await expectOk(stores().refunds.reject(order, failed.refundNo, FIXTURE_TIME, anEntry()));
      await aRequestedRefund(stores(), order);
      const settled = await aPaidOrder(stores());
      await refundMovedTo(stores(), settled, await aRequestedRefund(stores(), settled), "SETTLED");
      await confirmedAt(FIXTURE_TIME, { payToolId: "01OTHERTOOL" });
      expect(await numbers()).toEqual([]);
      const second = await confirmedAt(FIXTURE_TIME, { payToolId: "01SECONDTOOL" });
      const first = await confirmedAt(FIXTURE_TIME + 1, { appId: "app_2" }, { appId: "app_2" });
      const both = ["01TESTPAYTOOL", "01SECONDTOOL"];
      expect(await numbers({ payToolIds: both })).toEqual([second.refund.refundNo, first.refund.refundNo]);
      expect(await numbers({ payToolIds: [] })).toEqual([]);
    });

    it("returns pages sorted by time of confirmation, and refunds of the same time by order and number", async () => {
      await confirmedAt(FIXTURE_TIME, { bizNo: "b-9" }, { refundNo: "r-1" });
      const orders = ["b-3", "b-1", "b-2"];
      for (const bizNo of orders) await confirmedAt(FIXTURE_TIME + 1, { bizNo }, { refundNo: "r-1" });
      const again = aRefund({ bizNo: "b-2", refundNo: "r-0" });
      await expectOk(stores().refunds.request(again, anEntry()));
      const confirmation = aConfirmation({ at: FIXTURE_TIME + 1 });
      await expectOk(stores().refunds.confirm(again, again.refundNo, confirmation));
      const seen: string[] = [];
      let after: Refund | undefined;
      do {
        const page = await listed({ after, limit: 2 });
        expect(page.length).toBeLessThanOrEqual(2);
        seen.push(...page.map(({ refund: { bizNo, refundNo } }) => `${bizNo} ${refundNo}`));
        after = page.at(-1)?.refund;
      } while (after !== undefined);
      expect(seen).toEqual(["b-9 r-1", "b-1 r-1", "b-2 r-0", "b-2 r-1", "b-3 r-1"]);
    });
  });
}
