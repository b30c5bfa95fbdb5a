import { describe, expect, it } from "vitest";
import {
  aClosure,
  aConfirmation,
  anAlarm,
  anApp,
  anEntry,
  anOrder,
  aPayment,
  aSettlement,
  FIXTURE_TIME,
  unique,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";
import {
  aHandler,
  claimAll,
  deliveryKey,
  deliveryOf,
  LATER,
  type EventStores,
} from "../../../support/stores/deliveries.js";
import { aPaidOrder, aRequestedRefund } from "../../../support/stores/paid-order.js";

/** Tests `EventDeliveryStore`: the appends that make deliveries due. */
export function dueDeliveries(stores: () => EventStores): void {
  describe("an appended event", () => {
    it("starts a delivery to every registered handler at this event", async () => {
      const handlers = [await aHandler(stores()), await aHandler(stores())];
      const order = await aPaidOrder(stores());
      for (const handler of handlers)
        expect(await deliveryOf(stores(), order, handler)).toEqual({
          ...deliveryKey(order, handler),
          next: { seq: 2, index: 0 },
          lastSeq: 2,
          tries: 0,
          dueAt: FIXTURE_TIME,
        });
    });

    it("makes nothing due if the entry causes no event", async () => {
      const handler = await aHandler(stores());
      const order = await expectOk(stores().orders.insertOnce(anOrder({ payToolId: "" }), anEntry()));
      await expectOk(stores().orders.record(order, anEntry({ type: "REFUND_SENT" })));
      await expectOk(stores().orders.connect(order, "tool", anEntry({ type: "CONNECTED" })));
      expect(await deliveryOf(stores(), order, handler)).toBeUndefined();
    });

    it("makes nothing due if the transition is refused", async () => {
      const handler = await aHandler(stores());
      const order = await expectOk(stores().orders.insertOnce(anOrder(), anEntry()));
      const refused = await expectOk(stores().orders.transition(order, aPayment({ from: "CLOSE" })));
      expect(refused?.moved).toBe(false);
      expect(await deliveryOf(stores(), order, handler)).toBeUndefined();
    });

    it("raises the last event of a due delivery, and keeps its start", async () => {
      const handler = await aHandler(stores());
      const order = await expectOk(stores().orders.insertOnce(anOrder(), anEntry()));
      await expectOk(stores().orders.transition(order, aClosure({ at: FIXTURE_TIME + 1 })));
      const before = await deliveryOf(stores(), order, handler);
      await expectOk(stores().orders.transition(order, aPayment({ from: "CLOSE" })));
      expect(await deliveryOf(stores(), order, handler)).toEqual({ ...before, lastSeq: 3 });
      expect(before).toMatchObject({ next: { seq: 2, index: 0 }, dueAt: FIXTURE_TIME + 1 });
    });

    it("can be an alarm that changes no status, and counts once per evidence", async () => {
      const handler = await aHandler(stores());
      const order = await expectOk(stores().orders.insertOnce(anOrder(), anEntry()));
      for (const evidence of ["e", "e"]) await expectOk(stores().orders.record(order, anAlarm({ evidence })));
      expect(await deliveryOf(stores(), order, handler)).toMatchObject({
        next: { seq: 2, index: 0 },
        lastSeq: 2,
      });
    });

    it("can be the first event or the connection of an order, if it is an alarm", async () => {
      const handler = await aHandler(stores());
      const first = await expectOk(stores().orders.insertOnce(anOrder({ payToolId: "" }), anAlarm()));
      expect(await deliveryOf(stores(), first, handler)).toMatchObject({ lastSeq: 1 });
      await expectOk(stores().orders.connect(first, "tool", anAlarm({ type: "CONNECTED" })));
      expect(await deliveryOf(stores(), first, handler)).toMatchObject({
        next: { seq: 1, index: 0 },
        lastSeq: 2,
      });
    });

    it("can be any move of a refund", async () => {
      const handler = await aHandler(stores());
      const alarm = anAlarm({ type: "REFUND_OVERDUE" });
      const order = await aPaidOrder(stores());
      const { refundNo } = await aRequestedRefund(stores(), order);
      expect(await deliveryOf(stores(), order, handler)).toMatchObject({ lastSeq: 2 });
      await expectOk(stores().refunds.markSent(order, refundNo, FIXTURE_TIME, alarm));
      expect(await deliveryOf(stores(), order, handler)).toMatchObject({ lastSeq: 4 });
      const seen = { status: "SENT", gmtModified: FIXTURE_TIME } as const;
      const progress = { seen, to: "ABNORMAL", nextTryAt: FIXTURE_TIME, entry: alarm } as const;
      await expectOk(stores().refunds.progress(order, refundNo, progress));
      expect(await deliveryOf(stores(), order, handler)).toMatchObject({ lastSeq: 5 });
      await expectOk(
        stores().refunds.reject(order, refundNo, FIXTURE_TIME, anEntry({ type: "REFUND_FAILED" })),
      );
      expect(await deliveryOf(stores(), order, handler)).toMatchObject({ lastSeq: 6 });
      await expectOk(stores().refunds.settle(order, refundNo, aSettlement()));
      expect(await deliveryOf(stores(), order, handler)).toMatchObject({
        next: { seq: 2, index: 0 },
        lastSeq: 7,
      });
    });

    it("can be the request of a refund, if it is an alarm", async () => {
      const order = await aPaidOrder(stores());
      const handler = await aHandler(stores());
      const refund = { ...(await aRequestedRefund(stores(), order)), refundNo: unique("R-") };
      await expectOk(stores().refunds.request(refund, anAlarm()));
      expect(await deliveryOf(stores(), order, handler)).toBeUndefined();
      const other = await aPaidOrder(stores());
      const asked = { ...refund, appId: other.appId, bizNo: other.bizNo };
      await expectOk(stores().refunds.request(asked, anAlarm()));
      expect(await deliveryOf(stores(), other, handler)).toMatchObject({ lastSeq: 3 });
    });

    it("can be one of two events in one step, such as the refund of the whole amount", async () => {
      const order = await aPaidOrder(stores(), { amount: 100 });
      const { refundNo } = await aRequestedRefund(stores(), order, { amount: 100 });
      const handler = await aHandler(stores());
      await expectOk(stores().refunds.confirm(order, refundNo, aConfirmation()));
      const timeline = await expectOk(stores().orders.timeline(order));
      expect(timeline.slice(3).map(({ type }) => type)).toEqual(["REFUND_CONFIRMED", "REFUNDED"]);
      expect(await deliveryOf(stores(), order, handler)).toMatchObject({
        next: { seq: 4, index: 0 },
        lastSeq: 5,
        dueAt: FIXTURE_TIME + 2_000,
      });
    });

    it("belongs to the order of its app only", async () => {
      const handler = await aHandler(stores());
      const bizNo = unique("biz-");
      const apps = [anApp().appId, anApp().appId];
      const orders = apps.map((appId) => anOrder({ appId, bizNo }));
      for (const order of orders) await expectOk(stores().orders.insertOnce(order, anEntry()));
      const [paid, pending] = orders;
      if (paid === undefined || pending === undefined) throw new Error("There are two orders.");
      await expectOk(stores().orders.transition(paid, aPayment()));
      expect(await deliveryOf(stores(), pending, handler)).toBeUndefined();
      expect(await claimAll(stores(), handler)).toMatchObject([{ appId: paid.appId, bizNo }]);
    });

    it("raises the last event once for each of many concurrent appends", async () => {
      const handlers = [await aHandler(stores()), await aHandler(stores())];
      const order = await expectOk(stores().orders.insertOnce(anOrder(), anEntry()));
      await race(10, () => stores().orders.record(order, anAlarm({ evidence: unique("e-") })));
      for (const handler of handlers)
        expect(await deliveryOf(stores(), order, handler)).toMatchObject({
          next: { seq: 2, index: 0 },
          lastSeq: 11,
          dueAt: FIXTURE_TIME,
        });
    });
  });

  describe("removeDelivered", () => {
    it("removes deliveries without waiting events, and starts again at the next event", async () => {
      const { eventDeliveries, orders } = stores();
      const handler = await aHandler(stores());
      const [done, waiting] = [await aPaidOrder(stores()), await aPaidOrder(stores())];
      for (const claimed of await claimAll(stores(), handler)) {
        const isDone = claimed.bizNo === done.bizNo;
        if (isDone) await expectOk(eventDeliveries.advance(claimed, { seq: 3, index: 0 }, LATER));
        else await expectOk(eventDeliveries.fail(claimed, { parkedAt: LATER }));
      }
      expect(await expectOk(eventDeliveries.removeDelivered(FIXTURE_TIME, 10))).toBe(0);
      expect(await expectOk(eventDeliveries.removeDelivered(LATER, 0))).toBe(0);
      expect(await expectOk(eventDeliveries.removeDelivered(LATER, 10))).toBe(1);
      expect(await deliveryOf(stores(), done, handler)).toBeUndefined();
      expect(await deliveryOf(stores(), waiting, handler)).toMatchObject({ parkedAt: LATER });
      await expectOk(orders.record(done, anAlarm()));
      expect(await deliveryOf(stores(), done, handler)).toMatchObject({
        next: { seq: 3, index: 0 },
        lastSeq: 3,
      });
    });
  });
}
