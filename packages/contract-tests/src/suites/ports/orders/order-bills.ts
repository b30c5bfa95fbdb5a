import type { Order, Stores } from "@tillkit/core";
import type { PaidOrdersQuery } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { aClosure, anEntry, anOrder, FIXTURE_TIME, DAY } from "../../../support/fixtures.js";
import { expectOk } from "../../../support/open-before-each.js";
import { aPaidOrder } from "../../../support/stores/paid-order.js";

/** Tests `OrderStore`: the orders that are compared with bills. */
export function orderBills(stores: () => Pick<Stores, "orders">): void {
  const insert = (order = anOrder()) => expectOk(stores().orders.insertOnce(order, anEntry()));
  const paidIds = async (changes: Partial<PaidOrdersQuery> = {}) => {
    const query = {
      payToolId: "01TESTPAYTOOL",
      from: FIXTURE_TIME,
      until: FIXTURE_TIME + DAY,
      limit: 100,
      ...changes,
    };
    return (await expectOk(stores().orders.listPaid(query))).map(({ id }) => id);
  };
  // The payment time of `aPaidOrder` is 7 milliseconds before the time of its event.
  const paidAt = (pmtDt: number, changes: Partial<Order> = {}) => aPaidOrder(stores(), changes, pmtDt + 7);

  describe("findByIds", () => {
    it("returns the existing orders of every app, once each", async () => {
      const [left, right] = [await insert(), await insert(anOrder({ appId: "app_2" }))];
      await insert();
      const ids = [right.id, "01UNKNOWN", left.id, left.id];
      const found = await expectOk(stores().orders.findByIds(ids));
      expect(found.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([left, right]);
    });

    it("returns no orders for an empty list of ids", async () => {
      await insert();
      expect(await expectOk(stores().orders.findByIds([]))).toEqual([]);
    });
  });

  describe("listPaid", () => {
    it("returns the orders paid in the period, including its start and excluding its end", async () => {
      await paidAt(FIXTURE_TIME - 1);
      const first = await paidAt(FIXTURE_TIME);
      const last = await paidAt(FIXTURE_TIME + DAY - 1);
      await paidAt(FIXTURE_TIME + DAY);
      expect(await paidIds()).toEqual([first.id, last.id]);
    });

    it("omits unpaid orders and orders of another pay tool", async () => {
      await insert();
      const closed = await insert();
      await expectOk(stores().orders.transition(closed, aClosure()));
      await paidAt(FIXTURE_TIME, { payToolId: "01OTHERTOOL" });
      const paid = await paidAt(FIXTURE_TIME, { appId: "app_2" });
      expect(await paidIds()).toEqual([paid.id]);
    });

    it("returns pages sorted by payment time, and orders of the same time by id", async () => {
      const orders = [
        await paidAt(FIXTURE_TIME + 2),
        await paidAt(FIXTURE_TIME + 1, { id: "01TESTPAIDATONCE0000000003" }),
        await paidAt(FIXTURE_TIME + 1, { id: "01TESTPAIDATONCE0000000001" }),
        await paidAt(FIXTURE_TIME + 1, { id: "01TESTPAIDATONCE0000000002" }),
        await paidAt(FIXTURE_TIME),
      ];
      const sorted = orders.toSorted(
        (left, right) => (left.pmtDt ?? 0) - (right.pmtDt ?? 0) || (left.id < right.id ? -1 : 1),
      );
      const seen: string[] = [];
      let after: Order | undefined;
      do {
        const page = await expectOk(
          stores().orders.listPaid({
            payToolId: "01TESTPAYTOOL",
            from: FIXTURE_TIME,
            until: FIXTURE_TIME + DAY,
            after,
            limit: 2,
          }),
        );
        expect(page.length).toBeLessThanOrEqual(2);
        seen.push(...page.map(({ id }) => id));
        after = page.at(-1);
      } while (after !== undefined);
      expect(seen).toEqual(sorted.map(({ id }) => id));
    });
  });
}
