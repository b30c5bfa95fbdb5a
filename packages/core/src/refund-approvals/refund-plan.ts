import { ok, type Result, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import type { BillException } from "../bills/bill-exception.js";
import type { OrderKey } from "../orders/order.js";
import { type OrderRecord, readOrderRecord } from "../refunds/order-differences.js";
import type { Ports } from "../ports.js";
import { blocksOtherRefunds } from "../refunds/blocks-other-refunds.js";
import { centsOf, remainingOf, unrecordedIn } from "../refunds/remaining.js";
import { attempt } from "../shared/attempt.js";
import { unapprovedOf } from "./needs-approval.js";
import type { RefundApproval } from "./refund-approval.js";

/** The stored facts that decide whether an order may be refunded, and by how much. */
export interface RefundPlan extends OrderRecord {
  readonly approvals: readonly RefundApproval[];
  /** Open differences between the order and bills, the most recently found first. At most 100. */
  readonly exceptions: readonly BillException[];
  /** Cents that are not refunded, not reserved by an open refund, and in no refund of a bill. */
  readonly remaining: number;
  /** Cents of the refunds that no second operator approved, without FAILED and WITHDRAWN ones. */
  readonly unapproved: number;
}

/** The limit is far above the number of differences that an operator reads. */
const MOST_EXCEPTIONS = 100;

/** Reads the order with its refunds, approvals and open bill exceptions. */
export function readRefundPlan(
  ports: Pick<Ports, "refunds" | "refundApprovals" | "billExceptions">,
  key: OrderKey,
): ResultAsync<RefundPlan, FailureOf<"order.not-found" | "order.damaged" | StorageFailureName>> {
  return attempt(async () => {
    const record = await readOrderRecord(ports, key);
    if (record.isErr()) return record;
    const { order, refunds } = record.value;
    const approvals = await ports.refundApprovals.listOfOrder(key);
    if (approvals.isErr()) return approvals;
    const open = { state: "OPEN", outTradeNo: order.id, limit: MOST_EXCEPTIONS } as const;
    const exceptions = await ports.billExceptions.list(open);
    if (exceptions.isErr()) return exceptions;
    return ok({
      ...record.value,
      exceptions: exceptions.value.items,
      approvals: approvals.value,
      remaining: Math.max(
        0,
        remainingOf(order, refunds) - centsOf(unrecordedIn(exceptions.value.items, order, refunds)),
      ),
      unapproved: unapprovedOf(refunds, approvals.value),
    });
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
