import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { openAlarms } from "../orders/open-alarms.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { RefundApproval } from "./refund-approval.js";
import type { RefundApprovalsQuery } from "./refund-approval-store.js";

/** The maximum number of approvals, and of orders with an alarm, that one list examines. */
const CONSIDERED = 1_000;

/**
 * Lists approved refunds that could not be made, the latest request first.
 *
 * A refund leaves the list when an operator acknowledges the alarm about it.
 */
export function listNotMade(
  { refundApprovals, orders, orderSearch }: Pick<Ports, "refundApprovals" | "orders" | "orderSearch">,
  query: RefundApprovalsQuery,
): ResultAsync<readonly RefundApproval[], StorageFailure> {
  return attempt(async () => {
    const candidates = await refundApprovals.list({ ...query, notMade: true, limit: CONSIDERED });
    if (candidates.isErr() || candidates.value.length === 0) return candidates;
    const alarms = await orderSearch.alarms(query.apps, CONSIDERED);
    if (alarms.isErr()) return alarms;
    const open: RefundApproval[] = [];
    for (const approval of candidates.value) {
      const { appId, bizNo, refundNo } = approval;
      if (open.length === query.limit) break;
      if (!alarms.value.some((alarm) => alarm.appId === appId && alarm.bizNo === bizNo)) continue;
      const timeline = await orders.timeline({ appId, bizNo });
      if (timeline.isErr()) return timeline;
      const isOpen = openAlarms(timeline.value).some(
        (alarm) => alarm.type === "REFUND_NOT_MADE" && alarm.refundNo === refundNo,
      );
      if (isOpen) open.push(approval);
    }
    return ok(open);
  });
}
