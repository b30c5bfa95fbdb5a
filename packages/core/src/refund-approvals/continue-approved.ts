import { err, ok, okAsync, type Result, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { openAlarms } from "../orders/open-alarms.js";
import { keyOf } from "../orders/order.js";
import { recordAlarm } from "../orders/order-alarm.js";
import type { TimelineEvent } from "../orders/timeline.js";
import type { Ports } from "../ports.js";
import type { SendRefundPorts } from "../refunds/refund-call.js";
import { nextRefundTryAt } from "../refunds/refund-schedule.js";
import { type MadeRefund, makeRefund, type RefundOrderFailure } from "../refunds/refund-order.js";
import { attempt } from "../shared/attempt.js";
import { DAY } from "../shared/date.js";
import { notMadeAlarm, notStoredAlarm } from "./approval-entries.js";
import type { RefundApproval } from "./refund-approval.js";

/** Failures after which Tillkit tries an approved refund again. All others are definite. */
const TEMPORARY: ReadonlySet<RefundOrderFailure["name"]> = new Set([
  "refund.in-progress",
  "refund.outcome-unknown",
  "pay-tool.not-configured",
  "storage.unavailable",
  "storage.misconfigured",
]);

/**
 * Makes the refund of an APPROVED request. Repeated calls make it once.
 *
 * Stores whether the refund was made or has definitely failed. A definite failure raises an alarm.
 * After any other failure, the next attempt is scheduled, and an alarm is raised after
 * `policy.refundOverdue`.
 */
export function continueApproved(
  ports: SendRefundPorts & Pick<Ports, "refundApprovals">,
  approval: RefundApproval,
): ResultAsync<MadeRefund, RefundOrderFailure> {
  return attempt(async (): Promise<Result<MadeRefund, RefundOrderFailure>> => {
    const { appId, bizNo, refundNo, amount, reason, requestedBy: operator, decidedBy } = approval;
    const draft = { bizNo, refundNo, amount, reason, operator, approvedBy: decidedBy };
    const refund = await makeRefund(ports, appId, draft);
    if (refund.isErr() && TEMPORARY.has(refund.error.name)) {
      const { decidedAt = approval.requestedAt } = approval;
      const nextTryAt = nextRefundTryAt({ gmtModified: decidedAt }, ports.clock.now(), ports.policy);
      await ports.refundApprovals.schedule(approval, nextTryAt);
      // If storing the alarm fails, the next attempt raises it.
      await alarmIfOverdue(ports, approval, decidedAt);
      return err(refund.error);
    }
    if (refund.isErr()) {
      // The alarm comes first: if this process dies in between, the next attempt ends the approval.
      const alarm = await reportNotMade(ports, approval, refund.error.name);
      if (alarm.isErr()) return err(alarm.error);
    }
    // If storing the end fails, the next attempt finds the refund by its number and stores the end.
    await ports.refundApprovals.end(approval, refund.isErr() ? refund.error.name : undefined);
    return refund;
  });
}

type AlarmPorts = Pick<Ports, "orders" | "clock" | "observer">;

/** Raises an alarm, once, if an approved refund is not stored within `policy.refundOverdue`. */
function alarmIfOverdue(
  ports: AlarmPorts & Pick<Ports, "policy">,
  approval: RefundApproval,
  decidedAt: number,
): ResultAsync<void, StorageFailure> {
  const age = ports.clock.now() - decidedAt;
  return age < ports.policy.refundOverdue
    ? okAsync(undefined)
    : raise(ports, approval, notStoredAlarm(approval, Math.floor(age / DAY)));
}

/** Raises an alarm on the order, unless an earlier alarm about this refund is still open. */
function reportNotMade(
  ports: AlarmPorts,
  approval: RefundApproval,
  failure: string,
): ResultAsync<void, StorageFailure> {
  return ports.orders.timeline(keyOf(approval)).andThen((timeline) => {
    const isOfRefund = ({ type, refundNo }: TimelineEvent) =>
      type === "REFUND_NOT_MADE" && refundNo === approval.refundNo;
    return openAlarms(timeline).some(isOfRefund)
      ? okAsync(undefined)
      : raise(ports, approval, notMadeAlarm(approval, failure, timeline.filter(isOfRefund).length));
  });
}

function raise(
  ports: AlarmPorts,
  approval: RefundApproval,
  alarm: Parameters<typeof recordAlarm>[2],
): ResultAsync<void, StorageFailure> {
  return ports.orders
    .find(keyOf(approval))
    .andThen((order) => (order === undefined ? okAsync(undefined) : recordAlarm(ports, order, alarm)));
}

/**
 * Makes due approved refunds, for example after the process that approved a refund died.
 *
 * @returns the number of claimed approvals.
 */
export function continueApprovedRefunds(
  ports: SendRefundPorts & Pick<Ports, "refundApprovals">,
  limit: number,
): ResultAsync<number, StorageFailure> {
  return attempt(async () => {
    const { clock, policy, refundApprovals } = ports;
    const approvals = await refundApprovals.claimDue(clock.now(), limit, policy.workLease);
    if (approvals.isErr()) return approvals;
    await Promise.all(approvals.value.map((approval) => continueApproved(ports, approval)));
    return ok(approvals.value.length);
  });
}
