import type { OrderEvent } from "@tillkit/core";
import { eventTypesOf } from "@tillkit/core/ports";
import { HANDLERS } from "../event-handlers.js";
import type { Scenario } from "../scenario.js";
import type { InvariantCheck, Sale, Snapshot } from "../snapshot.js";
import { invariant } from "../violation.js";

/** Checks that every handler receives only events of the timeline, and each order's in order. */
export function checkEvents({ known }: Scenario): InvariantCheck {
  return ({ sales }) => {
    for (const { title, expected, received } of deliveriesOf(known, sales)) {
      invariant(
        "handlers receive the events of an order in order",
        received.every((id, index) => id === expected[index]),
        () => `${title}: ${received.join(" ")}, not ${expected.join(" ")}`,
      );
    }
    for (const { event } of known.received) checkContent(sales, event);
  };
}

/** Checks at the end of a run that every handler received every event. */
export function checkAllDelivered({ known }: Scenario, { sales }: Snapshot): void {
  for (const { title, expected, received } of deliveriesOf(known, sales)) {
    invariant(
      "no event is lost",
      received.length === expected.length,
      () => `${title}: ${received.join(" ")} of ${expected.join(" ")}`,
    );
  }
}

/** Returns what each handler received of each order, and what it should receive at the end. */
function deliveriesOf({ received }: Scenario["known"], sales: readonly Sale[]) {
  return sales.flatMap((sale) =>
    HANDLERS.map(({ name }) => ({
      title: `${name} ${sale.order.bizNo}`,
      expected: expectedIds(sale, name),
      received: firstReceived(received, name, sale.order.id),
    })),
  );
}

/** Returns the ids of an order's events in order, once each, as a handler should receive them. */
function expectedIds({ order, events }: Sale, handler: string): readonly string[] {
  const types: readonly string[] | undefined = HANDLERS.find(({ name }) => name === handler)?.types;
  return events.flatMap((entry) =>
    eventTypesOf(entry, order.service !== undefined).flatMap((type, index) =>
      types === undefined || types.includes(type)
        ? [`${order.id}-${String(entry.seq)}-${String(index)}`]
        : [],
    ),
  );
}

/** Returns the ids that a handler received, without repeats. */
function firstReceived(
  received: Scenario["known"]["received"],
  handler: string,
  orderId: string,
): readonly string[] {
  const mine = received.filter((each) => each.handler === handler && each.event.orderId === orderId);
  return [...new Set(mine.map(({ event }) => event.id))];
}

function checkContent(sales: readonly Sale[], event: OrderEvent): void {
  const sale = sales.find(({ order }) => order.id === event.orderId);
  invariant(
    "an event has the facts of its order",
    sale?.order.bizNo === event.bizNo && sale.order.amount === event.amount,
    () => JSON.stringify(event),
  );
  if (event.type !== "refund.confirmed" && event.type !== "refund.failed") return;
  const refund = sale?.refunds.find(({ made }) => made.refundNo === event.refundNo);
  invariant("an event has the amount of its refund", refund?.made.amount === event.refundAmount, () =>
    JSON.stringify(event),
  );
}
