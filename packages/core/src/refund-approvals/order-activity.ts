import type { BillException } from "../bills/bill-exception.js";
import { openAlarms } from "../orders/open-alarms.js";
import type { TimelineEventType } from "../orders/event-details.js";
import type { TimelineEvent } from "../orders/timeline.js";
import { isOpenRefund, type Refund } from "../refunds/refund.js";
import type { RefundApproval } from "./refund-approval.js";
import type { RefundPlan } from "./refund-plan.js";

/**
 * What others have started for an order. An operator must see all of it before money moves.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/refund-approvals.md |
 *   A second operator approves large refunds}
 */
export interface OrderActivity {
  /** The `seq` of the last event on the order's timeline. Send it as `seen` in a request. */
  readonly seen: number;
  /**
   * Requests that wait for a second operator, and approved requests whose refund is not made yet.
   */
  readonly approvals: readonly RefundApproval[];
  /** Open refunds, see `OPEN_REFUND_STATUSES`. */
  readonly refunds: readonly Refund[];
  /** Alarms that no operator has acknowledged. */
  readonly alarms: readonly TimelineEvent[];
  /** OPEN differences between the order and bills. */
  readonly exceptions: readonly BillException[];
}

/** The members of a plan that {@link orderActivity} reads. */
type PlanFacts = Pick<RefundPlan, "seen" | "refunds" | "approvals" | "timeline" | "exceptions">;

/** Returns what others have started for an order, without the refund with the number `except`. */
export function orderActivity(
  { seen, refunds, approvals, timeline, exceptions }: PlanFacts,
  except?: string,
): OrderActivity {
  const isOther = ({ refundNo }: { readonly refundNo: string }) => refundNo !== except;
  return {
    seen,
    approvals: approvals.filter((approval) => isOther(approval) && isUndone(approval)),
    refunds: refunds.filter((refund) => isOther(refund) && isOpenRefund(refund)),
    alarms: openAlarms(timeline),
    exceptions,
  };
}

function isUndone({ state, nextTryAt }: RefundApproval): boolean {
  return state === "WAITING" || nextTryAt !== undefined;
}

/** Events that do not concern the money of a paid order. */
const WITHOUT_MONEY: ReadonlySet<TimelineEventType> = new Set([
  "CREATED",
  "IMPORTED",
  "CONNECTED",
  "PREPAYMENT_REJECTED",
  "ALARM_ACKNOWLEDGED",
  "PERSONAL_DATA_ERASED",
]);

/**
 * Returns everything that others have started, if the operator has not seen all of it.
 *
 * @param seen - the `seq` of the last event that the operator has seen. If it is absent, the
 *   operator has seen nothing, so everything that is still open counts.
 * @param refundNo - the number of the operator's own refund, which does not count.
 * @returns `undefined` if the operator has seen everything.
 */
export function unseenActivity(
  plan: PlanFacts,
  seen: number | undefined,
  refundNo: string,
): OrderActivity | undefined {
  const activity = orderActivity(plan, refundNo);
  const { approvals, refunds, alarms, exceptions } = activity;
  const isUnseen =
    seen === undefined
      ? approvals.length + refunds.length + alarms.length + exceptions.length > 0
      : plan.timeline.some((event) => event.seq > seen && !WITHOUT_MONEY.has(event.type));
  return isUnseen ? activity : undefined;
}
