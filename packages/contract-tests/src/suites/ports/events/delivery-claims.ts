import { describe, expect, it } from "vitest";
import { anAlarm, anEntry, anOrder, aPayment, FIXTURE_TIME, MINUTE } from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";
import {
  aClaimedPayment,
  aHandler,
  claimAll,
  deliveryOf,
  LATER,
  type EventStores,
} from "../../../support/stores/deliveries.js";
import { aPaidOrder } from "../../../support/stores/paid-order.js";

/** Tests `EventDeliveryStore`: claiming, advancing and failing deliveries. */
export function deliveryClaims(stores: () => EventStores): void {
  const events = () => stores().eventDeliveries;

  describe("claimDue", () => {
    it("claims due deliveries until the end of the lease, the earliest due first", async () => {
      const handler = await aHandler(stores());
      const orders = [];
      for (const at of [30, 10, 20]) {
        const order = await expectOk(stores().orders.insertOnce(anOrder(), anEntry()));
        const entry = anEntry({ type: "PAID", at: FIXTURE_TIME + at });
        await expectOk(stores().orders.transition(order, aPayment({ entry })));
        orders.push(order);
      }
      const claim = { id: "claim-1", now: FIXTURE_TIME + 20, lease: MINUTE };
      const claimed = await claimAll(stores(), handler, claim);
      expect(claimed.map(({ bizNo }) => bizNo)).toEqual([orders[1]?.bizNo, orders[2]?.bizNo]);
      const until = FIXTURE_TIME + 20 + MINUTE;
      expect(claimed[0]).toEqual({
        ...(await deliveryOf(stores(), claimed[0] ?? anOrder(), handler)),
        claimId: "claim-1",
        until,
      });
      expect(claimed[0]).toMatchObject({ dueAt: until, next: { seq: 2, index: 0 }, lastSeq: 2, tries: 0 });
      const [last, ...more] = await claimAll(stores(), handler, { now: FIXTURE_TIME + 30, limit: 1 });
      expect(last).toMatchObject({ bizNo: orders[0]?.bizNo });
      expect(more).toEqual([]);
    });

    it("claims at most the limit", async () => {
      const handler = await aHandler(stores());
      for (let count = 0; count < 3; count += 1) await aPaidOrder(stores());
      expect(await claimAll(stores(), handler, { limit: 2 })).toHaveLength(2);
      expect(await claimAll(stores(), handler, { limit: 2 })).toHaveLength(1);
    });

    it("claims nothing for an unknown handler", async () => {
      await aHandler(stores());
      await aPaidOrder(stores());
      expect(await claimAll(stores(), "unknown")).toEqual([]);
    });

    it("claims for each handler separately", async () => {
      const [left, right] = [await aHandler(stores()), await aHandler(stores())];
      const order = await aPaidOrder(stores());
      const [claimed] = await claimAll(stores(), left);
      if (claimed === undefined) throw new Error("The payment was not due.");
      await expectOk(events().advance(claimed, { seq: 3, index: 0 }, LATER));
      expect(await deliveryOf(stores(), order, right)).toMatchObject({ next: { seq: 2, index: 0 } });
      expect(await claimAll(stores(), right)).toMatchObject([{ handler: right, bizNo: order.bizNo }]);
    });

    it("grants a delivery again after its claim has ended, and the first worker loses it", async () => {
      const { handler, claimed } = await aClaimedPayment(stores());
      expect(await claimAll(stores(), handler, { now: claimed.until - 1 })).toEqual([]);
      const [again] = await claimAll(stores(), handler, { now: claimed.until });
      expect(again).toMatchObject({ bizNo: claimed.bizNo, until: claimed.until + MINUTE });
      const next = { seq: 3, index: 0 };
      expect(await expectOk(events().advance(claimed, next, LATER))).toBeUndefined();
      expect(await expectOk(events().fail(claimed, { parkedAt: LATER }))).toBe(false);
      if (again === undefined) throw new Error("The delivery was not due.");
      expect(await expectOk(events().advance(again, next, LATER))).toBeDefined();
    });

    it("gives each delivery to one of 50 concurrent workers", async () => {
      const handler = await aHandler(stores());
      const orders = await Promise.all(Array.from({ length: 20 }, () => aPaidOrder(stores())));
      const claims = await race(50, (worker) =>
        events().claimDue(handler, { id: `worker-${String(worker)}`, now: LATER, lease: MINUTE, limit: 3 }),
      );
      const claimed = claims.flat().map(({ bizNo }) => bizNo);
      expect(claimed.toSorted()).toEqual(orders.map(({ bizNo }) => bizNo).toSorted());
    });
  });

  describe("advance", () => {
    it("stores the next position and extends the claim while events are left", async () => {
      const { handler, order, claimed } = await aClaimedPayment(stores());
      const next = { seq: 2, index: 1 };
      const advanced = await expectOk(events().advance(claimed, next, LATER + 2 * MINUTE));
      expect(advanced).toEqual({ ...claimed, next, dueAt: LATER + 2 * MINUTE, until: LATER + 2 * MINUTE });
      expect(await claimAll(stores(), handler, { now: LATER + 2 * MINUTE - 1 })).toEqual([]);
      expect(await deliveryOf(stores(), order, handler)).toMatchObject({ next, dueAt: LATER + 2 * MINUTE });
    });

    it("ends the claim after the last event", async () => {
      const { handler, order, claimed } = await aClaimedPayment(stores());
      const { dueAt: _due, claimId: _id, until: _until, ...delivery } = claimed;
      const done = { ...delivery, next: { seq: 3, index: 0 } };
      expect(await expectOk(events().advance(claimed, done.next, LATER))).toEqual(done);
      expect(await deliveryOf(stores(), order, handler)).toEqual(done);
      expect(await claimAll(stores(), handler, { now: LATER + 60 * MINUTE })).toEqual([]);
      expect(await expectOk(events().fail({ ...claimed, next: done.next }, { parkedAt: LATER }))).toBe(false);
    });

    it("sets the number of tries to 0", async () => {
      const { handler, claimed } = await aClaimedPayment(stores());
      await expectOk(events().fail(claimed, { nextTryAt: LATER }));
      const [again] = await claimAll(stores(), handler);
      if (again === undefined) throw new Error("The delivery was not due.");
      expect(again.tries).toBe(1);
      expect(await expectOk(events().advance(again, { seq: 2, index: 1 }, LATER))).toMatchObject({
        tries: 0,
      });
    });

    it("continues if an event was appended during the delivery", async () => {
      const { handler, order, claimed } = await aClaimedPayment(stores());
      await expectOk(stores().orders.record(order, anAlarm()));
      expect(await deliveryOf(stores(), order, handler)).toMatchObject({ dueAt: claimed.until, lastSeq: 3 });
      const next = { seq: 3, index: 0 };
      expect(await expectOk(events().advance(claimed, next, LATER + MINUTE))).toMatchObject({
        claimId: claimed.claimId,
        next,
        lastSeq: 3,
      });
    });

    it("is due again if an event was appended after the delivery", async () => {
      const { handler, order, claimed } = await aClaimedPayment(stores());
      await expectOk(events().advance(claimed, { seq: 3, index: 0 }, LATER));
      await expectOk(stores().orders.record(order, anAlarm({ at: LATER })));
      expect(await claimAll(stores(), handler, { now: LATER - 1 })).toEqual([]);
      expect(await claimAll(stores(), handler)).toMatchObject([{ next: { seq: 3, index: 0 }, lastSeq: 3 }]);
    });

    it("loses no event that is appended at the same time", async () => {
      const { handler, order, claimed } = await aClaimedPayment(stores());
      await Promise.all([
        expectOk(events().advance(claimed, { seq: 3, index: 0 }, LATER)),
        expectOk(stores().orders.record(order, anAlarm())),
      ]);
      expect(await deliveryOf(stores(), order, handler)).toMatchObject({ lastSeq: 3 });
      expect(await claimAll(stores(), handler, { now: LATER + MINUTE })).toHaveLength(1);
    });

    it("moves a claimed delivery to the next position once, also for concurrent calls", async () => {
      const { claimed } = await aClaimedPayment(stores());
      const next = { seq: 2, index: 1 };
      const moved = await race(8, () => events().advance(claimed, next, LATER));
      expect(moved.filter((one) => one !== undefined)).toHaveLength(1);
    });
  });

  describe("fail", () => {
    it("counts the attempt, ends the claim and stores when the next one is due", async () => {
      const { handler, order, claimed } = await aClaimedPayment(stores());
      const nextTryAt = LATER + 5 * MINUTE;
      expect(await expectOk(events().fail(claimed, { nextTryAt }))).toBe(true);
      expect(await deliveryOf(stores(), order, handler)).toMatchObject({
        next: claimed.next,
        tries: 1,
        dueAt: nextTryAt,
      });
      expect(await expectOk(events().fail(claimed, { nextTryAt }))).toBe(false);
      expect(await claimAll(stores(), handler, { now: nextTryAt - 1 })).toEqual([]);
      expect(await claimAll(stores(), handler, { now: nextTryAt })).toHaveLength(1);
    });

    it("stores why the last attempt failed, until the event is delivered", async () => {
      const { handler, order, claimed } = await aClaimedPayment(stores());
      const failureOf = async () => (await deliveryOf(stores(), order, handler))?.failure;
      expect(claimed).not.toHaveProperty("failure");
      const first = { nextTryAt: LATER, failure: "TypeError: no such user" };
      await expectOk(events().fail(claimed, first));
      expect(await failureOf()).toBe(first.failure);
      const [again] = await claimAll(stores(), handler, { now: LATER });
      expect(again).toMatchObject({ failure: first.failure });
      await expectOk(events().fail(again ?? claimed, { nextTryAt: LATER }));
      expect(await failureOf()).toBeUndefined();
      const [third] = await claimAll(stores(), handler, { now: LATER });
      await expectOk(events().fail(third ?? claimed, { parkedAt: LATER, failure: "timeout" }));
      expect(await failureOf()).toBe("timeout");
      await expectOk(events().replay(claimed, claimed.next, LATER));
      expect(await failureOf()).toBeUndefined();
      const [fourth] = await claimAll(stores(), handler, { now: LATER });
      await expectOk(events().fail(fourth ?? claimed, { ...first, nextTryAt: LATER }));
      const [last] = await claimAll(stores(), handler, { now: LATER });
      expect(
        await expectOk(events().advance(last ?? claimed, { seq: 9, index: 0 }, LATER)),
      ).not.toHaveProperty("failure");
    });

    it("parks a delivery, which stays parked when events are appended", async () => {
      const { handler, order, claimed } = await aClaimedPayment(stores());
      expect(await expectOk(events().fail(claimed, { parkedAt: LATER }))).toBe(true);
      await expectOk(stores().orders.record(order, anAlarm()));
      const { dueAt: _due, claimId: _id, until: _until, ...delivery } = claimed;
      expect(await deliveryOf(stores(), order, handler)).toEqual({
        ...delivery,
        tries: 1,
        lastSeq: 3,
        parkedAt: LATER,
      });
      expect(await claimAll(stores(), handler, { now: LATER + 60 * MINUTE })).toEqual([]);
    });
  });
}
