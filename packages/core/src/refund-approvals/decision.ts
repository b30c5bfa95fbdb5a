import { err, ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { appendRefusal, type OperatorCommand } from "../operators/operator-command.js";
import { type Operator, seesApp } from "../operators/operator.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { RefundApproval } from "./refund-approval.js";
import type { ApprovalDecisionResult } from "./refund-approval-store.js";
import { failApproval, type RefundApprovalFailure } from "./refund-approval-failure.js";
import type { SamePersonFailure } from "./same-person.js";

/** Returns the approval if it belongs to an app that the operator sees. */
export function findVisibleApproval(
  { refundApprovals }: Pick<Ports, "refundApprovals">,
  operator: Operator,
  id: string,
): ResultAsync<RefundApproval, RefundApprovalFailure<"refund-approval.not-found"> | StorageFailure> {
  return attempt(async () => {
    const approval = await refundApprovals.find(id);
    if (approval.isErr()) return approval;
    return approval.value === undefined || !seesApp(operator, approval.value.appId)
      ? failApproval("refund-approval.not-found")
      : ok(approval.value);
  });
}

/** Returns the facts of the audit entry of a decision. */
export function decisionFacts(
  action: "refund.approve" | "refund.reject",
  { id, appId, bizNo, refundNo, amount, requestedBy }: RefundApproval,
) {
  const detail = JSON.stringify({ approval: id, refundNo, amount, requestedBy });
  return { action, subject: `order:${appId}/${bizNo}`, appId, detail } as const;
}

/** Records in the audit log that an operator tried to decide about their own request, and fails. */
export function refuseSamePerson(
  ports: Pick<Ports, "auditLog" | "clock">,
  by: OperatorCommand,
  action: "refund.approve" | "refund.reject",
  approval: RefundApproval,
  failure: SamePersonFailure,
): ResultAsync<never, SamePersonFailure | StorageFailure> {
  const { id, refundNo } = approval;
  const { name, ...facts } = failure;
  const detail = JSON.stringify({ failure: name, approval: id, refundNo, ...facts });
  return attempt(async () => {
    const recorded = await appendRefusal(ports, by, { ...decisionFacts(action, approval), detail });
    return recorded.isErr()
      ? err<never, SamePersonFailure | StorageFailure>(recorded.error)
      : err<never, SamePersonFailure | StorageFailure>(failure);
  });
}

/** Returns the failure if the store refused a decision because both operators may be one person. */
export function samePersonFailure(result: ApprovalDecisionResult): SamePersonFailure | undefined {
  if (result.kind === "own") return { name: "refund-approval.own" };
  return result.kind === "one-person"
    ? { name: "refund-approval.one-person", until: result.until }
    : undefined;
}
