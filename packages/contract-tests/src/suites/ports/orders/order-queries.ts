import type { Order, Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import {
  aClosure,
  DAY,
  anEntry,
  anOrder,
  aPayment,
  AT,
  MINUTE,
  CONCURRENT_CALLERS,
  unique,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/opening.js";

/** Tests `OrderStore`: when a worker may query the wallet about an order. */
export function orderQueries(stores: () => Pick<Stores, "orders">): void {
  const insert = (changes: Partial<Order> = {}) =>
    expectOk(stores().orders.insertOnce(anOrder(changes), anEntry()));
  const claimDue = (now: number, limit = 100, lease = MINUTE) =>
    expectOk(stores().orders.claimDue(now, limit, lease));
  const dueIds = async (now: number, limit = 100) => (await claimDue(now, limit)).map(({ id }) => id);

  describe("claimQuery", () => {
    const claimQuery = (order: Order, now: number, interval = 10_000) =>
      expectOk(stores().orders.claimQuery(order, now, interval));

    it("is granted to the first read, and to none within the interval", async () => {
      const order = await insert();
      expect(await claimQuery(order, AT)).toBe(true);
      expect((await expectOk(stores().orders.find(order)))?.queriedAt).toBe(AT);
      expect(await claimQuery(order, AT)).toBe(false);
      expect(await claimQuery(order, AT + 9_999)).toBe(false);
    });

    it("is granted again after the interval, measured from the last that was granted", async () => {
      const order = await insert();
      await claimQuery(order, AT);
      await claimQuery(order, AT + 9_000);
      expect(await claimQuery(order, AT + 10_001)).toBe(true);
      expect(await claimQuery(order, AT + 10_002)).toBe(false);
    });

    it("counts for each order on its own", async () => {
      const [left, right] = [await insert(), await insert()];
      await claimQuery(left, AT);
      expect(await claimQuery(right, AT)).toBe(true);
    });

    it("is refused where there is no order, and for another app's", async () => {
      const order = await insert();
      expect(await claimQuery({ ...order, appId: "app_2" }, AT)).toBe(false);
      expect(await claimQuery({ ...order, bizNo: unique("biz-") }, AT)).toBe(false);
      expect(await claimQuery(order, AT)).toBe(true);
    });

    it(`is granted to one of ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const order = await insert();
      const answers = await race(CONCURRENT_CALLERS, () => stores().orders.claimQuery(order, AT, 10_000));
      expect(answers.filter(Boolean)).toHaveLength(1);
    });
  });

  describe("claimDue", () => {
    it("hands out orders whose time has come and puts them off by the lease", async () => {
      const due = await insert({ nextQueryAt: AT });
      await insert({ nextQueryAt: AT + 2 });
      await insert();
      const handed = await claimDue(AT + 1);
      expect(handed).toMatchObject([{ id: due.id, bizNo: due.bizNo, amount: due.amount }]);
      expect((await expectOk(stores().orders.find(due)))?.nextQueryAt).toBe(AT + 1 + MINUTE);
      expect(await dueIds(AT + 1)).toEqual([]);
    });

    it("hands out an order again after the lease", async () => {
      const order = await insert({ nextQueryAt: AT });
      await claimDue(AT);
      expect(await dueIds(AT + MINUTE - 1)).toEqual([]);
      expect(await dueIds(AT + MINUTE)).toEqual([order.id]);
    });

    it("hands out those longest due first, up to the limit, whatever their app", async () => {
      const third = await insert({ nextQueryAt: AT + 3 });
      const first = await insert({ nextQueryAt: AT + 1, appId: "app_2" });
      const second = await insert({ nextQueryAt: AT + 2 });
      expect(await dueIds(AT + 9, 2)).toEqual([first.id, second.id]);
      expect(await dueIds(AT + 9, 2)).toEqual([third.id]);
    });

    it("hands out no order that is paid", async () => {
      const order = await insert({ nextQueryAt: AT });
      await expectOk(stores().orders.transition(order, aPayment()));
      expect(await dueIds(AT + MINUTE)).toEqual([]);
    });

    it(`hands out each order once to ${CONCURRENT_CALLERS} concurrent workers`, async () => {
      const orders = await race(2 * CONCURRENT_CALLERS, (caller) =>
        stores().orders.insertOnce(anOrder({ nextQueryAt: AT + (caller % 7) }), anEntry()),
      );
      const handed: string[] = [];
      // A worker may stop early if other workers hold the due orders. At the end, none may be left.
      for (let round = 0; round < CONCURRENT_CALLERS; round += 1) {
        const batches = await race(CONCURRENT_CALLERS, () => stores().orders.claimDue(AT + 10, 3, MINUTE));
        for (const batch of batches) expect(batch.length).toBeLessThanOrEqual(3);
        const found = batches.flat().map(({ id }) => id);
        if (found.length === 0) break;
        handed.push(...found);
      }
      expect(handed.toSorted()).toEqual(orders.map(({ id }) => id).toSorted());
    });
  });

  describe("dueSince", () => {
    const dueSince = (now: number, atMost = 100) => expectOk(stores().orders.dueSince(now, atMost));

    it("is nothing where nothing is due", async () => {
      await insert();
      await insert({ nextQueryAt: AT + 1 });
      expect(await dueSince(AT)).toStrictEqual({ due: 0 });
    });

    it("counts what is due and returns since when the oldest is, whatever its app", async () => {
      await insert({ nextQueryAt: AT + 2 });
      await insert({ nextQueryAt: AT + 1, appId: "app_2" });
      await insert({ nextQueryAt: AT + 3 });
      expect(await dueSince(AT + 2)).toStrictEqual({ due: 2, oldestDueAt: AT + 1 });
    });

    it("counts no more than the bound, and the oldest among them", async () => {
      for (const age of [3, 1, 2]) await insert({ nextQueryAt: AT + age });
      expect(await dueSince(AT + 9, 2)).toStrictEqual({ due: 2, oldestDueAt: AT + 1 });
      expect(await dueSince(AT + 9, 0)).toStrictEqual({ due: 0 });
    });

    it("does not count what is claimed until the lease is over, nor what is paid", async () => {
      await insert({ nextQueryAt: AT });
      const paid = await insert({ nextQueryAt: AT });
      await expectOk(stores().orders.transition(paid, aPayment()));
      await claimDue(AT);
      expect(await dueSince(AT + MINUTE - 1)).toStrictEqual({ due: 0 });
      expect(await dueSince(AT + MINUTE)).toStrictEqual({ due: 1, oldestDueAt: AT + MINUTE });
    });

    it(`claims nothing among ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const order = await insert({ nextQueryAt: AT });
      const counted = await race(CONCURRENT_CALLERS, () => stores().orders.dueSince(AT, 100));
      for (const work of counted) expect(work).toStrictEqual({ due: 1, oldestDueAt: AT });
      expect(await dueIds(AT)).toEqual([order.id]);
    });
  });

  describe("schedule", () => {
    it("sets when a CLOSE order is queried next, after the time that its closing set", async () => {
      const order = await insert({ nextQueryAt: AT });
      await expectOk(stores().orders.transition(order, aClosure({ nextQueryAt: AT + 5 })));
      expect(await dueIds(AT + 4)).toEqual([]);
      expect(await dueIds(AT + 5)).toEqual([order.id]);
      await expectOk(stores().orders.schedule(order, AT + 9));
      expect(await dueIds(AT + 8)).toEqual([]);
      expect(await dueIds(AT + 9)).toEqual([order.id]);
      await expectOk(stores().orders.schedule(order, undefined));
      expect(await dueIds(AT + DAY)).toEqual([]);
    });

    it("sets when a PENDING order is queried next", async () => {
      const order = await insert({ nextQueryAt: AT });
      await expectOk(stores().orders.schedule(order, AT + 5));
      expect(await dueIds(AT + 4)).toEqual([]);
      expect(await dueIds(AT + 5)).toEqual([order.id]);
    });

    it("starts the queries of an order that had none, and ends them", async () => {
      const order = await insert();
      await expectOk(stores().orders.schedule(order, AT));
      expect((await expectOk(stores().orders.find(order)))?.nextQueryAt).toBe(AT);
      await expectOk(stores().orders.schedule(order, undefined));
      expect(await expectOk(stores().orders.find(order))).toStrictEqual(order);
      expect(await dueIds(AT + MINUTE)).toEqual([]);
    });

    it("leaves a PAID order", async () => {
      const order = await insert({ nextQueryAt: AT });
      await expectOk(stores().orders.transition(order, aPayment()));
      await expectOk(stores().orders.schedule(order, AT));
      expect(await expectOk(stores().orders.find(order))).not.toHaveProperty("nextQueryAt");
      expect(await dueIds(AT + MINUTE)).toEqual([]);
    });

    it(`gives an order no time again that is paid among ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const order = await insert({ nextQueryAt: AT });
      await race(CONCURRENT_CALLERS, async (caller) => {
        if (caller !== CONCURRENT_CALLERS / 2) return stores().orders.schedule(order, AT + caller);
        return (await stores().orders.transition(order, aPayment())).map(() => undefined);
      });
      expect(await expectOk(stores().orders.find(order))).toMatchObject({ paymentStatus: "PAID" });
      expect(await expectOk(stores().orders.find(order))).not.toHaveProperty("nextQueryAt");
      expect(await dueIds(AT + MINUTE)).toEqual([]);
    });

    it("does nothing where there is no order, nor to another app's", async () => {
      const order = await insert();
      await expectOk(stores().orders.schedule({ ...order, appId: "app_2" }, AT));
      await expectOk(stores().orders.schedule({ ...order, bizNo: unique("biz-") }, AT));
      expect(await expectOk(stores().orders.find(order))).toEqual(order);
    });
  });
}
