import type { OrderKey, TimelineEvent } from "@tillkit/core";
import {
  causesEvent,
  type ClaimedDelivery,
  type DeliveryKey,
  type EventDelivery,
  type EventDeliveryStore,
  type EventPosition,
} from "@tillkit/core/ports";
import { dueWork, longestDue } from "../state/due-work.js";
import { frozen } from "../state/frozen.js";
import { compareText, compositeKey, type MemoryState, type StoredDelivery } from "../state/memory-state.js";
import { removeWhere } from "../state/remove-where.js";
import { runAtomically } from "../state/run-atomically.js";

type DeliveryState = Pick<MemoryState, "eventHandlers" | "eventDeliveries">;

/** Creates an `EventDeliveryStore` in memory. Use the same `state` as for the order store. */
export function memoryEventDeliveryStore(
  state: DeliveryState & Pick<MemoryState, "orders">,
): EventDeliveryStore {
  const { eventHandlers: handlers, eventDeliveries: deliveries } = state;
  /** Returns whether the claim is still valid, and the next event is still the same. */
  const isHeld = (claimed: ClaimedDelivery): boolean => {
    const stored = deliveries.get(keyText(claimed));
    return (
      stored?.claimId === claimed.claimId &&
      stored.delivery.next.seq === claimed.next.seq &&
      stored.delivery.next.index === claimed.next.index
    );
  };
  return {
    registerHandler: (name, at) =>
      runAtomically(() => {
        if (!handlers.has(name)) handlers.set(name, at);
      }),
    removeHandler: (name) =>
      runAtomically(() => {
        for (const [key, { delivery }] of deliveries) if (delivery.handler === name) deliveries.delete(key);
        return handlers.delete(name);
      }),
    listHandlers: () => runAtomically(() => [...handlers.keys()].sort(compareText)),
    claimDue: (handler, { id, now, lease, limit }) =>
      runAtomically(() => {
        const until = now + lease;
        return dueDeliveries(state, now, limit, handler).map(({ delivery, lastAt }): ClaimedDelivery => {
          const claimed = { ...delivery, dueAt: until };
          put(state, claimed, { lastAt, claimId: id });
          return frozen({ ...claimed, claimId: id, until });
        });
      }),
    advance: (claimed, next, until) =>
      runAtomically(() => {
        const stored = deliveries.get(keyText(claimed));
        if (stored === undefined || !isHeld(claimed)) return undefined;
        const { lastAt } = stored;
        const { claimId } = claimed;
        const delivery = placed(claimed, { next, lastSeq: stored.delivery.lastSeq, dueAt: until });
        if (delivery.dueAt === undefined) return put(state, delivery, { lastAt });
        return frozen({ ...put(state, delivery, { lastAt, claimId }), claimId, until });
      }),
    fail: (claimed, result) =>
      runAtomically(() => {
        const stored = deliveries.get(keyText(claimed));
        if (stored === undefined || !isHeld(claimed)) return false;
        const { dueAt: _before, failure: _last, ...delivery } = stored.delivery;
        const { failure } = result;
        const end = {
          ...("parkedAt" in result ? { parkedAt: result.parkedAt } : { dueAt: result.nextTryAt }),
          ...(failure === undefined ? {} : { failure }),
        };
        put(state, { ...delivery, tries: delivery.tries + 1, ...end }, { lastAt: stored.lastAt });
        return true;
      }),
    replay: (key, next, at) =>
      runAtomically(() => {
        const order = state.orders.get(compositeKey(key.appId, key.bizNo));
        if (order === undefined || !handlers.has(key.handler)) return false;
        const { seq: lastSeq = 0, at: lastAt = 0 } = order.timeline.findLast(causesEvent) ?? {};
        put(state, placed(key, { next, lastSeq, dueAt: at }), { lastAt });
        return true;
      }),
    find: (key) => runAtomically(() => deliveries.get(keyText(key))?.delivery),
    list: ({ handler, state: wanted, after, limit }) =>
      runAtomically(() =>
        allDeliveries(state)
          .filter((one) => handler === undefined || one.handler === handler)
          .filter(
            ({ dueAt, parkedAt }) => parkedAt !== undefined || (wanted === "waiting" && dueAt !== undefined),
          )
          .filter((one) => after === undefined || byKey(after, one) < 0)
          .sort(byKey)
          .slice(0, limit),
      ),
    dueSince: (now, atMost) => runAtomically(() => dueWork(dueDeliveries(state, now, atMost))),
    parkedSince: (atMost) =>
      runAtomically(() => {
        const parked = allDeliveries(state).map(({ parkedAt }) => ({ dueAt: parkedAt }));
        return dueWork(longestDue(parked, Number.MAX_SAFE_INTEGER, atMost));
      }),
    removeDelivered: (before, limit) =>
      runAtomically(() =>
        removeWhere(deliveries, ({ delivery, lastAt }) => isIdle(delivery) && lastAt < before, limit),
      ),
  };
}

/**
 * Adds an order's new event to the delivery of each registered handler.
 *
 * If all earlier events of a delivery were delivered, the delivery becomes due.
 */
export function makeDue(state: DeliveryState, { appId, bizNo }: OrderKey, event: TimelineEvent): void {
  if (!causesEvent(event)) return;
  const { seq, at } = event;
  for (const handler of state.eventHandlers.keys()) {
    const key = { appId, bizNo, handler };
    const stored = state.eventDeliveries.get(keyText(key));
    if (stored === undefined) {
      put(state, { ...key, next: { seq, index: 0 }, lastSeq: seq, tries: 0, dueAt: at }, { lastAt: at });
      continue;
    }
    const { delivery, ...rest } = stored;
    const due = isIdle(delivery) ? { dueAt: at } : {};
    put(state, { ...delivery, lastSeq: seq, ...due }, { ...rest, lastAt: at });
  }
}

/** Returns whether the handler has received all events of the delivery. */
function isIdle({ dueAt, parkedAt }: EventDelivery): boolean {
  return dueAt === undefined && parkedAt === undefined;
}

/** Returns a delivery without failed attempts. It is due unless all its events were delivered. */
function placed(
  { appId, bizNo, handler }: DeliveryKey,
  {
    next,
    lastSeq,
    dueAt,
  }: { readonly next: EventPosition; readonly lastSeq: number; readonly dueAt: number },
): EventDelivery {
  const isDone = next.seq > lastSeq;
  return frozen({ appId, bizNo, handler, next, lastSeq, tries: 0, ...(isDone ? {} : { dueAt }) });
}

function put(
  { eventDeliveries }: DeliveryState,
  delivery: EventDelivery,
  more: Omit<StoredDelivery, "delivery">,
): EventDelivery {
  const stored = frozen(delivery);
  eventDeliveries.set(keyText(delivery), { delivery: stored, ...more });
  return stored;
}

function allDeliveries({ eventDeliveries }: DeliveryState): EventDelivery[] {
  return Array.from(eventDeliveries.values(), ({ delivery }) => delivery);
}

function dueDeliveries(state: DeliveryState, now: number, limit: number, handler?: string) {
  const all = [...state.eventDeliveries.values()]
    .filter(({ delivery }) => handler === undefined || delivery.handler === handler)
    .map((stored) => ({ ...stored, dueAt: stored.delivery.dueAt }));
  return longestDue(all, now, limit);
}

function keyText({ handler, appId, bizNo }: DeliveryKey): string {
  return compositeKey(handler, appId, bizNo);
}

function byKey(left: DeliveryKey, right: DeliveryKey): number {
  return (
    compareText(left.bizNo, right.bizNo) ||
    compareText(left.appId, right.appId) ||
    compareText(left.handler, right.handler)
  );
}
