import type { Order, Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { anAlarm, aRefund, CONCURRENT_CALLERS } from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";
import { aPaidOrder, requestEntry } from "../../../support/stores/paid-order.js";
import { refundMovedTo } from "../../../support/stores/refund-moved-to.js";

/** Tests `RefundStore`: requests that depend on the end of the order's timeline. */
export function refundSeen(stores: () => Pick<Stores, "orders" | "refunds">): void {
  const request = (order: Order, refundNo: string, seen: number, amount = 100) =>
    stores().refunds.request(aRefund({ bizNo: order.bizNo, refundNo, amount }), requestEntry(), seen);
  const endOf = async (order: Order) => (await expectOk(stores().orders.timeline(order))).at(-1)?.seq ?? 0;
  const numbers = async (order: Order) =>
    (await expectOk(stores().refunds.list(order))).map(({ refundNo }) => refundNo);

  describe("request after the last event that the caller has seen", () => {
    it("stores the refund if the timeline still ends there", async () => {
      const order = await aPaidOrder(stores());
      const seen = await endOf(order);
      expect(await expectOk(request(order, "r-1", seen))).toMatchObject({ kind: "requested" });
      expect(await endOf(order)).toBe(seen + 1);
    });

    it("stores nothing if the timeline has grown, regardless of the other refunds", async () => {
      const order = await aPaidOrder(stores());
      const seen = await endOf(order);
      const first = await expectOk(request(order, "r-1", seen));
      if (first.kind !== "requested") throw new Error("The first refund was not stored.");
      expect(await expectOk(request(order, "r-2", seen))).toMatchObject({ kind: "changed" });
      await refundMovedTo(stores(), order, first.refund, "CONFIRMED");
      const after = await expectOk(stores().orders.find(order));
      const end = await endOf(order);
      expect(await expectOk(request(order, "r-2", seen))).toEqual({ kind: "changed", order: after });
      expect(await expectOk(request(order, "r-2", seen, 10_000))).toEqual({ kind: "changed", order: after });
      expect([await numbers(order), await endOf(order)]).toEqual([["r-1"], end]);
      expect(await expectOk(request(order, "r-2", end))).toMatchObject({ kind: "requested" });
    });

    it("stores nothing after an event that is not about a refund", async () => {
      const order = await aPaidOrder(stores());
      const seen = await endOf(order);
      await expectOk(stores().orders.record(order, anAlarm()));
      expect(await expectOk(request(order, "r-1", seen))).toMatchObject({ kind: "changed" });
      expect(await numbers(order)).toEqual([]);
    });

    it("returns the existing refund with the number, whatever the caller has seen", async () => {
      const order = await aPaidOrder(stores());
      const seen = await endOf(order);
      await expectOk(request(order, "r-1", seen));
      expect(await expectOk(request(order, "r-1", seen))).toMatchObject({ kind: "held" });
    });

    it(`stores one of ${CONCURRENT_CALLERS} concurrent refunds of callers that have seen the same`, async () => {
      const order = await aPaidOrder(stores());
      const seen = await endOf(order);
      const made = await race(CONCURRENT_CALLERS, (caller) => request(order, `r-${caller}`, seen));
      const kinds = made.map(({ kind }) => kind).toSorted();
      expect(kinds).toEqual([...Array.from(made.slice(1), () => "changed"), "requested"]);
      expect(await numbers(order)).toHaveLength(1);
    });
  });
}
