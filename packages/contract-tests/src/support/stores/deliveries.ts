import type { Order, OrderKey, Stores } from "@tillkit/core";
import type { ClaimedDelivery, DeliveryKey, EventDelivery } from "@tillkit/core/ports";
import { FIXTURE_TIME, MINUTE, unique } from "../fixtures.js";
import { expectOk } from "../open-before-each.js";
import { aPaidOrder } from "./paid-order.js";

/** The stores that the suites of events test together. */
export type EventStores = Pick<Stores, "orders" | "refunds" | "eventDeliveries">;

type DeliveryStores = Pick<Stores, "orders" | "eventDeliveries">;

/** A time after every time of the fixtures. */
export const LATER: number = FIXTURE_TIME + 60 * MINUTE;

/** Registers a new handler and returns its name. */
export async function aHandler({ eventDeliveries }: Pick<Stores, "eventDeliveries">): Promise<string> {
  const name = unique("handler-");
  await expectOk(eventDeliveries.registerHandler(name, FIXTURE_TIME));
  return name;
}

/** Returns the key of an order's delivery. */
export function deliveryKey({ appId, bizNo }: OrderKey, handler: string): DeliveryKey {
  return { appId, bizNo, handler };
}

/** Returns the stored delivery of an order to a handler. */
export function deliveryOf(
  { eventDeliveries }: Pick<Stores, "eventDeliveries">,
  order: OrderKey,
  handler: string,
): Promise<EventDelivery | undefined> {
  return expectOk(eventDeliveries.find(deliveryKey(order, handler)));
}

/** Claims the due deliveries of a handler with a new claim. */
export function claimAll(
  { eventDeliveries }: Pick<Stores, "eventDeliveries">,
  handler: string,
  changes: {
    readonly now?: number;
    readonly lease?: number;
    readonly limit?: number;
    readonly id?: string;
  } = {},
): Promise<readonly ClaimedDelivery[]> {
  const claim = { id: unique("claim-"), now: LATER, lease: MINUTE, limit: 100, ...changes };
  return expectOk(eventDeliveries.claimDue(handler, claim));
}

/** A paid order whose payment a worker has claimed for a handler. */
export interface ClaimedPayment {
  readonly handler: string;
  readonly order: Order;
  readonly claimed: ClaimedDelivery;
}

/** Pays an order for a new handler, and claims its delivery. */
export async function aClaimedPayment(stores: DeliveryStores): Promise<ClaimedPayment> {
  const handler = await aHandler(stores);
  const order = await aPaidOrder(stores);
  const [claimed] = await claimAll(stores, handler);
  if (claimed === undefined) throw new Error("The payment was not due.");
  return { handler, order, claimed };
}
