import { ok, type ResultAsync } from "neverthrow";
import { BILL_EXCEPTION_STATES, type BillException } from "../bills/bill-exception.js";
import type { BillExceptionPosition } from "../bills/bill-exception-store.js";
import { fail, type StorageFailure } from "../errors/failure.js";
import type { EventDelivery } from "../events/event-delivery-store.js";
import type { Order } from "../orders/order.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { OrderData } from "./order-erasure.js";

const PAGE_SIZE = 100;

/**
 * Calls `visit` for each order of an app's customers, newest first. Ends with the first failure.
 *
 * Fails if an order cannot be read, because an export or an erasure must not leave it out. An order
 * that is created meanwhile may be left out.
 */
export function visitOrders(
  { orders }: Pick<Ports, "orders">,
  appId: string,
  identities: readonly string[],
  visit: (order: Order) => ResultAsync<unknown, StorageFailure>,
): ResultAsync<undefined, StorageFailure> {
  return attempt(async () => {
    for (const customerIdentity of identities) {
      const ids = new Set<string>();
      for (let offset = 0, total = 1; offset < total; offset += PAGE_SIZE) {
        const page = await orders.list({ appId, customerIdentity, offset, limit: PAGE_SIZE });
        if (page.isErr()) return page;
        total = page.value.totalCount;
        // A new order moves the others to later pages, so an order may be on two pages.
        for (const order of page.value.items.filter(({ id }) => !ids.has(id))) {
          ids.add(order.id);
          const visited = await visit(order);
          if (visited.isErr()) return visited;
        }
        if (offset + PAGE_SIZE >= total && ids.size < total)
          return fail("storage.unavailable", {
            cause: new Error("An order of the customer cannot be read."),
          });
      }
    }
    return ok(undefined);
  });
}

/** The ports that `readOrderData` uses. */
export type OrderDataPorts = Pick<
  Ports,
  "billExceptions" | "eventDeliveries" | "orders" | "refundApprovals" | "refunds"
>;

/** An order with everything that belongs to it, as an export contains it. */
export interface ReadOrderData extends OrderData {
  readonly deliveries: readonly EventDelivery[];
  /** The differences of bills about the order, in every state. */
  readonly billExceptions: readonly BillException[];
}

/** Reads everything that belongs to an order. */
export function readOrderData(
  ports: OrderDataPorts,
  order: Order,
): ResultAsync<ReadOrderData, StorageFailure> {
  return attempt(async () => {
    const { appId, bizNo } = order;
    const refunds = await ports.refunds.list(order);
    if (refunds.isErr()) return refunds;
    const approvals = await ports.refundApprovals.listOfOrder(order);
    if (approvals.isErr()) return approvals;
    const timeline = await ports.orders.timeline(order);
    if (timeline.isErr()) return timeline;
    const handlers = await ports.eventDeliveries.listHandlers();
    if (handlers.isErr()) return handlers;
    const deliveries: EventDelivery[] = [];
    for (const handler of handlers.value) {
      const delivery = await ports.eventDeliveries.find({ appId, bizNo, handler });
      if (delivery.isErr()) return delivery;
      if (delivery.value !== undefined) deliveries.push(delivery.value);
    }
    const exceptions = await exceptionsOf(ports, order);
    if (exceptions.isErr()) return exceptions;
    const texts = { refunds: refunds.value, approvals: approvals.value, timeline: timeline.value };
    return ok({ order, ...texts, deliveries, billExceptions: exceptions.value });
  });
}

/** Returns the differences of bills about an order, in every state. */
function exceptionsOf(
  { billExceptions }: Pick<Ports, "billExceptions">,
  order: Order,
): ResultAsync<readonly BillException[], StorageFailure> {
  return attempt(async () => {
    const all: BillException[] = [];
    for (const state of BILL_EXCEPTION_STATES) {
      let before: BillExceptionPosition | undefined;
      do {
        const page = await billExceptions.list({ state, ofOrder: order, before, limit: PAGE_SIZE });
        if (page.isErr()) return page;
        all.push(...page.value.items);
        before = page.value.next;
      } while (before !== undefined);
    }
    return ok(all);
  });
}
