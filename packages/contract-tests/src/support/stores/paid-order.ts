import type { Order, Refund, Stores, TimelineEntry } from "@tillkit/core";
import { anEntry, anOrder, aPayment, aRefund, FIXTURE_TIME } from "../fixtures.js";
import { expectOk } from "../open-before-each.js";

/**
 * Stores an order and moves it to PAID at `paidAt`, which defaults to `FIXTURE_TIME`.
 *
 * If the order has a service, the customer's service is extended.
 */
export async function aPaidOrder(
  { orders }: Pick<Stores, "orders">,
  changes: Partial<Order> = {},
  paidAt: number = FIXTURE_TIME,
): Promise<Order> {
  const order = await expectOk(orders.insertOnce(anOrder(changes), anEntry()));
  const payment = aPayment({ at: paidAt, extendService: { serviceNo: "S-1" } });
  const paid = await expectOk(orders.transition(order, payment));
  if (paid?.moved !== true) throw new Error("The order could not be paid.");
  return paid.order;
}

/** Stores a REQUESTED refund of `order`. */
export async function aRequestedRefund(
  { refunds }: Pick<Stores, "refunds">,
  { appId, bizNo }: Order,
  changes: Partial<Refund> = {},
): Promise<Refund> {
  const outcome = await expectOk(refunds.request(aRefund({ appId, bizNo, ...changes }), requestEntry()));
  if (outcome.kind !== "requested") throw new Error(`The refund was not stored: ${outcome.kind}.`);
  return outcome.refund;
}

/** Returns the event of a refund request. */
export function requestEntry(changes: Partial<TimelineEntry> = {}): TimelineEntry {
  return {
    type: "REFUND_REQUESTED",
    at: FIXTURE_TIME,
    actor: "operator:han",
    reason: "the customer changed their mind",
    alarm: false,
    ...changes,
  };
}
