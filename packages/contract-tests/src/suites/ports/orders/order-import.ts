import { findTimelineBreak, type Order, type Stores } from "@tillkit/core";
import type { ImportResult } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import {
  anAlarm,
  anEntry,
  anOrder,
  CONCURRENT_CALLERS,
  FIXTURE_TIME,
  sha256,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";

const IMPORTED = anEntry({ type: "IMPORTED", actor: "operator:kim" });

/** Tests `OrderStore.importOnce`: each key and each id is stored once. */
export function orderImport(stores: () => Pick<Stores, "orders" | "services">): void {
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
      // The id of the order that was not stored is still free.
      expect(await take(anOrder({ id: other.id }))).toMatchObject({ outcome: "stored" });
      expect(await take(anOrder({ id: created.id }))).toEqual({ outcome: "id-taken" });
    });

    it("reports the id before the key if another order has the id", async () => {
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

  describe("replaceImported", () => {
    const correctionOf = (order: Order, changes: Partial<Order> = {}): Order => ({
      ...order,
      customerIdentity: "customer-2",
      customerName: "Li",
      amount: 700,
      goodsTitle: "Another title",
      payChannel: "WALLET_B",
      paySource: "H5",
      paymentStatus: "PAID",
      attachData: "{}",
      sourceFrom: "huawei",
      payToolId: "another-tool",
      expiresAt: order.expiresAt + 1,
      pmtDt: FIXTURE_TIME + 1,
      walletTradeNo: "420000",
      refundedAmount: 100,
      gmtCreate: FIXTURE_TIME - 1,
      gmtModified: FIXTURE_TIME + 2,
      ...changes,
    });
    const replace = (previous: Order, order: Order, to: Order["paymentStatus"] = "PAID") =>
      expectOk(stores().orders.replaceImported(previous, order, { ...IMPORTED, to }));
    const historyOf = async (order: Order, customerIdentity: string) => {
      const page = { appId: order.appId, customerIdentity, offset: 0, limit: 10 };
      return (await expectOk(stores().orders.list(page))).items;
    };

    it("replaces every value, keeps key and id, and appends the event", async () => {
      const order = anOrder({ payToolId: "", notifyUrl: "", returnUrl: "" });
      await take(order);
      const corrected = correctionOf(order);
      expect(await replace(order, corrected)).toBe("replaced");
      expect(await expectOk(stores().orders.find(order))).toEqual(corrected);
      expect(await historyOf(order, order.customerIdentity)).toEqual([]);
      expect(await historyOf(order, "customer-2")).toEqual([corrected]);
      const timeline = await events(order);
      expect(timeline).toMatchObject([{ type: "IMPORTED" }, { type: "IMPORTED", seq: 2, to: "PAID" }]);
      expect(findTimelineBreak(sha256, order.id, timeline)).toBeUndefined();
      // A member that the new order lacks is gone, and the order may be corrected again.
      expect(await replace(corrected, { ...order, nextQueryAt: FIXTURE_TIME }, "PENDING")).toBe("replaced");
      expect(await expectOk(stores().orders.find(order))).toEqual({ ...order, nextQueryAt: FIXTURE_TIME });
      expect(await expectOk(stores().orders.claimDue(FIXTURE_TIME, 10, 1))).toHaveLength(1);
      expect(await historyOf(order, "customer-2")).toEqual([]);
    });

    it("replaces nothing that changed since it was read", async () => {
      const order = anOrder({ payToolId: "" });
      await take(order);
      for (const previous of [
        { ...order, amount: 1 },
        { ...order, payToolId: "other" },
      ])
        expect(await replace(previous, correctionOf(order))).toBe("changed");
      expect(await replace(anOrder(), anOrder())).toBe("changed");
      expect(await expectOk(stores().orders.find(order))).toEqual(order);
      expect(await events(order)).toHaveLength(1);
    });

    it("replaces nothing if another event happened, or if the order was created", async () => {
      const [connected, alarmed, created] = [anOrder({ payToolId: "" }), anOrder(), anOrder()];
      await take(connected);
      await expectOk(stores().orders.connect(connected, "tool", anEntry({ type: "CONNECTED" })));
      await take(alarmed);
      await expectOk(stores().orders.record(alarmed, anAlarm()));
      await expectOk(stores().orders.insertOnce(created, anEntry()));
      for (const { appId, bizNo } of [connected, alarmed, created]) {
        const order = await expectOk(stores().orders.find({ appId, bizNo }));
        if (order === undefined) throw new Error("The order is not stored.");
        const before = await events(order);
        expect(await replace(order, correctionOf(order))).toBe("touched");
        expect(await expectOk(stores().orders.find(order))).toEqual(order);
        expect(await events(order)).toEqual(before);
      }
    });

    it(`lets one of ${CONCURRENT_CALLERS} concurrent corrections of one order win`, async () => {
      const order = anOrder({ payToolId: "" });
      await take(order);
      const results = await race(CONCURRENT_CALLERS, (caller) =>
        stores().orders.replaceImported(order, correctionOf(order, { amount: 1_000 + caller }), {
          ...IMPORTED,
          to: "PAID",
        }),
      );
      const winner = results.indexOf("replaced");
      expect(results.filter((result) => result === "changed")).toHaveLength(CONCURRENT_CALLERS - 1);
      expect(await expectOk(stores().orders.find(order))).toMatchObject({ amount: 1_000 + winner });
      expect(await events(order)).toHaveLength(2);
    });

    it("takes effect before or after a concurrent event, never in between", async () => {
      for (let round = 0; round < 4; round += 1) {
        const order = anOrder({ payToolId: "" });
        await take(order);
        const [result] = await Promise.all([
          replace(order, correctionOf(order)),
          expectOk(stores().orders.record(order, anAlarm())),
        ]);
        const types = (await events(order)).map(({ type }) => type);
        expect(types).toEqual(
          result === "replaced" ? ["IMPORTED", "IMPORTED", "MISMATCH"] : ["IMPORTED", "MISMATCH"],
        );
        const stored = await expectOk(stores().orders.find(order));
        expect(stored?.amount).toBe(result === "replaced" ? 700 : 600);
      }
    });
  });
}
