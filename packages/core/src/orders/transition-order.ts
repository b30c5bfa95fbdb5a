import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { emit } from "../shared/emit.js";
import { type EventDetails, eventWith } from "./event-details.js";
import { keyOf, type Order } from "./order.js";
import { emitAlarm } from "./order-alarm.js";
import type { OrderTransition } from "./order-store.js";
import type { TimelineEntry } from "./timeline.js";

/**
 * Moves the order by compare-and-set and emits `order.moved`. `PaymentStatus` lists the moves.
 *
 * Changes nothing if another caller was faster, or if the order does not exist. This function does
 * not move an order from PAID to REFUND: `RefundStore.confirm`, `settle` and `adopt` do, by the
 * rule of `isRefundedInFull`.
 */
export function transitionOrder(
  ports: Pick<Ports, "orders" | "observer">,
  order: Order,
  change: OrderTransition,
): ResultAsync<{ readonly moved: boolean; readonly order: Order }, StorageFailure> {
  return ports.orders.transition(keyOf(order), change).andThen((result = { moved: false, order }) => {
    const { moved, order: after } = result;
    if (!moved) return ok(result);
    emit(ports, {
      type: "order.moved",
      appId: order.appId,
      orderId: order.id,
      from: change.from,
      to: change.to,
    });
    if (change.entry.alarm) emitAlarm(ports, order, change.entry);
    return ok({ moved, order: after });
  });
}

/** Who closed an order, and how. `reason` is the text of an operator. */
export interface Closure extends Pick<TimelineEntry, "actor" | "evidence"> {
  readonly reason?: string;
  readonly details: EventDetails["CLOSED"];
}

/**
 * Returns the change from PENDING to CLOSE.
 *
 * Use it only after the wallet reported that the order is closed or that it does not know the
 * order.
 */
export function closeTransition(
  at: number,
  { actor, reason = "", details, evidence }: Closure,
): OrderTransition {
  const entry = {
    ...eventWith("CLOSED", details),
    at,
    actor,
    reason,
    from: "PENDING",
    to: "CLOSE",
    ...(evidence === undefined ? {} : { evidence }),
    alarm: false,
  } as const;
  return { from: "PENDING", to: "CLOSE", at, entry };
}
