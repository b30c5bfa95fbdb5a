import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { auditEntryOf, type Origin } from "../operators/operator-command.js";
import { isSameOperator } from "../operators/is-same-operator.js";
import type { Operator } from "../operators/operator.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { decisionEntry } from "./approval-entries.js";
import type { DecideRefundInput } from "./decide-refund-input.js";
import { decisionFacts, findVisibleApproval, refuseSamePerson, samePersonFailure } from "./decision.js";
import type { RefundApproval } from "./refund-approval.js";
import { failApproval, type RefundApprovalFailure } from "./refund-approval-failure.js";
import type { SamePersonFailure } from "./same-person.js";

/** Why a refund was not rejected. */
export type RejectRefundFailure =
  SamePersonFailure | RefundApprovalFailure<"refund-approval.not-found" | "refund-approval.decided">;

/**
 * Rejects a waiting refund on behalf of a second operator.
 *
 * No refund with this number can be requested afterwards. The caller checks that the operator has
 * the permission `refund.reject`.
 *
 * @returns the REJECTED approval. Fails with `refund-approval.own` if the operator requested the
 *   refund, and with `refund-approval.one-person` during `policy.approverCoolingOff`. The audit log
 *   records both failures. Fails with `refund-approval.decided` if the request is already approved
 *   or rejected, and with `refund-approval.not-found`.
 * @example
 * ```ts
 * import { parseInput } from "@tillkit/core";
 * import { decideRefundInput, rejectRefund } from "@tillkit/core/operators";
 *
 * const operator = { name: "han", role: "finance" } as const;
 * const decision = parseInput(decideRefundInput(), { id: "0123456789ABCDEF", reason: "twice" });
 * const rejected = await decision.asyncAndThen((input) =>
 *   rejectRefund(ports, operator, input, { from: "192.0.2.1", traceId: "" }),
 * );
 * ```
 */
export function rejectRefund(
  ports: Pick<Ports, "refundApprovals" | "auditLog" | "clock" | "policy">,
  operator: Operator,
  { id, reason }: DecideRefundInput,
  origin: Origin,
): ResultAsync<RefundApproval, RejectRefundFailure | StorageFailure> {
  return attempt(async () => {
    const by = { operator: operator.name, reason, ...origin };
    const approval = await findVisibleApproval(ports, operator, id);
    if (approval.isErr()) return approval;
    if (isSameOperator(approval.value.requestedBy, operator.name))
      return refuseSamePerson(ports, by, "refund.reject", approval.value, { name: "refund-approval.own" });
    const audit = auditEntryOf(ports, by, decisionFacts("refund.reject", approval.value));
    const to = { state: "REJECTED" } as const;
    const { approverCoolingOff: coolingOff } = ports.policy;
    const decision = { operator: operator.name, note: reason, at: ports.clock.now(), coolingOff, to };
    const outcome = await ports.refundApprovals.decide(
      approval.value,
      decision,
      decisionEntry(approval.value, decision),
      audit,
    );
    if (outcome.isErr()) return outcome;
    if (outcome.value === undefined) return failApproval("refund-approval.not-found");
    const refusal = samePersonFailure(outcome.value);
    if (refusal !== undefined) return refuseSamePerson(ports, by, "refund.reject", approval.value, refusal);
    return outcome.value.kind === "decided"
      ? ok(outcome.value.approval)
      : failApproval("refund-approval.decided");
  });
}
