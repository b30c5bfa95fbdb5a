import { err, ok, okAsync, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { emit } from "../shared/emit.js";
import type { DeliveryPorts } from "./delivery-ports.js";
import type { ClaimedDelivery } from "./event-delivery-store.js";
import type { Advanced, EventHandler } from "./event-handler.js";
import { failDelivery } from "./fail-delivery.js";
import type { EventPosition } from "./order-event.js";
import { type DueEvent, readDueEvents } from "./read-due-events.js";
import { type StartTimer, withinDeadline } from "./within-deadline.js";

/** What one claim delivered. */
export interface DeliveredToHandler {
  /** The number of events that the handler has handled. */
  readonly delivered: number;
  /**
   * Whether undelivered events remain: the handler or the storage failed, or the claim was lost or
   * about to expire.
   */
  readonly stopped: boolean;
  /** Present if the storage failed. */
  readonly failure?: StorageFailure;
}

/**
 * Delivers the events of a claimed delivery in order. Never rejects.
 *
 * Ends when no event is left, the handler or the storage fails, or the claim is lost or about to
 * expire.
 */
export async function deliverEvents(
  ports: DeliveryPorts,
  handler: EventHandler,
  delivery: ClaimedDelivery,
  startTimer: StartTimer,
): Promise<DeliveredToHandler> {
  let current: Advanced = delivery;
  let delivered = 0;
  const count = (): void => {
    delivered += 1;
  };
  // The claim also covers events that are appended during the delivery.
  while (isClaimed(current)) {
    const result = await deliverKnown(ports, handler, current, { startTimer, count });
    if (result.isErr()) return { delivered, stopped: true, failure: result.error };
    current = result.value;
  }
  return { delivered, stopped: current === undefined };
}

interface Attempts {
  readonly startTimer: StartTimer;
  /** Counts an event that the handler has handled. */
  readonly count: () => void;
}

/**
 * Delivers the events that are on the timeline now. Returns `undefined` if it did not deliver all.
 */
function deliverKnown(
  ports: DeliveryPorts,
  handler: EventHandler,
  delivery: ClaimedDelivery,
  attempts: Attempts,
): ResultAsync<Advanced, StorageFailure> {
  return attempt(async () => {
    const dueEvents = await readDueEvents(ports, delivery, delivery.next, handler.types);
    if (dueEvents.isErr()) return err(dueEvents.error);
    const { events, end = { seq: delivery.lastSeq + 1, index: 0 } } = dueEvents.value;
    let current: Advanced = delivery;
    for (const due of events) {
      const advance = await passOver(ports, current, due.position);
      if (advance.isErr()) return advance;
      // If the process was paused, the claim may expire before another attempt ends.
      const endsBy = ports.clock.now() + ports.policy.eventDeadline;
      if (!isClaimed(advance.value) || advance.value.until <= endsBy) return ok(undefined);
      const next = await tryEvent(ports, handler, advance.value, due, attempts);
      if (next.isErr()) return next;
      current = next.value;
    }
    return passOver(ports, current, end);
  });
}

/** Advances over events that the handler does not receive. */
function passOver(
  ports: DeliveryPorts,
  current: Advanced,
  to: EventPosition,
): ResultAsync<Advanced, StorageFailure> {
  if (!isClaimed(current)) return okAsync(current);
  const { seq, index } = current.next;
  if (seq === to.seq && index === to.index) return okAsync(current);
  return ports.eventDeliveries.advance(current, to, claimUntil(ports));
}

/** Calls the handler once. Returns `undefined` if it failed, or if the claim was lost. */
function tryEvent(
  ports: DeliveryPorts,
  handler: EventHandler,
  delivery: ClaimedDelivery,
  { event, next }: DueEvent,
  { startTimer, count }: Attempts,
): ResultAsync<Advanced, StorageFailure> {
  return attempt(async () => {
    const startedAt = ports.clock.now();
    const until = claimUntil(ports);
    const { eventDeliveries } = ports;
    const end = await withinDeadline(startTimer, ports.policy.eventDeadline, (signal) =>
      handler.deliver(event, { signal, eventDeliveries, delivery, next, until }),
    );
    if (end.kind !== "done") return failDelivery(ports, delivery, event, end).map(() => undefined);
    if (end.value.isErr() || end.value.value === undefined) return end.value;
    count();
    emit(ports, {
      type: "event.delivered",
      appId: event.appId,
      orderId: event.orderId,
      handler: handler.name,
      eventId: event.id,
      eventType: event.type,
      durationMs: ports.clock.now() - startedAt,
    });
    return end.value;
  });
}

/** Returns the new end of a claim: now, plus the time for one attempt, plus one lease. */
function claimUntil({ clock, policy }: Pick<Ports, "clock" | "policy">): number {
  return clock.now() + policy.eventDeadline + policy.workLease;
}

function isClaimed(advance: Advanced): advance is ClaimedDelivery {
  return advance !== undefined && "claimId" in advance;
}
