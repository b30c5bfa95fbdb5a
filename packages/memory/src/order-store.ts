import type { Order, OrderKey, OrderStore, OrderTransition, TimelineEntry } from "@tillkit/core";
import { dueWork, longestDue } from "./due-work.js";
import { frozen } from "./frozen.js";
import { byText, type HeldOrder, heldOr, keyText, type MemoryState } from "./memory-state.js";
import { grantTime } from "./service-time.js";
import { step } from "./step.js";
import { append } from "./timeline.js";

/** Creates an `OrderStore` in memory. */
export function memoryOrderStore(state: MemoryState): OrderStore {
  const held = (key: OrderKey) => heldOrder(state, key);
  return {
    insertOnce: (order, entry) => step(() => (held(order) ?? insert(state, order, entry)).order),
    find: (key) => step(() => held(key)?.order),
    findById: (id) => step(() => state.ordersById.get(id)?.order),
    findByIds: (ids) => step(() => [...new Set(ids)].flatMap((id) => state.ordersById.get(id)?.order ?? [])),
    listPaid: ({ payToolId, from, until, after, limit }) =>
      step(() =>
        Array.from(state.orders.values(), ({ order }) => ({ order, at: order.pmtDt ?? -1, id: order.id }))
          .filter(({ order, at }) => order.payToolId === payToolId && from <= at && at < until)
          .filter((one) => after === undefined || paidOrder({ at: after.pmtDt ?? -1, id: after.id }, one) < 0)
          .sort(paidOrder)
          .slice(0, limit)
          .map(({ order }) => order),
      ),
    list: ({ appId, customerIdentity, paymentStatus, offset, limit }) =>
      step(() => {
        const matching = (state.ordersOfCustomer.get(keyText(appId, customerIdentity)) ?? [])
          .map(({ order }) => order)
          .filter((order) => paymentStatus === undefined || order.paymentStatus === paymentStatus)
          .sort(newestFirst);
        return { items: matching.slice(offset, offset + limit), totalCount: matching.length };
      }),
    claimPrepayment: (key, claim, now) =>
      step(() => {
        const target = held(key);
        if (target === undefined) return undefined;
        const { prepayment, prepaymentClaim: other } = target.order;
        const usable = prepayment !== undefined && now < prepayment.validUntil;
        const taken = other !== undefined && other.id !== claim.id && now < other.until;
        if (!usable && !taken) replace(target, { ...target.order, prepaymentClaim: frozen(claim) });
        return { granted: !usable && !taken, order: target.order };
      }),
    attachPrepayment: (key, prepayment) =>
      step(() => {
        const target = held(key);
        if (target === undefined) return undefined;
        const winner = target.order.prepayment;
        if (winner === undefined || prepayment.issuedAt >= winner.validUntil) {
          const { prepaymentClaim: _ended, ...order } = target.order;
          replace(target, { ...order, prepayment: frozen(prepayment) });
        }
        return target.order;
      }),
    releasePrepayment: (key, claimId) =>
      step(() => {
        const target = held(key);
        if (target?.order.prepaymentClaim?.id !== claimId) return;
        const { prepaymentClaim: _ended, ...order } = target.order;
        replace(target, order);
      }),
    transition: (key, change) =>
      step(() => {
        const target = held(key);
        if (target === undefined) return undefined;
        const moved = target.order.paymentStatus === change.from;
        if (moved) move(state, target, change);
        return { moved, order: target.order };
      }),
    record: (key, entry) =>
      step(() => {
        const target = held(key);
        if (target === undefined || isKnown(target, entry)) return false;
        append(state.digest, target, entry);
        return true;
      }),
    timeline: (key) => step(() => [...(held(key)?.timeline ?? [])]),
    claimQuery: (key, now, interval) =>
      step(() => {
        const target = held(key);
        if (target === undefined) return false;
        const { queriedAt } = target.order;
        if (queriedAt !== undefined && queriedAt > now - interval) return false;
        replace(target, { ...target.order, queriedAt: now });
        return true;
      }),
    claimDue: (now, limit, lease) =>
      step(() =>
        dueOrders(state, now, limit).map(({ target }) =>
          replace(target, { ...target.order, nextQueryAt: now + lease }),
        ),
      ),
    dueSince: (now, atMost) => step(() => dueWork(dueOrders(state, now, atMost))),
    schedule: (key, nextQueryAt) =>
      step(() => {
        const target = held(key);
        if (target !== undefined && isAskable(target.order)) setQuery(state, target, nextQueryAt);
      }),
  };
}

/** Returns the order with its timeline and refunds, or `undefined` if the key is unknown. */
export function heldOrder(
  { orders }: Pick<MemoryState, "orders">,
  { appId, bizNo }: OrderKey,
): HeldOrder | undefined {
  return orders.get(keyText(appId, bizNo));
}

// The wallet may have newer information about a CLOSE order. A PAID order is final.
function isAskable({ paymentStatus }: Order): boolean {
  return paymentStatus === "PENDING" || paymentStatus === "CLOSE";
}

/** Replaces the stored order. */
export function replace(held: HeldOrder, order: Order): Order {
  held.order = Object.freeze(order);
  return held.order;
}

function dueOrders({ queriedOrders }: MemoryState, now: number, limit: number) {
  const all = Array.from(queriedOrders, (target) => ({ target, dueAt: target.order.nextQueryAt }));
  return longestDue(all, now, limit);
}

function insert(state: MemoryState, order: Order, entry: TimelineEntry): HeldOrder {
  const { appId, bizNo, id, customerIdentity, nextQueryAt } = order;
  if (state.ordersById.has(id)) throw new Error("The id is in use by another order.");
  const held: HeldOrder = { order: frozen(order), timeline: [], refunds: new Map() };
  append(state.digest, held, entry);
  state.orders.set(keyText(appId, bizNo), held);
  state.ordersById.set(id, held);
  heldOr(state.ordersOfCustomer, keyText(appId, customerIdentity), () => []).push(held);
  if (isAskable(order)) setQuery(state, held, nextQueryAt);
  return held;
}

function move(state: MemoryState, held: HeldOrder, change: OrderTransition): void {
  const { to, at, pmtDt, walletTradeNo, entry } = change;
  replace(held, {
    ...held.order,
    paymentStatus: to,
    gmtModified: at,
    ...(pmtDt === undefined ? {} : { pmtDt }),
    ...(walletTradeNo === undefined ? {} : { walletTradeNo }),
  });
  setQuery(state, held, change.nextQueryAt);
  append(state.digest, held, entry);
  grantTime(state, held.order, change);
}

function setQuery({ queriedOrders }: MemoryState, held: HeldOrder, at: number | undefined): void {
  const { nextQueryAt: _before, ...order } = held.order;
  if (at === undefined) {
    queriedOrders.delete(held);
    replace(held, order);
  } else {
    queriedOrders.add(held);
    replace(held, { ...order, nextQueryAt: at });
  }
}

// Entries without evidence cannot be recognized as repetitions, so each one is a new event.
function isKnown({ timeline }: HeldOrder, { type, evidence }: TimelineEntry): boolean {
  return (
    evidence !== undefined && timeline.some((event) => event.type === type && event.evidence === evidence)
  );
}

function paidOrder(
  left: { readonly at: number; readonly id: string },
  right: { readonly at: number; readonly id: string },
): number {
  return left.at - right.at || byText(left.id, right.id);
}

function newestFirst(left: Order, right: Order): number {
  return right.gmtCreate - left.gmtCreate || byText(right.id, left.id);
}
