import {
  isOpenRefund,
  OPEN_REFUND_STATUSES,
  type OrderKey,
  type Refund,
  type RefundMoved,
  type RefundRequestOutcome,
  type RefundSettlement,
  type RefundSettleOutcome,
  type RefundStore,
} from "@tillkit/core";
import { dueWork, longestDue } from "./due-work.js";
import { frozen } from "./frozen.js";
import { byText, type HeldOrder, type MemoryState } from "./memory-state.js";
import { heldOrder, replace } from "./order-store.js";
import { takeBackTime } from "./service-time.js";
import { step } from "./step.js";
import { append } from "./timeline.js";

/** Creates a `RefundStore` in memory. Use the same `state` as for the order store. */
export function memoryRefundStore(state: MemoryState): RefundStore {
  /**
   * Applies `change` if the status of the refund is in `from`. Returns the refund and its order.
   */
  const move = (
    key: OrderKey,
    refundNo: string,
    from: readonly Refund["status"][],
    change: (held: HeldOrder, refund: Refund) => Refund,
  ) =>
    step((): RefundMoved | undefined => {
      const held = heldOrder(state, key);
      const before = held?.refunds.get(refundNo);
      if (held === undefined || before === undefined) return undefined;
      if (!from.includes(before.status)) return { moved: false, refund: before, order: held.order };
      const refund = put(state, held, change(held, before));
      return { moved: true, refund, order: held.order };
    });
  return {
    request: (refund, entry) =>
      step((): RefundRequestOutcome => {
        const held = heldOrder(state, refund);
        if (held === undefined) return { kind: "no-order" };
        const { order, refunds } = held;
        const known = refunds.get(refund.refundNo);
        if (known !== undefined) return { kind: "held", order, refund: known };
        if (order.paymentStatus !== "PAID") return { kind: "not-paid", order };
        const open = [...refunds.values()].find(({ status }) => status === "REQUESTED" || status === "SENT");
        if (open !== undefined) return { kind: "in-progress", order, refund: open };
        const remaining = remainingOf(held);
        if (refund.amount > remaining) return { kind: "exceeds-remaining", order, remaining };
        const stored = put(state, held, frozen({ ...refund, status: "REQUESTED" }));
        append(state.digest, held, entry);
        return { kind: "requested", refund: stored, order: held.order };
      }),
    markSent: (key, refundNo, nextTryAt, entry) =>
      move(key, refundNo, ["REQUESTED"], (held, refund) => {
        append(state.digest, held, entry);
        return { ...refund, status: "SENT", nextTryAt, gmtModified: entry.at };
      }),
    progress: (key, refundNo, { seen, to, nextTryAt, walletRefundNo, entry }) =>
      step((): RefundMoved | undefined => {
        const held = heldOrder(state, key);
        const before = held?.refunds.get(refundNo);
        if (held === undefined || before === undefined) return undefined;
        const isAsSeen = before.status === seen.status && before.gmtModified === seen.gmtModified;
        if (!isOpenRefund(before) || !isAsSeen) return { moved: false, refund: before, order: held.order };
        append(state.digest, held, entry);
        const number = walletRefundNo === undefined ? {} : { walletRefundNo };
        const refund = put(state, held, {
          ...before,
          ...number,
          status: to,
          nextTryAt,
          gmtModified: entry.at,
        });
        return { moved: true, refund, order: held.order };
      }),
    confirm: (key, refundNo, { walletRefundNo, ...confirmation }) =>
      move(key, refundNo, [...OPEN_REFUND_STATUSES, "FAILED"], (held, refund) => {
        const number = walletRefundNo === undefined ? {} : { walletRefundNo };
        return { ...paidBack(state, held, refund, confirmation), ...number, status: "CONFIRMED" };
      }),
    settle: (key, refundNo, settlement) =>
      step((): RefundSettleOutcome | undefined => {
        const held = heldOrder(state, key);
        const before = held?.refunds.get(refundNo);
        if (held === undefined || before === undefined) return undefined;
        const { order } = held;
        if (before.status !== "ABNORMAL" && before.status !== "FAILED")
          return { kind: "not-allowed", refund: before, order };
        const remaining = remainingOf(held, before);
        if (before.amount > remaining) return { kind: "exceeds-remaining", refund: before, order, remaining };
        const refund = put(state, held, {
          ...paidBack(state, held, before, settlement),
          status: "SETTLED",
        });
        return { kind: "settled", refund, order: held.order };
      }),
    reject: (key, refundNo, at, entry, { unlessAccepted = false } = {}) =>
      step((): RefundMoved | undefined => {
        const held = heldOrder(state, key);
        const before = held?.refunds.get(refundNo);
        if (held === undefined || before === undefined) return undefined;
        const isAccepted = before.status === "ABNORMAL" || before.walletRefundNo !== undefined;
        if (!isOpenRefund(before) || (unlessAccepted && isAccepted))
          return { moved: false, refund: before, order: held.order };
        append(state.digest, held, entry);
        const { nextTryAt: _never, ...refund } = before;
        const failed = put(state, held, { ...refund, status: "FAILED", gmtModified: at });
        return { moved: true, refund: failed, order: held.order };
      }),
    list: (key) => step(() => [...(heldOrder(state, key)?.refunds.values() ?? [])].sort(oldestFirst)),
    listConfirmed: ({ payToolIds, from, until, after, limit }) =>
      step(() =>
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
    claimDue: (now, limit, lease) =>
      step(() =>
        dueRefunds(state, now, limit).map(({ held, refund }) =>
          put(state, held, { ...refund, nextTryAt: now + lease }),
        ),
      ),
    dueSince: (now, atMost) => step(() => dueWork(dueRefunds(state, now, atMost))),
    schedule: (key, refundNo, nextTryAt, walletRefundNo) =>
      step(() => {
        const held = heldOrder(state, key);
        const refund = held?.refunds.get(refundNo);
        if (held !== undefined && refund !== undefined && isOpenRefund(refund))
          put(state, held, {
            ...(walletRefundNo === undefined ? {} : { walletRefundNo }),
            ...refund,
            nextTryAt,
          });
      }),
  };
}

/**
 * Adds the refund to the refunded amount of its order, and returns it without a next try.
 *
 * If the whole amount is refunded, the order becomes REFUND and the service time is taken back.
 */
function paidBack(
  state: MemoryState,
  held: HeldOrder,
  { nextTryAt: _never, ...refund }: Refund,
  { at, entry, refundedEntry }: RefundSettlement,
): Refund {
  const refundedAmount = held.order.refundedAmount + refund.amount;
  append(state.digest, held, entry);
  replace(held, { ...held.order, refundedAmount, gmtModified: at });
  if (held.order.paymentStatus === "PAID" && refundedAmount >= held.order.amount) {
    replace(held, { ...held.order, paymentStatus: "REFUND" });
    append(state.digest, held, refundedEntry);
    takeBackTime(state, held.order);
  }
  return { ...refund, gmtModified: at };
}

/**
 * Returns the cents of an order that are neither refunded nor reserved by an open refund.
 *
 * @param except An open refund whose reservation does not count.
 */
function remainingOf({ order, refunds }: HeldOrder, except?: Refund): number {
  const reserved = [...refunds.values()]
    .filter((refund) => isOpenRefund(refund) && refund.refundNo !== except?.refundNo)
    .reduce((sum, { amount }) => sum + amount, 0);
  return order.amount - order.refundedAmount - reserved;
}

function put({ refundingOrders }: MemoryState, held: HeldOrder, refund: Refund): Refund {
  const stored = Object.freeze(refund);
  held.refunds.set(refund.refundNo, stored);
  if ([...held.refunds.values()].some(isOpenRefund)) refundingOrders.add(held);
  else refundingOrders.delete(held);
  return stored;
}

function dueRefunds({ refundingOrders }: MemoryState, now: number, limit: number) {
  const all = [...refundingOrders].flatMap((held) =>
    Array.from(held.refunds.values(), (refund) => ({
      held,
      refund,
      dueAt: isOpenRefund(refund) ? refund.nextTryAt : undefined,
    })),
  );
  return longestDue(all, now, limit);
}

function confirmedFirst(left: Refund, right: Refund): number {
  return (
    left.gmtModified - right.gmtModified ||
    byText(left.bizNo, right.bizNo) ||
    byText(left.appId, right.appId) ||
    byText(left.refundNo, right.refundNo)
  );
}

function oldestFirst(left: Refund, right: Refund): number {
  return left.gmtCreate - right.gmtCreate || byText(left.refundNo, right.refundNo);
}
