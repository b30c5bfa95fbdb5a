import type { Order, Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import {
  aClosure,
  DAY,
  anEntry,
  anOrder,
  aPayment,
  FIXTURE_TIME,
  MINUTE,
  CONCURRENT_CALLERS,
  unique,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";

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

    it("is granted to the first read, and to no other read within the interval", async () => {
      const order = await insert();
      expect(await claimQuery(order, FIXTURE_TIME)).toBe(true);
      expect((await expectOk(stores().orders.find(order)))?.queriedAt).toBe(FIXTURE_TIME);
      expect(await claimQuery(order, FIXTURE_TIME)).toBe(false);
      expect(await claimQuery(order, FIXTURE_TIME + 9_999)).toBe(false);
    });

    it("is granted again after the interval, counted from the last granted claim", async () => {
      const order = await insert();
      await claimQuery(order, FIXTURE_TIME);
      await claimQuery(order, FIXTURE_TIME + 9_000);
      expect(await claimQuery(order, FIXTURE_TIME + 10_001)).toBe(true);
      expect(await claimQuery(order, FIXTURE_TIME + 10_002)).toBe(false);
    });

    it("applies to each order separately", async () => {
      const [left, right] = [await insert(), await insert()];
      await claimQuery(left, FIXTURE_TIME);
      expect(await claimQuery(right, FIXTURE_TIME)).toBe(true);
    });

    it("is not granted for an unknown order and for another app's order", async () => {
      const order = await insert();
      expect(await claimQuery({ ...order, appId: "app_2" }, FIXTURE_TIME)).toBe(false);
      expect(await claimQuery({ ...order, bizNo: unique("biz-") }, FIXTURE_TIME)).toBe(false);
      expect(await claimQuery(order, FIXTURE_TIME)).toBe(true);
    });

    it(`is granted to one of ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const order = await insert();
      const answers = await race(CONCURRENT_CALLERS, () =>
        stores().orders.claimQuery(order, FIXTURE_TIME, 10_000),
      );
      expect(answers.filter(Boolean)).toHaveLength(1);
    });
  });

  describe("claimDue", () => {
    it("claims due orders and postpones them by the lease", async () => {
      const due = await insert({ nextQueryAt: FIXTURE_TIME });
      await insert({ nextQueryAt: FIXTURE_TIME + 2 });
      await insert();
      const handed = await claimDue(FIXTURE_TIME + 1);
      expect(handed).toMatchObject([{ id: due.id, bizNo: due.bizNo, amount: due.amount }]);
      expect((await expectOk(stores().orders.find(due)))?.nextQueryAt).toBe(FIXTURE_TIME + 1 + MINUTE);
      expect(await dueIds(FIXTURE_TIME + 1)).toEqual([]);
    });

    it("claims an order again after the lease", async () => {
      const order = await insert({ nextQueryAt: FIXTURE_TIME });
      await claimDue(FIXTURE_TIME);
      expect(await dueIds(FIXTURE_TIME + MINUTE - 1)).toEqual([]);
      expect(await dueIds(FIXTURE_TIME + MINUTE)).toEqual([order.id]);
    });

    it("claims the earliest due orders first, up to the limit, of every app", async () => {
      const third = await insert({ nextQueryAt: FIXTURE_TIME + 3 });
      const first = await insert({ nextQueryAt: FIXTURE_TIME + 1, appId: "app_2" });
      const second = await insert({ nextQueryAt: FIXTURE_TIME + 2 });
      expect(await dueIds(FIXTURE_TIME + 9, 2)).toEqual([first.id, second.id]);
      expect(await dueIds(FIXTURE_TIME + 9, 2)).toEqual([third.id]);
    });

    it("does not claim a paid order", async () => {
      const order = await insert({ nextQueryAt: FIXTURE_TIME });
      await expectOk(stores().orders.transition(order, aPayment()));
      expect(await dueIds(FIXTURE_TIME + MINUTE)).toEqual([]);
    });

    it(`assigns each order to one of ${CONCURRENT_CALLERS} concurrent workers`, async () => {
      const orders = await race(2 * CONCURRENT_CALLERS, (caller) =>
        stores().orders.insertOnce(anOrder({ nextQueryAt: FIXTURE_TIME + (caller % 7) }), anEntry()),
      );
      const handed: string[] = [];
      // A worker may stop early if other workers hold the due orders. At the end, none may be left.
      for (let round = 0; round < CONCURRENT_CALLERS; round += 1) {
        const batches = await race(CONCURRENT_CALLERS, () =>
          stores().orders.claimDue(FIXTURE_TIME + 10, 3, MINUTE),
        );
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

    it("returns zero if nothing is due", async () => {
      await insert();
      await insert({ nextQueryAt: FIXTURE_TIME + 1 });
      expect(await dueSince(FIXTURE_TIME)).toStrictEqual({ due: 0 });
    });

    it("counts the due orders of every app and returns since when the oldest is due", async () => {
      await insert({ nextQueryAt: FIXTURE_TIME + 2 });
      await insert({ nextQueryAt: FIXTURE_TIME + 1, appId: "app_2" });
      await insert({ nextQueryAt: FIXTURE_TIME + 3 });
      expect(await dueSince(FIXTURE_TIME + 2)).toStrictEqual({ due: 2, oldestDueAt: FIXTURE_TIME + 1 });
    });

    it("counts at most the limit, and includes the oldest", async () => {
      for (const age of [3, 1, 2]) await insert({ nextQueryAt: FIXTURE_TIME + age });
      expect(await dueSince(FIXTURE_TIME + 9, 2)).toStrictEqual({ due: 2, oldestDueAt: FIXTURE_TIME + 1 });
      expect(await dueSince(FIXTURE_TIME + 9, 0)).toStrictEqual({ due: 0 });
    });

    it("does not count claimed orders before the lease ends, nor paid orders", async () => {
      await insert({ nextQueryAt: FIXTURE_TIME });
      const paid = await insert({ nextQueryAt: FIXTURE_TIME });
      await expectOk(stores().orders.transition(paid, aPayment()));
      await claimDue(FIXTURE_TIME);
      expect(await dueSince(FIXTURE_TIME + MINUTE - 1)).toStrictEqual({ due: 0 });
      expect(await dueSince(FIXTURE_TIME + MINUTE)).toStrictEqual({
        due: 1,
        oldestDueAt: FIXTURE_TIME + MINUTE,
      });
    });

    it(`claims nothing in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const order = await insert({ nextQueryAt: FIXTURE_TIME });
      const counted = await race(CONCURRENT_CALLERS, () => stores().orders.dueSince(FIXTURE_TIME, 100));
      for (const work of counted) expect(work).toStrictEqual({ due: 1, oldestDueAt: FIXTURE_TIME });
      expect(await dueIds(FIXTURE_TIME)).toEqual([order.id]);
    });
  });

  describe("schedule", () => {
    it("sets when a CLOSE order is queried next, after the query that its closing scheduled", async () => {
      const order = await insert({ nextQueryAt: FIXTURE_TIME });
      await expectOk(stores().orders.transition(order, aClosure({ nextQueryAt: FIXTURE_TIME + 5 })));
      expect(await dueIds(FIXTURE_TIME + 4)).toEqual([]);
      expect(await dueIds(FIXTURE_TIME + 5)).toEqual([order.id]);
      await expectOk(stores().orders.schedule(order, FIXTURE_TIME + 9));
      expect(await dueIds(FIXTURE_TIME + 8)).toEqual([]);
      expect(await dueIds(FIXTURE_TIME + 9)).toEqual([order.id]);
      await expectOk(stores().orders.schedule(order, undefined));
      expect(await dueIds(FIXTURE_TIME + DAY)).toEqual([]);
    });

    it("sets when a PENDING order is queried next", async () => {
      const order = await insert({ nextQueryAt: FIXTURE_TIME });
      await expectOk(stores().orders.schedule(order, FIXTURE_TIME + 5));
      expect(await dueIds(FIXTURE_TIME + 4)).toEqual([]);
      expect(await dueIds(FIXTURE_TIME + 5)).toEqual([order.id]);
    });

    it("starts the queries of an order that had no queries, and ends them", async () => {
      const order = await insert();
      await expectOk(stores().orders.schedule(order, FIXTURE_TIME));
      expect((await expectOk(stores().orders.find(order)))?.nextQueryAt).toBe(FIXTURE_TIME);
      await expectOk(stores().orders.schedule(order, undefined));
      expect(await expectOk(stores().orders.find(order))).toStrictEqual(order);
      expect(await dueIds(FIXTURE_TIME + MINUTE)).toEqual([]);
    });

    it("does not change a PAID order", async () => {
      const order = await insert({ nextQueryAt: FIXTURE_TIME });
      await expectOk(stores().orders.transition(order, aPayment()));
      await expectOk(stores().orders.schedule(order, FIXTURE_TIME));
      expect(await expectOk(stores().orders.find(order))).not.toHaveProperty("nextQueryAt");
      expect(await dueIds(FIXTURE_TIME + MINUTE)).toEqual([]);
    });

    it(`does not schedule an order that is paid during ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const order = await insert({ nextQueryAt: FIXTURE_TIME });
      await race(CONCURRENT_CALLERS, async (caller) => {
        if (caller !== CONCURRENT_CALLERS / 2) return stores().orders.schedule(order, FIXTURE_TIME + caller);
        return (await stores().orders.transition(order, aPayment())).map(() => undefined);
      });
      expect(await expectOk(stores().orders.find(order))).toMatchObject({ paymentStatus: "PAID" });
      expect(await expectOk(stores().orders.find(order))).not.toHaveProperty("nextQueryAt");
      expect(await dueIds(FIXTURE_TIME + MINUTE)).toEqual([]);
    });

    it("does nothing for an unknown order or another app's order", async () => {
      const order = await insert();
      await expectOk(stores().orders.schedule({ ...order, appId: "app_2" }, FIXTURE_TIME));
      await expectOk(stores().orders.schedule({ ...order, bizNo: unique("biz-") }, FIXTURE_TIME));
      expect(await expectOk(stores().orders.find(order))).toEqual(order);
    });
  });
}
