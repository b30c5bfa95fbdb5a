import type { Order, OrderKey, TimelineEntry } from "@tillkit/core";
import {
  type ImportResult,
  isSameImport,
  type OrderStore,
  type OrderTransition,
  type ReplaceResult,
} from "@tillkit/core/ports";
import { auditChange } from "../audit/audit-log.js";
import { dueWork, longestDue } from "../state/due-work.js";
import { frozen } from "../state/frozen.js";
import {
  compareText,
  type StoredOrder,
  getOrCreate,
  compositeKey,
  type MemoryState,
} from "../state/memory-state.js";
import { grantTime } from "../services/service-time.js";
import { runAtomically } from "../state/run-atomically.js";
import { append } from "../timeline/timeline.js";

/** Creates an `OrderStore` in memory. */
export function memoryOrderStore(state: MemoryState): OrderStore {
  const stored = (key: OrderKey) => findStoredOrder(state, key);
  return {
    insertOnce: (order, entry) => runAtomically(() => (stored(order) ?? insert(state, order, entry)).order),
    importOnce: (order, entry) =>
      runAtomically((): ImportResult => {
        const existing = stored(order);
        const owner = state.ordersById.get(order.id);
        if (owner !== undefined && owner !== existing) return { outcome: "id-taken" };
        if (existing !== undefined) return { outcome: "exists", order: existing.order };
        return { outcome: "stored", order: insert(state, order, entry).order };
      }),
    replaceImported: (previous, order, entry, audit) =>
      runAtomically((): ReplaceResult => {
        const target = stored(order);
        if (target === undefined || !isSameImport(target.order, previous)) return "changed";
        if (target.timeline.some(({ type }) => type !== "IMPORTED")) return "touched";
        auditChange(state, audit);
        const { appId, customerIdentity, nextQueryAt } = order;
        const ofPrevious = state.ordersOfCustomer.get(compositeKey(appId, target.order.customerIdentity));
        ofPrevious?.splice(ofPrevious.indexOf(target), 1);
        getOrCreate(state.ordersOfCustomer, compositeKey(appId, customerIdentity), () => []).push(target);
        replace(target, order);
        setQuery(state, target, canChangeAtWallet(order) ? nextQueryAt : undefined);
        append(state, target, entry);
        return "replaced";
      }),
    find: (key) => runAtomically(() => stored(key)?.order),
    findOwn: (key, customerIdentity) =>
      runAtomically(() => {
        const order = stored(key)?.order;
        return order?.customerIdentity === customerIdentity ? order : undefined;
      }),
    findById: (id) => runAtomically(() => state.ordersById.get(id)?.order),
    findByIds: (ids) =>
      runAtomically(() => [...new Set(ids)].flatMap((id) => state.ordersById.get(id)?.order ?? [])),
    listPaid: ({ payToolId, from, until, after, limit }) =>
      runAtomically(() =>
        Array.from(state.orders.values(), ({ order }) => ({ order, at: order.pmtDt ?? -1, id: order.id }))
          .filter(({ order, at }) => order.payToolId === payToolId && from <= at && at < until)
          .filter(
            (one) => after === undefined || byPaymentTime({ at: after.pmtDt ?? -1, id: after.id }, one) < 0,
          )
          .sort(byPaymentTime)
          .slice(0, limit)
          .map(({ order }) => order),
      ),
    listAll: ({ appId, from = 0, until = Infinity, after, limit }) =>
      runAtomically(() =>
        Array.from(state.orders.values(), ({ order }) => order)
          .filter(({ gmtCreate }) => from <= gmtCreate && gmtCreate < until)
          .filter((order) => appId === undefined || order.appId === appId)
          .filter((order) => after === undefined || byKey(after, order) < 0)
          .sort(byKey)
          .slice(0, limit),
      ),
    list: ({ appId, customerIdentity, paymentStatus, offset, limit }) =>
      runAtomically(() => {
        const matching = (state.ordersOfCustomer.get(compositeKey(appId, customerIdentity)) ?? [])
          .map(({ order }) => order)
          .filter((order) => paymentStatus === undefined || order.paymentStatus === paymentStatus)
          .sort(newestFirst);
        return { items: matching.slice(offset, offset + limit), totalCount: matching.length };
      }),
    claimPrepayment: (key, claim, now) =>
      runAtomically(() => {
        const target = stored(key);
        if (target === undefined) return undefined;
        const { paymentStatus, prepayment, prepaymentClaim: other } = target.order;
        const usable = prepayment !== undefined && now < prepayment.validUntil;
        const taken = other !== undefined && other.id !== claim.id && now < other.until;
        const granted = paymentStatus === "PENDING" && !usable && !taken;
        if (granted) replace(target, { ...target.order, prepaymentClaim: frozen(claim) });
        return { granted, order: target.order };
      }),
    attachPrepayment: (key, prepayment) =>
      runAtomically(() => {
        const target = stored(key);
        if (target === undefined) return undefined;
        const winner = target.order.prepayment;
        const isFree = winner === undefined || prepayment.issuedAt >= winner.validUntil;
        if (isFree && canChangeAtWallet(target.order)) {
          const { prepaymentClaim: _ended, ...order } = target.order;
          replace(target, { ...order, prepayment: frozen(prepayment) });
        }
        return target.order;
      }),
    releasePrepayment: (key, claimId) =>
      runAtomically(() => {
        const target = stored(key);
        if (target?.order.prepaymentClaim?.id !== claimId) return;
        const { prepaymentClaim: _ended, ...order } = target.order;
        replace(target, order);
      }),
    transition: (key, change) =>
      runAtomically(() => {
        const target = stored(key);
        if (target === undefined) return undefined;
        const moved = target.order.paymentStatus === change.from;
        if (moved) move(state, target, change);
        return { moved, order: target.order };
      }),
    connect: (key, payToolId, entry) =>
      runAtomically(() => {
        const target = stored(key);
        if (target?.order.payToolId !== "") return target?.order;
        replace(target, { ...target.order, payToolId });
        append(state, target, entry);
        if (target.order.paymentStatus === "PENDING") setQuery(state, target, entry.at);
        return target.order;
      }),
    record: (key, entry, audit) =>
      runAtomically(() => {
        const target = stored(key);
        if (target === undefined || isKnown(target, entry)) return false;
        auditChange(state, audit);
        append(state, target, entry);
        return true;
      }),
    timeline: (key) => runAtomically(() => [...(stored(key)?.timeline ?? [])]),
    claimQuery: (key, now, interval) =>
      runAtomically(() => {
        const target = stored(key);
        if (target === undefined) return false;
        const { queriedAt } = target.order;
        if (queriedAt !== undefined && queriedAt > now - interval) return false;
        replace(target, { ...target.order, queriedAt: now });
        return true;
      }),
    claimDue: (now, limit, lease) =>
      runAtomically(() =>
        dueOrders(state, now, limit).map(({ target }) =>
          replace(target, { ...target.order, nextQueryAt: now + lease }),
        ),
      ),
    dueSince: (now, atMost) => runAtomically(() => dueWork(dueOrders(state, now, atMost))),
    schedule: (key, nextQueryAt) =>
      runAtomically(() => {
        const target = stored(key);
        if (target !== undefined && canChangeAtWallet(target.order)) setQuery(state, target, nextQueryAt);
      }),
    scheduleShipment: (key, nextReportAt) =>
      runAtomically(() => {
        const target = stored(key);
        if (target?.order.paymentStatus === "PAID") setQuery(state, target, nextReportAt);
      }),
    recordShipment: (key, entry, nextReportAt, audit) =>
      runAtomically(() => {
        const target = stored(key);
        if (target?.order.paymentStatus !== "PAID" || isKnown(target, entry)) return false;
        auditChange(state, audit);
        append(state, target, entry);
        setQuery(state, target, nextReportAt);
        return true;
      }),
  };
}

/** Returns the order with its timeline and refunds, or `undefined` if the key is unknown. */
export function findStoredOrder(
  { orders }: Pick<MemoryState, "orders">,
  { appId, bizNo }: OrderKey,
): StoredOrder | undefined {
  return orders.get(compositeKey(appId, bizNo));
}

// A CLOSE order can still become PAID. The wallet cannot change the payment of a PAID order.
function canChangeAtWallet({ paymentStatus }: Order): boolean {
  return paymentStatus === "PENDING" || paymentStatus === "CLOSE";
}

/** Replaces the stored order. */
export function replace(stored: StoredOrder, order: Order): Order {
  stored.order = Object.freeze(order);
  return stored.order;
}

function dueOrders({ ordersToQuery }: MemoryState, now: number, limit: number) {
  const all = Array.from(ordersToQuery, (target) => ({ target, dueAt: target.order.nextQueryAt }));
  return longestDue(all, now, limit);
}

function insert(state: MemoryState, order: Order, entry: TimelineEntry): StoredOrder {
  const { appId, bizNo, id, customerIdentity, nextQueryAt } = order;
  if (state.ordersById.has(id)) throw new Error("Another order already has this id.");
  const stored: StoredOrder = { order: frozen(order), timeline: [], refunds: new Map() };
  append(state, stored, entry);
  state.orders.set(compositeKey(appId, bizNo), stored);
  state.ordersById.set(id, stored);
  getOrCreate(state.ordersOfCustomer, compositeKey(appId, customerIdentity), () => []).push(stored);
  if (canChangeAtWallet(order)) setQuery(state, stored, nextQueryAt);
  return stored;
}

function move(state: MemoryState, stored: StoredOrder, change: OrderTransition): void {
  const { to, at, pmtDt, walletTradeNo, entry } = change;
  replace(stored, {
    ...(to === "PAID" ? withoutPrepayment(stored.order) : stored.order),
    paymentStatus: to,
    gmtModified: at,
    ...(pmtDt === undefined ? {} : { pmtDt }),
    ...(walletTradeNo === undefined ? {} : { walletTradeNo }),
  });
  setQuery(state, stored, change.nextQueryAt);
  append(state, stored, entry);
  grantTime(state, stored.order, change);
}

function withoutPrepayment({ prepayment: _value, prepaymentClaim: _claim, ...order }: Order): Order {
  return order;
}

/** Sets the `nextQueryAt` of an order, or removes it if `at` is `undefined`. */
export function setQuery(
  { ordersToQuery }: Pick<MemoryState, "ordersToQuery">,
  stored: StoredOrder,
  at: number | undefined,
): void {
  const { nextQueryAt: _before, ...order } = stored.order;
  if (at === undefined) {
    ordersToQuery.delete(stored);
    replace(stored, order);
  } else {
    ordersToQuery.add(stored);
    replace(stored, { ...order, nextQueryAt: at });
  }
}

// Entries without evidence cannot be recognized as repetitions, so each one is a new event.
function isKnown({ timeline }: StoredOrder, { type, evidence }: TimelineEntry): boolean {
  return (
    evidence !== undefined && timeline.some((event) => event.type === type && event.evidence === evidence)
  );
}

function byPaymentTime(
  left: { readonly at: number; readonly id: string },
  right: { readonly at: number; readonly id: string },
): number {
  return left.at - right.at || compareText(left.id, right.id);
}

function byKey(left: OrderKey, right: OrderKey): number {
  return compareText(left.bizNo, right.bizNo) || compareText(left.appId, right.appId);
}

function newestFirst(left: Order, right: Order): number {
  return right.gmtCreate - left.gmtCreate || compareText(right.id, left.id);
}
