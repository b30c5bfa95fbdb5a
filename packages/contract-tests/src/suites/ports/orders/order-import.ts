import type { ImportResult, Order, Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { anEntry, anOrder, CONCURRENT_CALLERS } from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";

const IMPORTED = anEntry({ type: "IMPORTED", actor: "operator:kim" });

/** Tests `OrderStore.importOnce`: each key and each id is stored once. */
export function orderImport(stores: () => Pick<Stores, "orders">): void {
  const take = (order: Order) => expectOk(stores().orders.importOnce(order, IMPORTED));
  const events = async (order: Order) => expectOk(stores().orders.timeline(order));
  const counted = (results: readonly ImportResult[], outcome: ImportResult["outcome"]) =>
    results.filter((result) => result.outcome === outcome).length;

  describe("importOnce", () => {
    it("stores an order with its first event, once", async () => {
      const order = anOrder({ payToolId: "" });
      expect(await take(order)).toEqual({ outcome: "stored", order });
      expect(await take({ ...order, amount: 1 })).toEqual({ outcome: "exists", order });
      expect(await expectOk(stores().orders.find(order))).toEqual(order);
      expect(await expectOk(stores().orders.findByIds([order.id]))).toEqual([order]);
      const { appId, customerIdentity } = order;
      const page = { appId, customerIdentity, offset: 0, limit: 10 };
      expect(await expectOk(stores().orders.list(page))).toEqual({ items: [order], totalCount: 1 });
      expect(await events(order)).toMatchObject([{ seq: 1, previousHash: order.id, type: "IMPORTED" }]);
    });

    it("stores nothing if another order has the id, imported or created", async () => {
      const [imported, created] = [anOrder(), anOrder()];
      await take(imported);
      await expectOk(stores().orders.insertOnce(created, anEntry()));
      for (const { id } of [imported, created]) {
        for (const order of [anOrder({ id }), anOrder({ id, appId: "app_2" })]) {
          expect(await take(order)).toEqual({ outcome: "id-taken" });
          expect(await expectOk(stores().orders.find(order))).toBeUndefined();
          expect(await events(order)).toEqual([]);
        }
      }
    });

    it("returns an order that was created with the same key, also with another id", async () => {
      const created = anOrder();
      await expectOk(stores().orders.insertOnce(created, anEntry()));
      expect(await take(created)).toEqual({ outcome: "exists", order: created });
      const { bizNo, appId } = created;
      const other = anOrder({ bizNo, appId });
      expect(await take(other)).toEqual({ outcome: "exists", order: created });
      // The id of the order that was not stored is free.
      expect(await take(anOrder({ id: other.id }))).toMatchObject({ outcome: "stored" });
      expect(await take(anOrder({ id: created.id }))).toEqual({ outcome: "id-taken" });
    });

    it("takes an id before a key, if another order has the id", async () => {
      const [left, right] = [anOrder(), anOrder()];
      await take(left);
      await take(right);
      expect(await take({ ...left, id: right.id })).toEqual({ outcome: "id-taken" });
      expect(await take(left)).toEqual({ outcome: "exists", order: left });
    });

    it(`stores one order if ${CONCURRENT_CALLERS} calls import one id at the same time`, async () => {
      const orders = Array.from({ length: CONCURRENT_CALLERS }, (_, caller) =>
        anOrder({ id: "wallet-number", appId: `app_${caller % 3}` }),
      );
      const results = await race(CONCURRENT_CALLERS, (caller) =>
        stores().orders.importOnce(orders[caller] ?? expect.fail("There is no order."), IMPORTED),
      );
      expect(counted(results, "stored")).toBe(1);
      expect(counted(results, "id-taken")).toBe(CONCURRENT_CALLERS - 1);
      expect(await expectOk(stores().orders.findByIds(["wallet-number"]))).toHaveLength(1);
      expect(await expectOk(stores().orders.listAll({ limit: 100 }))).toHaveLength(1);
    });

    it(`stores one order if ${CONCURRENT_CALLERS} calls import one key at the same time`, async () => {
      const key = { appId: "app_1", bizNo: "biz-raced" };
      const orders = Array.from({ length: CONCURRENT_CALLERS }, () => anOrder(key));
      const results = await race(CONCURRENT_CALLERS, (caller) =>
        stores().orders.importOnce(orders[caller] ?? expect.fail("There is no order."), IMPORTED),
      );
      expect(counted(results, "stored")).toBe(1);
      expect(counted(results, "exists")).toBe(CONCURRENT_CALLERS - 1);
      const stored = await expectOk(stores().orders.find(key));
      expect(results.filter((result) => "order" in result && result.order.id === stored?.id)).toHaveLength(
        CONCURRENT_CALLERS,
      );
      // The ids of the orders that were not stored are free.
      for (const { id } of orders)
        expect((await take(anOrder({ id }))).outcome).toBe(id === stored?.id ? "id-taken" : "stored");
    });

    it("stores each id once if two batches with the same ids run at the same time", async () => {
      const ids = Array.from({ length: 40 }, (_, nth) => `w-${nth}`);
      const batch = (appId: string, list: readonly string[]) =>
        Promise.all(list.map((id) => take(anOrder({ id, appId }))));
      const [left, right] = await Promise.all([batch("app_1", ids), batch("app_2", ids.toReversed())]);
      const results = [...left, ...right];
      expect(counted(results, "stored")).toBe(ids.length);
      expect(counted(results, "id-taken")).toBe(ids.length);
      const stored = await expectOk(stores().orders.findByIds(ids));
      expect(stored.map(({ id }) => id).sort()).toEqual([...ids].sort());
    });
  });
}
