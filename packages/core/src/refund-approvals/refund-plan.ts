import { err, ok, type Result, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import type { BillException } from "../bills/bill-exception.js";
import type { Order, OrderKey } from "../orders/order.js";
import { orderDifferences, requireConsistentOrder } from "../refunds/order-differences.js";
import type { TimelineEvent } from "../orders/timeline.js";
import type { Policy } from "../policy.js";
import type { Ports } from "../ports.js";
import type { Refund } from "../refunds/refund.js";
import { remainingOf } from "../refunds/remaining.js";
import { attempt } from "../shared/attempt.js";
import type { RefundApproval } from "./refund-approval.js";

/** The stored facts that decide whether an order may be refunded, and by how much. */
export interface RefundPlan {
  readonly order: Order;
  /** Oldest first. */
  readonly refunds: readonly Refund[];
  readonly approvals: readonly RefundApproval[];
  /** Open differences between the order and bills, the last found first. At most 100. */
  readonly exceptions: readonly BillException[];
  /** Read before the other members. */
  readonly timeline: readonly TimelineEvent[];
  /** The `seq` of the last event of the timeline. */
  readonly seen: number;
  /** Cents that are neither refunded nor reserved by an open refund. */
  readonly remaining: number;
  /** Cents of the refunds that no second operator approved, without FAILED and WITHDRAWN ones. */
  readonly unapproved: number;
}

/** More differences than an operator reads. */
const MOST_EXCEPTIONS = 100;

/** Reads the order with its refunds, approvals and open bill exceptions. */
export function readRefundPlan(
  ports: Pick<Ports, "orders" | "refunds" | "refundApprovals" | "billExceptions">,
  key: OrderKey,
): ResultAsync<RefundPlan, FailureOf<"order.not-found" | "order.damaged" | StorageFailureName>> {
  return attempt(async () => {
    // The timeline is read first: if it still ends there when the refund is stored, then no refund
    // was stored or moved after the reads below.
    const timeline = await ports.orders.timeline(key);
    if (timeline.isErr()) return timeline;
    const found = await ports.orders.find(key);
    if (found.isErr()) return found;
    const order = found.value;
    if (order === undefined) return fail("order.not-found");
    const refunds = await ports.refunds.list(key);
    if (refunds.isErr()) return refunds;
    // The order may have changed between the reads, so the differences are checked again.
    if (orderDifferences(order, refunds.value, timeline.value).length > 0) {
      const consistent = await requireConsistentOrder(ports, key);
      if (consistent.isErr()) return err(consistent.error);
    }
    const approvals = await ports.refundApprovals.listOfOrder(key);
    if (approvals.isErr()) return approvals;
    const open = { state: "OPEN", outTradeNo: order.id, limit: MOST_EXCEPTIONS } as const;
    const exceptions = await ports.billExceptions.list(open);
    if (exceptions.isErr()) return exceptions;
    return ok({
      order,
      exceptions: exceptions.value.items,
      refunds: refunds.value,
      approvals: approvals.value,
      timeline: timeline.value,
      seen: timeline.value.at(-1)?.seq ?? 0,
      remaining: Math.max(0, remainingOf(order, refunds.value)),
      unapproved: unapprovedOf(refunds.value, approvals.value),
    });
  });
}

/** Returns the cents of refunds that no second operator approved, and that may take place. */
export function unapprovedOf(refunds: readonly Refund[], approvals: readonly RefundApproval[]): number {
  const isApproved = ({ refundNo, amount }: Refund) =>
    approvals.some((one) => one.refundNo === refundNo && one.amount === amount && one.state === "APPROVED");
  const hasEnded = ({ status }: Refund) => status === "FAILED" || status === "WITHDRAWN";
  return sumOf(refunds.filter((refund) => !hasEnded(refund) && !isApproved(refund)));
}

function sumOf(refunds: readonly Refund[]): number {
  return refunds.reduce((sum, { amount }) => sum + amount, 0);
}

type NotRefundable = FailureOf<
  "order.not-paid" | "order.refunded" | "refund.exceeds-remaining" | "refund.in-progress"
>;

/** Why an order cannot be refunded by an amount under a refund number. */
export type RefundCheckFailure =
  NotRefundable | FailureOf<"order.not-found" | "order.damaged" | "refund-no.conflict" | StorageFailureName>;

/**
 * Returns the cents of a new refund of the order: `amount`, or everything that remains.
 *
 * Like `refundOrder`, it reports a refund in progress rather than the amount that it reserves.
 */
export function refundableAmount(
  plan: RefundPlan,
  amount: number | undefined,
): Result<number, NotRefundable> {
  const { order, remaining } = plan;
  if (order.paymentStatus === "REFUND") return fail("order.refunded");
  if (order.paymentStatus !== "PAID") return fail("order.not-paid");
  const cents = amount ?? remaining;
  if (cents >= 1 && cents <= remaining) return ok(cents);
  return isInProgress(plan) ? fail("refund.in-progress") : fail("refund.exceeds-remaining", { remaining });
}

/** Returns whether a refund of the order is REQUESTED or SENT, so that no other one can begin. */
export function isInProgress({ refunds }: Pick<RefundPlan, "refunds">): boolean {
  return refunds.some(({ status }) => status === "REQUESTED" || status === "SENT");
}

/** Returns whether a new refund needs a second operator. */
export function needsApproval(
  { unapproved }: Pick<RefundPlan, "unapproved">,
  amount: number,
  { refundApprovalOver }: Pick<Policy, "refundApprovalOver">,
): boolean {
  return refundApprovalOver !== undefined && unapproved + amount > refundApprovalOver;
}
