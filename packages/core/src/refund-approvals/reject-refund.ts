import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { auditEntryOf, type Origin } from "../operators/operator-command.js";
import { isSameOperator, type Operator } from "../operators/operator.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { DecideRefundInput } from "./decide-refund-input.js";
import { decisionFacts, findVisibleApproval, refuseOwn } from "./decision.js";
import type { RefundApproval } from "./refund-approval.js";
import { failApproval, type RefundApprovalFailure } from "./refund-approval-failure.js";

/** Why a refund was not rejected. */
export type RejectRefundFailure = RefundApprovalFailure<
  "refund-approval.not-found" | "refund-approval.own" | "refund-approval.decided"
>;

/**
 * Rejects a waiting refund for a second operator.
 *
 * The number of the refund is never used afterwards. The caller checks that the operator has the
 * permission `refund.reject`.
 *
 * @returns the REJECTED approval. Fails with `refund-approval.own` if the operator requested the
 *   refund, which the audit log records, and with `refund-approval.decided` if somebody has decided
 *   before.
 * @example
 * ```ts
 * import { decideRefundInput, parseInput, rejectRefund } from "@tillkit/core";
 *
 * const operator = { name: "han", role: "finance" } as const;
 * const decision = parseInput(decideRefundInput(), { id: "0123456789ABCDEF", reason: "twice" });
 * const rejected = await decision.asyncAndThen((input) =>
 *   rejectRefund(ports, operator, input, { from: "192.0.2.1", traceId: "" }),
 * );
 * ```
 */
export function rejectRefund(
  ports: Pick<Ports, "refundApprovals" | "auditLog" | "clock">,
  operator: Operator,
  { id, reason }: DecideRefundInput,
  origin: Origin,
): ResultAsync<RefundApproval, RejectRefundFailure | StorageFailure> {
  return attempt(async () => {
    const by = { operator: operator.name, reason, ...origin };
    const found = await findVisibleApproval(ports, operator, id);
    if (found.isErr()) return found;
    const approval = found.value;
    if (isSameOperator(approval.requestedBy, operator.name))
      return refuseOwn(ports, by, "refund.reject", approval);
    const audit = auditEntryOf(ports, by, decisionFacts("refund.reject", approval));
    const to = { state: "REJECTED" } as const;
    const decision = { operator: operator.name, note: reason, at: ports.clock.now(), to };
    const decided = await ports.refundApprovals.decide(approval, decision, audit);
    if (decided.isErr()) return decided;
    if (decided.value === undefined) return failApproval("refund-approval.not-found");
    if (decided.value.kind === "own") return refuseOwn(ports, by, "refund.reject", approval);
    return decided.value.kind === "decided"
      ? ok(decided.value.approval)
      : failApproval("refund-approval.decided");
  });
}
