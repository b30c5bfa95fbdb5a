import { err, ok, type Result, type ResultAsync } from "neverthrow";
import { fail, type StorageFailure } from "../errors/failure.js";
import { audited } from "../operators/audited.js";
import { auditEntryOf, type OperatorCommand, type Origin } from "../operators/operator-command.js";
import { isSameOperator } from "../operators/is-same-operator.js";
import type { Operator } from "../operators/operator.js";
import type { MadeRefund, RefundOrderFailure } from "../refunds/refund-order.js";
import { whileChanged } from "../refunds/while-changed.js";
import { attempt } from "../shared/attempt.js";
import { continueApproved } from "./continue-approved.js";
import { decisionFacts, findVisibleApproval, refuseSamePerson, samePersonFailure } from "./decision.js";
import type { DecideRefundInput } from "./decide-refund-input.js";
import type { RefundApproval } from "./refund-approval.js";
import { decisionEntry } from "./approval-entries.js";
import { unseenActivity } from "./order-activity.js";
import {
  failApproval,
  failUnseen,
  type RefundApprovalFailure,
  type UnseenActivityFailure,
} from "./refund-approval-failure.js";
import type { ApprovalDecisionResult } from "./refund-approval-store.js";
import { readRefundPlan, type RefundCheckFailure, refundableAmount, type RefundPlan } from "./refund-plan.js";
import type { RefundApprovalPorts } from "./request-refund.js";
import type { SamePersonFailure } from "./same-person.js";

/** An approval after a decision, with the refund if it was made. */
export interface DecidedRefund {
  readonly approval: RefundApproval;
  /**
   * The refund. Absent after a rejection, or while another refund of the order is in progress.
   *
   * If another refund is in progress, the reconciler makes the approved refund afterwards.
   */
  readonly made?: MadeRefund;
}

/** Why a refund was not approved, or why it was approved and not made. */
export type ApproveRefundFailure =
  | RefundOrderFailure
  | SamePersonFailure
  | UnseenActivityFailure
  | RefundApprovalFailure<"refund-approval.not-found" | "refund-approval.decided">;

/**
 * Approves a waiting refund on behalf of a second operator, and makes the refund.
 *
 * Safe to retry: a call for an APPROVED refund continues it. If this process dies after the
 * decision, `reconcileOrders` makes the refund. The wallet refunds once, because each attempt has
 * the same number. If the order does not allow a refund of this amount, the call fails, and the
 * approval stays WAITING. The caller checks that the operator has the permission `refund.approve`.
 *
 * @returns the approval and the refund. Fails with `refund-approval.own` if the operator requested
 *   the refund, and with `refund-approval.one-person` during `policy.approverCoolingOff`. The audit
 *   log records both failures. Fails with `refund.unseen-activity` if others have started something
 *   for the order that the operator has not seen. This failure contains everything that is open for
 *   the order. Fails with `refund-approval.decided` if the request was rejected, with
 *   `refund-approval.not-found`, and like `refundOrder`.
 * @example
 * ```ts
 * import { parseInput } from "@tillkit/core";
 * import { approveRefund, decideRefundInput } from "@tillkit/core/operators";
 *
 * const operator = { name: "han", role: "finance" } as const;
 * const decision = parseInput(decideRefundInput(), { id: "0123456789ABCDEF", reason: "checked" });
 * const approved = await decision.asyncAndThen((input) =>
 *   approveRefund(ports, operator, input, { from: "192.0.2.1", traceId: "" }),
 * );
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/refund-approvals.md |
 *   A second operator approves large refunds}
 */
export function approveRefund(
  ports: RefundApprovalPorts,
  operator: Operator,
  input: DecideRefundInput,
  origin: Origin,
): ResultAsync<DecidedRefund, ApproveRefundFailure> {
  const by = { operator: operator.name, reason: input.reason, ...origin };
  let { seen } = input;
  return whileChanged<DecidedRefund, ApproveRefundFailure>(() =>
    attempt(async () => {
      const approval = await findVisibleApproval(ports, operator, input.id);
      if (approval.isErr()) return approval;
      if (isSameOperator(approval.value.requestedBy, operator.name))
        return refuseSamePerson(ports, by, "refund.approve", approval.value, { name: "refund-approval.own" });
      if (approval.value.state === "REJECTED") return failApproval("refund-approval.decided");
      if (approval.value.state === "APPROVED") return continueAgain(ports, by, approval.value);
      const plan = await readRefundPlan(ports, approval.value);
      if (plan.isErr()) return plan;
      const activity = unseenActivity(plan.value, seen, approval.value.refundNo);
      if (activity !== undefined) return failUnseen(activity);
      const possible = requireRefundable(plan.value, approval.value);
      if (possible.isErr()) return err(possible.error);
      const decision = await decide(ports, by, approval.value, plan.value.seen);
      if (decision.isErr()) return decision;
      if (decision.value === undefined) return failApproval("refund-approval.not-found");
      const refusal = samePersonFailure(decision.value);
      if (refusal !== undefined)
        return refuseSamePerson(ports, by, "refund.approve", approval.value, refusal);
      if (decision.value.kind === "decided") return continued(ports, decision.value.approval);
      // The operator has not seen what was added after the first attempt.
      seen ??= plan.value.seen;
      return ok("changed" as const);
    }),
  );
}

/** Stores the decision if the timeline of the order still ends at `seen`. */
function decide(
  ports: RefundApprovalPorts,
  by: OperatorCommand,
  approval: RefundApproval,
  seen: number,
): ResultAsync<ApprovalDecisionResult | undefined, StorageFailure> {
  const { workLease, approverCoolingOff: coolingOff } = ports.policy;
  const at = ports.clock.now();
  const to = { state: "APPROVED", nextTryAt: at + workLease } as const;
  const decision = { operator: by.operator, note: by.reason, at, coolingOff, seen, to };
  const audit = auditEntryOf(ports, by, decisionFacts("refund.approve", approval));
  return ports.refundApprovals.decide(approval, decision, decisionEntry(approval, decision), audit);
}

/** Continues a refund that is already approved, and records the operator's call. */
function continueAgain(
  ports: RefundApprovalPorts,
  by: OperatorCommand,
  approval: RefundApproval,
): ResultAsync<DecidedRefund, RefundOrderFailure> {
  return audited(ports, by, decisionFacts("refund.approve", approval), () => continued(ports, approval));
}

function continued(
  ports: RefundApprovalPorts,
  approval: RefundApproval,
): ResultAsync<DecidedRefund, RefundOrderFailure> {
  return attempt(async () => {
    const refund = await continueApproved(ports, approval);
    if (refund.isErr() && refund.error.name !== "refund.in-progress") return err(refund.error);
    const current = await ports.refundApprovals.find(approval.id);
    if (current.isErr()) return current;
    const outcome = { approval: current.value ?? approval };
    return ok(refund.isErr() ? outcome : { ...outcome, made: refund.value });
  });
}

/**
 * Fails if the order does not allow a refund of the amount.
 *
 * Also fails if a stored refund has the number and another amount.
 */
function requireRefundable(
  plan: RefundPlan,
  { refundNo, amount }: RefundApproval,
): Result<void, RefundCheckFailure> {
  const record = plan.refunds.find((refund) => refund.refundNo === refundNo);
  if (record !== undefined)
    return record.amount === amount ? ok(undefined) : fail("refund-no.conflict", { amount: record.amount });
  return refundableAmount(plan, amount).map(() => undefined);
}
