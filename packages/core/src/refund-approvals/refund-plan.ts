import { ok, type Result, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import type { OrderKey } from "../orders/order.js";
import { type OrderRecord, requireIntactRecord } from "../refunds/order-differences.js";
import type { Ports } from "../ports.js";
import { blocksOtherRefunds } from "../refunds/blocks-other-refunds.js";
import { centsOf, remainingOf, unrecordedIn } from "../refunds/remaining.js";
import { unapprovedOf } from "./needs-approval.js";
import type { RefundFacts } from "./refund-approval-store.js";

/** The stored facts that decide whether an order may be refunded, and by how much. */
export interface RefundPlan extends RefundFacts, Pick<OrderRecord, "seen"> {
  /** Cents that are not refunded, not reserved by an open refund, and in no refund of a bill. */
  readonly remaining: number;
  /** Cents of the refunds that no second operator approved, without FAILED and WITHDRAWN ones. */
  readonly unapproved: number;
}

/** The limit is far above the number of differences that an operator reads. */
const MOST_EXCEPTIONS = 100;

/** Reads the order with its refunds, approvals and open bill exceptions. */
export function readRefundPlan(
  ports: Pick<Ports, "refundApprovals">,
  key: OrderKey,
): ResultAsync<RefundPlan, FailureOf<"order.not-found" | "order.damaged" | StorageFailureName>> {
  return ports.refundApprovals
    .readRefundFacts(key, MOST_EXCEPTIONS)
    .andThen(requireIntactRecord)
    .map((facts) => {
      const { order, refunds, approvals, exceptions } = facts;
      const listed = centsOf(unrecordedIn(exceptions, order, refunds));
      return {
        ...facts,
        remaining: Math.max(0, remainingOf(order, refunds) - listed),
        unapproved: unapprovedOf(refunds, approvals),
      };
    });
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
 * If the amount is too large while another refund is REQUESTED or SENT, the failure is
 * `refund.in-progress`, as in `refundOrder`.
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

/** Returns whether a refund of the order is REQUESTED or SENT, which blocks a new refund. */
export function isInProgress({ refunds }: Pick<RefundPlan, "refunds">): boolean {
  return refunds.some(blocksOtherRefunds);
}
