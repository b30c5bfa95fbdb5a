import { err, type ResultAsync } from "neverthrow";
import type { Failure } from "../errors/failure.js";
import type { Refund } from "../refunds/refund.js";
import { applyAbnormalRefund, type ApplyAbnormalRefundInput } from "../refunds/apply-abnormal-refund.js";
import { attempt } from "../shared/attempt.js";
import type { SamePersonFailure } from "./decision.js";
import { requireSecondPerson } from "./second-person.js";
import type { SettlementPorts } from "./settle-for-operator.js";

/**
 * Pays an ABNORMAL refund out, for an operator of the dashboard.
 *
 * Like `applyAbnormalRefund`. Above `policy.refundApprovalOver` it takes two people, like
 * {@link settleForOperator}, because the payout may go to any card. The caller checks that the
 * operator sees the app, and has the permission `refund.pay-out`.
 *
 * @returns the refund. Fails like `applyAbnormalRefund`, with `refund-approval.own` if the operator
 *   requested the refund, and with `refund-approval.one-person` during `policy.approverCoolingOff`.
 * @example
 * ```ts
 * import { applyAbnormalRefundInput, parseInput, payOutForOperator } from "@tillkit/core";
 *
 * const paidOut = await parseInput(applyAbnormalRefundInput(ports.policy), {
 *   bizNo: "order-1001",
 *   refundNo: "return-1",
 *   reason: "card closed",
 *   operator: "alex",
 *   payTo: "merchant",
 * }).asyncAndThen((input) => payOutForOperator(ports, "app_1", input));
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/refund-approvals.md |
 *   A second operator approves large refunds}
 */
export function payOutForOperator(
  ports: SettlementPorts,
  appId: string,
  input: ApplyAbnormalRefundInput,
): ResultAsync<Refund, Failure | SamePersonFailure> {
  return attempt(async () => {
    const permitted = await requireSecondPerson(ports, { appId, bizNo: input.bizNo }, input);
    return permitted.isErr() ? err(permitted.error) : applyAbnormalRefund(ports, appId, input);
  });
}
