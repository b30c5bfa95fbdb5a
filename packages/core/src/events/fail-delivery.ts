import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { emit } from "../shared/emit.js";
import type { DeliveryPorts } from "./delivery-ports.js";
import type { ClaimedDelivery } from "./event-delivery-store.js";
import type { OrderEvent } from "./order-event.js";

/** An attempt that failed. */
export interface FailedEvent {
  readonly event: OrderEvent;
  readonly reason: "threw" | "timeout";
}

/**
 * Stores a failed attempt: the delivery continues after a pause, or is parked after the last one.
 *
 * The observer receives `event.failed` or `event.parked`, without the error, which can contain
 * personal data. Has no effect if the claim is lost.
 */
export function failDelivery(
  ports: Pick<DeliveryPorts, "eventDeliveries" | "clock" | "observer" | "policy">,
  delivery: ClaimedDelivery,
  { event, reason }: FailedEvent,
): ResultAsync<void, StorageFailure> {
  const { eventTries, eventRetryPauses, workLease } = ports.policy;
  const now = ports.clock.now();
  const tries = delivery.tries + 1;
  const parks = tries >= eventTries;
  const pause = eventRetryPauses[Math.min(tries, eventRetryPauses.length) - 1] ?? workLease;
  const result = parks ? { parkedAt: now } : { nextTryAt: now + pause };
  return ports.eventDeliveries.fail(delivery, result).map((stored) => {
    if (!stored) return;
    emit(ports, {
      type: parks ? "event.parked" : "event.failed",
      appId: event.appId,
      orderId: event.orderId,
      handler: delivery.handler,
      eventId: event.id,
      eventType: event.type,
      tries,
      reason,
    });
  });
}
