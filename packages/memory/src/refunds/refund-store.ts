import { OPEN_REFUND_STATUSES, type Order, type OrderKey, type Refund } from "@tillkit/core";
import {
  blocksOtherRefunds,
  adoptableAmount,
  isAcceptedRefund,
  isOpenRefund,
  isSendable,
  isRefundedInFull,
  outRefundNo,
  remainingOf,
  type RefundAdoptOutcome,
  type RefundClaimOutcome,
  type RefundCount,
  type RefundFilter,
  type RefundPosition,
  type RefundTransitionResult,
  type RefundRequestOutcome,
  type RefundSettleOutcome,
  type RefundStore,
  type RefundWithdrawOutcome,
  type StoredRecord,
} from "@tillkit/core/ports";
import { auditChange } from "../audit/audit-log.js";
import { dueWork, longestDue } from "../state/due-work.js";
import { frozen } from "../state/frozen.js";
import { compareText, type StoredOrder, type MemoryState } from "../state/memory-state.js";
import { findStoredOrder, replace, setQuery } from "../orders/order-store.js";
import { takeBackTime } from "../services/service-time.js";
import { pageOf } from "../state/page-of.js";
import { runAtomically } from "../state/run-atomically.js";
import { append } from "../timeline/timeline.js";

/** Creates a `RefundStore` in memory. Use the same `state` as for the order store. */
export function memoryRefundStore(state: MemoryState): RefundStore {
  /** Applies `change` if `allows` returns true for the refund. Returns the refund and its order. */
  const move = (
    key: OrderKey,
    refundNo: string,
    allows: (refund: Refund) => boolean,
    change: (stored: StoredOrder, refund: Refund) => Refund,
  ) =>
    runAtomically((): RefundTransitionResult | undefined => {
      const stored = findStoredOrder(state, key);
      const before = stored?.refunds.get(refundNo);
      if (stored === undefined || before === undefined) return undefined;
      if (!allows(before)) return { moved: false, refund: before, order: stored.order };
      const refund = put(state, stored, change(stored, before));
      return { moved: true, refund, order: stored.order };
    });
  return {
    request: (refund, entry, seen) =>
      runAtomically((): RefundRequestOutcome => {
        const held = findStoredOrder(state, refund);
        if (held === undefined) return { kind: "no-order" };
        const { order, refunds } = held;
        const known = refunds.get(refund.refundNo);
        if (known !== undefined) return { kind: "held", order, refund: known };
        if (seen !== undefined && held.timeline.length !== seen) return { kind: "changed", order };
        if (order.paymentStatus !== "PAID") return { kind: "not-paid", order };
        const open = [...refunds.values()].find(blocksOtherRefunds);
        if (open !== undefined) return { kind: "in-progress", order, refund: open };
        const remaining = remainingOf(order, [...refunds.values()]);
        if (refund.amount > remaining) return { kind: "exceeds-remaining", order, remaining };
        const stored = put(state, held, frozen({ ...refund, status: "REQUESTED" }));
        append(state, held, entry);
        return { kind: "requested", refund: stored, order: held.order };
      }),
    adopt: ({ refund: found, paidTwiceEntry, ...settlement }, audit) =>
      runAtomically((): RefundAdoptOutcome => {
        const stored = findStoredOrder(state, found);
        if (stored === undefined) return { kind: "no-order" };
        const { order, refunds } = stored;
        const same = refunds.get(found.refundNo);
        if (same !== undefined) return { kind: "held", order, refund: same };
        if (order.paymentStatus !== "PAID" && order.paymentStatus !== "REFUND")
          return { kind: "not-paid", order };
        const { remaining, isPaidTwice } = adoptableAmount(order, [...refunds.values()], found);
        if (found.amount > remaining) return { kind: "exceeds-amount", order, remaining };
        auditChange(state, audit);
        const refund = put(state, stored, {
          ...paidBack(state, stored, found, settlement),
          status: "CONFIRMED",
        });
        if (isPaidTwice) append(state, stored, paidTwiceEntry);
        return { kind: "adopted", refund, order: stored.order, isPaidTwice };
      }),
    markSent: (key, refundNo, nextTryAt, entry, sendingUntil) =>
      move(key, refundNo, isIn(["REQUESTED"]), (stored, refund) => {
        append(state, stored, entry);
        const claim = sendingUntil === undefined ? {} : { sendingUntil };
        return { ...refund, ...claim, status: "SENT", nextTryAt, gmtModified: entry.at };
      }),
    claimSend: (key, refundNo, { at, until }) =>
      runAtomically((): RefundClaimOutcome | undefined => {
        const stored = findStoredOrder(state, key);
        const before = stored?.refunds.get(refundNo);
        if (stored === undefined || before === undefined) return undefined;
        if (before.status === "REQUESTED" || !isSendable(before))
          return { kind: "not-allowed", refund: before };
        if (mayBeSending(before, at)) return { kind: "claimed", refund: before };
        return { kind: "granted", refund: put(state, stored, { ...before, sendingUntil: until }) };
      }),
    withdraw: (key, refundNo, { at, queriedAt, entry }, audit) =>
      runAtomically((): RefundWithdrawOutcome | undefined => {
        const stored = findStoredOrder(state, key);
        const before = stored?.refunds.get(refundNo);
        if (stored === undefined || before === undefined) return undefined;
        const { order } = stored;
        if (!isSendable(before)) return { kind: "not-allowed", refund: before, order };
        if (mayBeSending(before, queriedAt)) return { kind: "sending", refund: before, order };
        auditChange(state, audit);
        append(state, stored, entry);
        const { nextTryAt: _never, ...refund } = before;
        const withdrawn = put(state, stored, { ...refund, status: "WITHDRAWN", gmtModified: at });
        return { kind: "withdrawn", refund: withdrawn, order: stored.order };
      }),
    progress: (key, refundNo, { seen, to, nextTryAt, walletRefundNo, sendingUntil, entry }) => {
      const isAsSeen = ({ status, gmtModified }: Refund) =>
        status === seen.status && gmtModified === seen.gmtModified;
      const allows = (refund: Refund) => isOpenRefund(refund) && isAsSeen(refund);
      return move(key, refundNo, allows, (stored, refund) => {
        append(state, stored, entry);
        const number = walletRefundNo === undefined ? {} : { walletRefundNo };
        const claim = sendingUntil === undefined ? {} : { sendingUntil };
        return { ...refund, ...number, ...claim, status: to, nextTryAt, gmtModified: entry.at };
      });
    },
    confirm: (key, refundNo, { walletRefundNo, from, ...confirmation }) => {
      const isUnconfirmed = isIn([...OPEN_REFUND_STATUSES, "FAILED", "WITHDRAWN"]);
      const allows = (refund: Refund) => isUnconfirmed(refund) && (from ?? refund.status) === refund.status;
      return move(key, refundNo, allows, (stored, refund) => {
        const number = walletRefundNo === undefined ? {} : { walletRefundNo };
        return { ...paidBack(state, stored, refund, confirmation), ...number, status: "CONFIRMED" };
      });
    },
    settle: (key, refundNo, settlement, audit) =>
      runAtomically((): RefundSettleOutcome | undefined => {
        const stored = findStoredOrder(state, key);
        const before = stored?.refunds.get(refundNo);
        if (stored === undefined || before === undefined) return undefined;
        const { order } = stored;
        const { queriedAt, seen = stored.timeline.length } = settlement;
        if (!isIn(["FAILED", "WITHDRAWN"])(before)) {
          if (!isOpenRefund(before)) return { kind: "not-allowed", refund: before, order };
          if (mayBeSending(before, queriedAt)) return { kind: "sending", refund: before, order };
        }
        if (stored.timeline.length !== seen) return { kind: "changed", refund: before, order };
        const others = [...stored.refunds.values()].filter((refund) => refund !== before);
        const remaining = remainingOf(order, others);
        if (before.amount > remaining) return { kind: "exceeds-remaining", refund: before, order, remaining };
        auditChange(state, audit);
        const refund = put(state, stored, {
          ...paidBack(state, stored, before, settlement),
          status: "SETTLED",
        });
        return { kind: "settled", refund, order: stored.order };
      }),
    reject: (key, refundNo, at, entry, { unlessAccepted = false } = {}) => {
      const allows = (refund: Refund) =>
        isOpenRefund(refund) && !(unlessAccepted && isAcceptedRefund(refund));
      return move(key, refundNo, allows, (stored, { nextTryAt: _never, ...refund }) => {
        append(state, stored, entry);
        return { ...refund, status: "FAILED", gmtModified: at };
      });
    },
    readRecord: (key) => runAtomically(() => readStoredRecord(state, key)),
    list: (key) =>
      runAtomically(() => [...(findStoredOrder(state, key)?.refunds.values() ?? [])].sort(oldestFirst)),
    listConfirmed: ({ payToolIds, from, until, after, limit }) =>
      runAtomically(() =>
        [...state.orders.values()]
          .filter(({ order }) => payToolIds.includes(order.payToolId))
          .flatMap(({ order, refunds }) => Array.from(refunds.values(), (refund) => ({ refund, order })))
          .filter(
            ({ refund: { status, gmtModified: at } }) => status === "CONFIRMED" && from <= at && at < until,
          )
          .filter(({ refund }) => after === undefined || confirmedFirst(after, refund) < 0)
          .sort((left, right) => confirmedFirst(left.refund, right.refund))
          .slice(0, limit),
      ),
    search: ({ before, limit, ...filter }) =>
      runAtomically(() => {
        const found = [...state.orders.values()]
          .flatMap(({ order, refunds }) =>
            [...refunds.values()].filter((refund) => isSelected(order, refund, filter)),
          )
          .filter((refund) => before === undefined || newestFirst(before, refund) < 0)
          .sort(newestFirst);
        return pageOf(found, limit, ({ gmtCreate, bizNo, appId, refundNo }) => ({
          gmtCreate,
          bizNo,
          appId,
          refundNo,
        }));
      }),
    claimDue: (now, limit, lease) =>
      runAtomically(() =>
        dueRefunds(state, now, limit).map(({ held: stored, refund }) =>
          put(state, stored, { ...refund, nextTryAt: now + lease }),
        ),
      ),
    dueSince: (now, atMost) => runAtomically(() => dueWork(dueRefunds(state, now, atMost))),
    openByStatus: (atMost) =>
      runAtomically(() =>
        OPEN_REFUND_STATUSES.flatMap((status) => {
          const times = [...state.refundingOrders]
            .flatMap(({ refunds }) => [...refunds.values()])
            .filter((refund) => refund.status === status)
            .map(({ gmtCreate }) => gmtCreate);
          if (times.length === 0) return [];
          return [{ status, count: Math.min(times.length, atMost), oldestAt: Math.min(...times) }];
        }),
      ),
    schedule: (key, refundNo, nextTryAt, walletRefundNo) =>
      runAtomically(() => {
        const stored = findStoredOrder(state, key);
        const refund = stored?.refunds.get(refundNo);
        if (stored !== undefined && refund !== undefined && isOpenRefund(refund))
          put(state, stored, {
            ...(walletRefundNo === undefined ? {} : { walletRefundNo }),
            ...refund,
            nextTryAt,
          });
      }),
  };
}

/** Returns whether a call that sends the refund may have run at `queriedAt` or later. */
function mayBeSending({ sendingUntil = 0 }: Refund, queriedAt: number): boolean {
  return sendingUntil > queriedAt;
}

/** Returns a function that checks whether the status of a refund is one of `statuses`. */
function isIn(statuses: readonly Refund["status"][]): (refund: Refund) => boolean {
  return ({ status }) => statuses.includes(status);
}

/**
 * Adds the refund to the refunded amount of its order. Returns the refund without `nextTryAt`.
 *
 * If the whole amount is refunded, the order becomes REFUND and its service time is revoked.
 */
function paidBack(
  state: MemoryState,
  stored: StoredOrder,
  { nextTryAt: _never, ...refund }: Refund,
  { at, entry, refundedEntry }: RefundCount,
): Refund {
  const refundedAmount = stored.order.refundedAmount + refund.amount;
  append(state, stored, entry);
  replace(stored, { ...stored.order, refundedAmount, gmtModified: at });
  if (isRefundedInFull(stored.order, refundedAmount)) {
    replace(stored, { ...stored.order, paymentStatus: "REFUND" });
    setQuery(state, stored, undefined);
    append(state, stored, refundedEntry);
    takeBackTime(state, stored.order);
  }
  return { ...refund, gmtModified: at };
}

function put({ refundingOrders }: MemoryState, held: StoredOrder, refund: Refund): Refund {
  const stored = Object.freeze(refund);
  held.refunds.set(refund.refundNo, stored);
  if ([...held.refunds.values()].some(isOpenRefund)) refundingOrders.add(held);
  else refundingOrders.delete(held);
  return stored;
}

function dueRefunds({ refundingOrders }: MemoryState, now: number, limit: number) {
  const all = [...refundingOrders].flatMap((stored) =>
    Array.from(stored.refunds.values(), (refund) => ({
      held: stored,
      refund,
      dueAt: isOpenRefund(refund) ? refund.nextTryAt : undefined,
    })),
  );
  return longestDue(all, now, limit);
}

function confirmedFirst(left: Refund, right: Refund): number {
  return (
    left.gmtModified - right.gmtModified ||
    compareText(left.bizNo, right.bizNo) ||
    compareText(left.appId, right.appId) ||
    compareText(left.refundNo, right.refundNo)
  );
}

function isSelected(order: Order, refund: Refund, filter: RefundFilter): boolean {
  const { status, apps, operator, number, from = 0, until = Infinity } = filter;
  const { minAmount = 0, maxAmount = Infinity, payChannel, confirmedFrom, confirmedUntil } = filter;
  const numbers = [refund.refundNo, refund.walletRefundNo, refund.bizNo, outRefundNo(order, refund)];
  return (
    (status === undefined || refund.status === status) &&
    (apps === undefined || apps.includes(refund.appId)) &&
    (operator === undefined || refund.operator === operator) &&
    (number === undefined || numbers.includes(number)) &&
    refund.gmtCreate >= from &&
    refund.gmtCreate < until &&
    (payChannel === undefined || order.payChannel === payChannel) &&
    ((confirmedFrom === undefined && confirmedUntil === undefined) ||
      (refund.status === "CONFIRMED" &&
        refund.gmtModified >= (confirmedFrom ?? 0) &&
        refund.gmtModified < (confirmedUntil ?? Infinity))) &&
    refund.amount >= minAmount &&
    refund.amount <= maxAmount
  );
}

function newestFirst(left: RefundPosition, right: RefundPosition): number {
  return (
    right.gmtCreate - left.gmtCreate ||
    compareText(right.bizNo, left.bizNo) ||
    compareText(right.appId, left.appId) ||
    compareText(right.refundNo, left.refundNo)
  );
}

function oldestFirst(left: Refund, right: Refund): number {
  return left.gmtCreate - right.gmtCreate || compareText(left.refundNo, right.refundNo);
}

/** Returns an order with its refunds and its timeline. */
export function readStoredRecord(state: MemoryState, key: OrderKey): StoredRecord | undefined {
  const stored = findStoredOrder(state, key);
  if (stored === undefined) return undefined;
  const { order, refunds, timeline } = stored;
  return { order, refunds: [...refunds.values()].sort(oldestFirst), timeline: [...timeline] };
}
