import type { Order, Stores } from "@tillkit/core";
import type { OrderListQuery } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { aClosure, anEntry, anOrder, aPayment, FIXTURE_TIME } from "../../../support/fixtures.js";
import { expectOk } from "../../../support/open-before-each.js";

/** Tests `OrderStore`: the order history of a customer. */
export function orderList(stores: () => Pick<Stores, "orders">): void {
  const insert = (order: Order) => expectOk(stores().orders.insertOnce(order, anEntry()));
  const list = (query: Partial<OrderListQuery> = {}) =>
    expectOk(
      stores().orders.list({
        appId: "app_1",
        customerIdentity: "customer-1",
        offset: 0,
        limit: 100,
        ...query,
      }),
    );

  describe("list", () => {
    it("is empty for a customer without orders", async () => {
      expect(await list()).toEqual({ items: [], totalCount: 0 });
    });

    it("returns complete orders, newest first by gmtCreate, then by id", async () => {
      const orders: Order[] = [];
      for (const age of [5, 0, 9, 5, 5])
        orders.push(await insert(anOrder({ gmtCreate: FIXTURE_TIME + age })));
      const expected = [orders[2], orders[4], orders[3], orders[0], orders[1]];
      expect(await list()).toEqual({ items: expected, totalCount: 5 });
    });

    it("returns each order on one page, and counts all matching orders", async () => {
      for (let made = 0; made < 7; made += 1) await insert(anOrder({ gmtCreate: FIXTURE_TIME + (made % 3) }));
      const whole = await list();
      const pages = await Promise.all([0, 3, 6, 9].map((offset) => list({ offset, limit: 3 })));
      expect(pages.map(({ items }) => items.length)).toEqual([3, 3, 1, 0]);
      expect(pages.flatMap(({ items }) => items)).toEqual(whole.items);
      for (const page of pages) expect(page.totalCount).toBe(7);
    });

    it("filters by the current status, and counts only matching orders", async () => {
      const [paid, closed, open] = [
        await insert(anOrder()),
        await insert(anOrder()),
        await insert(anOrder()),
      ];
      await expectOk(stores().orders.transition(paid, aPayment()));
      await expectOk(stores().orders.transition(closed, aClosure()));
      for (const [paymentStatus, order] of [
        ["PAID", paid],
        ["CLOSE", closed],
        ["PENDING", open],
      ] as const) {
        const page = await list({ paymentStatus });
        expect(page.items.map(({ id }) => id)).toEqual([order.id]);
        expect(page.totalCount).toBe(1);
      }
      expect((await list({ paymentStatus: "PAID", offset: 1 })).totalCount).toBe(1);
    });

    it("returns no orders for a status that no order has", async () => {
      const paid = await insert(anOrder());
      await expectOk(stores().orders.transition(paid, aPayment()));
      expect(await list({ paymentStatus: "REFUND" })).toEqual({ items: [], totalCount: 0 });
    });

    it("never returns orders of another app or customer", async () => {
      const mine = await insert(anOrder());
      await insert(anOrder({ appId: "app_2" }));
      await insert(anOrder({ customerIdentity: "customer-2" }));
      await insert(anOrder({ customerIdentity: "Customer-1" }));
      await insert(anOrder({ customerIdentity: "" }));
      expect(await list()).toEqual({ items: [mine], totalCount: 1 });
    });

    it("lists orders without an identity under the empty identity", async () => {
      const order = await insert(anOrder({ customerIdentity: "" }));
      await insert(anOrder());
      expect(await list({ customerIdentity: "" })).toEqual({ items: [order], totalCount: 1 });
    });
  });
}
