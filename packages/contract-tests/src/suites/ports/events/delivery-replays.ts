import { describe, expect, it } from "vitest";
import { anAlarm, anEntry, anOrder, MINUTE } from "../../../support/fixtures.js";
import { expectOk } from "../../../support/open-before-each.js";
import {
  aClaimedPayment,
  aHandler,
  claimAll,
  deliveryKey,
  deliveryOf,
  LATER,
  type EventStores,
} from "../../../support/stores/deliveries.js";
import { aPaidOrder } from "../../../support/stores/paid-order.js";

/** Tests `EventDeliveryStore`: replaying events. */
export function deliveryReplays(stores: () => EventStores): void {
  const events = () => stores().eventDeliveries;
  const FIRST = { seq: 1, index: 0 };

  describe("replay", () => {
    it("makes a parked delivery due from the given position", async () => {
      const { handler, order, claimed } = await aClaimedPayment(stores());
      await expectOk(events().fail(claimed, { parkedAt: LATER }));
      expect(await expectOk(events().replay(claimed, FIRST, LATER + 1))).toBe(true);
      expect(await deliveryOf(stores(), order, handler)).toEqual({
        ...deliveryKey(order, handler),
        next: FIRST,
        lastSeq: 2,
        tries: 0,
        dueAt: LATER + 1,
      });
      expect(await claimAll(stores(), handler)).toEqual([]);
      expect(await claimAll(stores(), handler, { now: LATER + 1 })).toHaveLength(1);
    });

    it("ends a claim", async () => {
      const { handler, claimed } = await aClaimedPayment(stores());
      await expectOk(events().replay(claimed, claimed.next, LATER));
      expect(await expectOk(events().advance(claimed, { seq: 3, index: 0 }, LATER))).toBeUndefined();
      expect(await expectOk(events().fail(claimed, { parkedAt: LATER }))).toBe(false);
      expect(await claimAll(stores(), handler)).toMatchObject([{ next: claimed.next, tries: 0 }]);
    });

    it("delivers events again that were delivered", async () => {
      const { handler, claimed } = await aClaimedPayment(stores());
      await expectOk(events().advance(claimed, { seq: 3, index: 0 }, LATER));
      await expectOk(events().replay(claimed, FIRST, LATER));
      expect(await claimAll(stores(), handler)).toMatchObject([{ next: FIRST, lastSeq: 2 }]);
    });

    it("creates the delivery of events from before the registration", async () => {
      const order = await aPaidOrder(stores());
      await expectOk(stores().orders.record(order, anEntry({ type: "REFUND_SENT" })));
      const handler = await aHandler(stores());
      expect(await expectOk(events().replay(deliveryKey(order, handler), FIRST, LATER))).toBe(true);
      expect(await claimAll(stores(), handler)).toMatchObject([{ next: FIRST, lastSeq: 2, tries: 0 }]);
    });

    it("leaves nothing due after the last event", async () => {
      const { handler, order, claimed } = await aClaimedPayment(stores());
      const next = { seq: 3, index: 0 };
      await expectOk(events().fail(claimed, { parkedAt: LATER }));
      expect(await expectOk(events().replay(claimed, next, LATER))).toBe(true);
      expect(await deliveryOf(stores(), order, handler)).toEqual({
        ...deliveryKey(order, handler),
        next,
        lastSeq: 2,
        tries: 0,
      });
      await expectOk(stores().orders.record(order, anAlarm()));
      expect(await claimAll(stores(), handler, { now: LATER + MINUTE })).toMatchObject([
        { next, lastSeq: 3 },
      ]);
    });

    it("leaves nothing due for an order without events", async () => {
      const handler = await aHandler(stores());
      const order = await expectOk(stores().orders.insertOnce(anOrder(), anEntry()));
      expect(await expectOk(events().replay(deliveryKey(order, handler), FIRST, LATER))).toBe(true);
      expect(await claimAll(stores(), handler)).toEqual([]);
    });

    it("returns false for an unknown order or handler", async () => {
      const order = await aPaidOrder(stores());
      const handler = await aHandler(stores());
      const unknown = [deliveryKey(order, "unknown"), deliveryKey(anOrder(), handler)];
      for (const key of unknown) {
        expect(await expectOk(events().replay(key, FIRST, LATER))).toBe(false);
        expect(await expectOk(events().find(key))).toBeUndefined();
      }
    });
  });
}
