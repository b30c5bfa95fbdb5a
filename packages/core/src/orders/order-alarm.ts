import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { emit } from "../shared/emit.js";
import { keyOf, type Order } from "./order.js";
import type { TimelineEntry } from "./timeline.js";

/**
 * Records an alarm on the order's timeline, once per evidence, and emits it to the observer.
 *
 * The actor is the wallet by default.
 */
export function recordAlarm(
  ports: Pick<Ports, "orders" | "clock" | "observer">,
  order: Order,
  alarm: Pick<TimelineEntry, "type" | "reason" | "details" | "evidence" | "refundNo"> &
    Partial<Pick<TimelineEntry, "actor">>,
): ResultAsync<void, StorageFailure> {
  const entry: TimelineEntry = { actor: "wallet", ...alarm, at: ports.clock.now(), alarm: true };
  return ports.orders.record(keyOf(order), entry).map((isNew) => {
    if (isNew) emitAlarm(ports, order, entry);
  });
}

/** Emits an alarm that is already on the order's timeline. */
export function emitAlarm(ports: Pick<Ports, "observer">, order: Order, entry: TimelineEntry): void {
  emit(ports, { type: "order.alarm", appId: order.appId, orderId: order.id, event: entry.type });
}
