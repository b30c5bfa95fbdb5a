import { describe, expect, it } from "vitest";
import { FIXTURE_TIME, unique } from "../../../support/fixtures.js";
import { expectOk } from "../../../support/open-before-each.js";
import {
  aClaimedPayment,
  aHandler,
  claimAll,
  deliveryOf,
  LATER,
  type EventStores,
} from "../../../support/stores/deliveries.js";
import { aPaidOrder } from "../../../support/stores/paid-order.js";

/** Tests `EventDeliveryStore`: the registration of handlers. */
export function eventHandlers(stores: () => EventStores): void {
  describe("registerHandler", () => {
    it("registers a handler once, and lists the names in order", async () => {
      const { eventDeliveries } = stores();
      expect(await expectOk(eventDeliveries.listHandlers())).toEqual([]);
      for (const name of ["b", "a", "B", "b"]) await expectOk(eventDeliveries.registerHandler(name, 7));
      expect(await expectOk(eventDeliveries.listHandlers())).toEqual(["B", "a", "b"]);
    });

    it("does not deliver events from before the registration", async () => {
      const order = await aPaidOrder(stores());
      const handler = await aHandler(stores());
      expect(await claimAll(stores(), handler)).toEqual([]);
      expect(await deliveryOf(stores(), order, handler)).toBeUndefined();
    });

    it("keeps the deliveries of a handler that is registered again", async () => {
      const { handler, order, claimed } = await aClaimedPayment(stores());
      await expectOk(stores().eventDeliveries.registerHandler(handler, LATER));
      expect(await deliveryOf(stores(), order, handler)).toMatchObject({ dueAt: claimed.until });
    });
  });

  describe("removeHandler", () => {
    it("removes the handler with its deliveries, and returns whether it was registered", async () => {
      const { handler, order } = await aClaimedPayment(stores());
      const other = await aHandler(stores());
      expect(await expectOk(stores().eventDeliveries.removeHandler(handler))).toBe(true);
      expect(await expectOk(stores().eventDeliveries.removeHandler(handler))).toBe(false);
      expect(await expectOk(stores().eventDeliveries.listHandlers())).toEqual([other]);
      expect(await deliveryOf(stores(), order, handler)).toBeUndefined();
    });

    it("ends the claims of the handler", async () => {
      const { handler, claimed } = await aClaimedPayment(stores());
      const { eventDeliveries } = stores();
      await expectOk(eventDeliveries.removeHandler(handler));
      const next = { seq: claimed.lastSeq + 1, index: 0 };
      expect(await expectOk(eventDeliveries.advance(claimed, next, LATER))).toBeUndefined();
      expect(await expectOk(eventDeliveries.fail(claimed, { nextTryAt: LATER }))).toBe(false);
    });

    it("keeps the deliveries of other handlers", async () => {
      const gone = unique("handler-");
      await expectOk(stores().eventDeliveries.registerHandler(gone, FIXTURE_TIME));
      const { handler, order, claimed } = await aClaimedPayment(stores());
      await expectOk(stores().eventDeliveries.removeHandler(gone));
      expect(await deliveryOf(stores(), order, handler)).toMatchObject({ dueAt: claimed.until });
    });

    it("starts again with the next event after another registration", async () => {
      const { handler, order } = await aClaimedPayment(stores());
      await expectOk(stores().eventDeliveries.removeHandler(handler));
      await expectOk(stores().eventDeliveries.registerHandler(handler, LATER));
      expect(await deliveryOf(stores(), order, handler)).toBeUndefined();
      expect(await claimAll(stores(), handler)).toEqual([]);
    });
  });
}
