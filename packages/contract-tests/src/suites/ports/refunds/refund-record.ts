import type { Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { aRefund } from "../../../support/fixtures.js";
import { expectOk } from "../../../support/open-before-each.js";
import { aPaidOrder, requestEntry } from "../../../support/stores/paid-order.js";
import { refundMovedTo } from "../../../support/stores/refund-moved-to.js";

/** Tests `RefundStore.readRecord`. */
export function refundRecord(stores: () => Pick<Stores, "orders" | "refunds">): void {
  const read = (key: Parameters<Stores["orders"]["find"]>[0]) => expectOk(stores().refunds.readRecord(key));

  describe("readRecord", () => {
    it("returns what find, list and timeline return", async () => {
      const order = await aPaidOrder(stores());
      const key = { appId: order.appId, bizNo: order.bizNo };
      for (const [nth, refundNo] of ["r-2", "r-1"].entries()) {
        const wanted = aRefund({
          bizNo: order.bizNo,
          refundNo,
          amount: 100,
          gmtCreate: order.gmtCreate + nth,
        });
        const requested = await expectOk(stores().refunds.request(wanted, requestEntry()));
        if (requested.kind !== "requested") throw new Error("The refund was not stored.");
        await refundMovedTo(stores(), order, requested.refund, "CONFIRMED");
      }
      const record = await read(key);
      expect(record?.refunds.map(({ refundNo }) => refundNo)).toEqual(["r-2", "r-1"]);
      expect(record).toEqual({
        order: await expectOk(stores().orders.find(key)),
        refunds: await expectOk(stores().refunds.list(key)),
        timeline: await expectOk(stores().orders.timeline(key)),
      });
    });

    it("returns an order without refunds, and undefined for an unknown order", async () => {
      const order = await aPaidOrder(stores());
      expect(await read(order)).toMatchObject({ order: { id: order.id }, refunds: [] });
      expect(await read({ ...order, bizNo: "unknown" })).toBeUndefined();
      expect(await read({ ...order, appId: "unknown" })).toBeUndefined();
    });

    it("returns a consistent state while a refund is requested", async () => {
      const order = await aPaidOrder(stores());
      const before = (await read(order))?.timeline.length ?? 0;
      const reads = Array.from({ length: 8 }, () => read(order));
      const requesting = expectOk(
        stores().refunds.request(aRefund({ bizNo: order.bizNo, amount: 100 }), requestEntry()),
      );
      const more = Array.from({ length: 8 }, () => read(order));
      await requesting;
      for (const record of await Promise.all([...reads, ...more]))
        expect(record?.timeline).toHaveLength(before + (record?.refunds.length ?? 0));
    });
  });
}
