import { err, ok, type ResultAsync } from "neverthrow";
import { fail } from "../errors/failure.js";
import { audited } from "../operators/audited.js";
import { auditEntryOf, type OperatorCommand, type Origin } from "../operators/operator-command.js";
import { isSameOperator, type Operator } from "../operators/operator.js";
import type { RefundOrderFailure } from "../refunds/refund-order.js";
import { attempt } from "../shared/attempt.js";
import { continueApproved } from "./continue-approved.js";
import {
  decisionFacts,
  findVisibleApproval,
  refuseSamePerson,
  samePersonFailure,
  type SamePersonFailure,
} from "./decision.js";
import type { DecideRefundInput } from "./decide-refund-input.js";
import type { MadeRefund } from "./made-refund.js";
import type { RefundApproval } from "./refund-approval.js";
import { failApproval, type RefundApprovalFailure } from "./refund-approval-failure.js";
import { readRefundPlan, type RefundCheckFailure, refundableAmount } from "./refund-plan.js";
import type { RefundApprovalPorts } from "./request-refund.js";

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

/** Why a refund was not approved, or was approved and could not be made. */
export type ApproveRefundFailure =
  | RefundOrderFailure
  | SamePersonFailure
  | RefundApprovalFailure<"refund-approval.not-found" | "refund-approval.decided">;

/**
 * Approves a waiting refund for a second operator, and makes it.
 *
 * Safe to retry: a call for an APPROVED refund continues it. If this process dies after the
 * decision, `reconcileOrders` makes the refund. The wallet refunds once, because each attempt has
 * the same number. If the order cannot be refunded by this amount, the call fails, and the approval
 * keeps waiting. The caller checks that the operator has the permission `refund.approve`.
 *
 * @returns the approval and the refund. Fails with `refund-approval.own` if the operator requested
 *   the refund, and with `refund-approval.one-person` during `policy.approverCoolingOff`, which the
 *   audit log records. Fails with `refund-approval.decided` if the request was rejected, with
 *   `refund-approval.not-found`, and like `refundOrder`.
 * @example
 * ```ts
 * import { approveRefund, decideRefundInput, parseInput } from "@tillkit/core";
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
  { id, reason }: DecideRefundInput,
  origin: Origin,
): ResultAsync<DecidedRefund, ApproveRefundFailure> {
  return attempt(async () => {
    const by = { operator: operator.name, reason, ...origin };
    const found = await findVisibleApproval(ports, operator, id);
    if (found.isErr()) return found;
    const approval = found.value;
    if (isSameOperator(approval.requestedBy, operator.name))
      return refuseSamePerson(ports, by, "refund.approve", approval, { name: "refund-approval.own" });
    if (approval.state === "REJECTED") return failApproval("refund-approval.decided");
    if (approval.state === "APPROVED") return continueAgain(ports, by, approval);
    const possible = await requireRefundable(ports, approval);
    if (possible.isErr()) return err(possible.error);
    const at = ports.clock.now();
    const to = { state: "APPROVED", nextTryAt: at + ports.policy.workLease } as const;
    const audit = auditEntryOf(ports, by, decisionFacts("refund.approve", approval));
    const { approverCoolingOff: coolingOff } = ports.policy;
    const decision = { operator: operator.name, note: reason, at, coolingOff, to };
    const decided = await ports.refundApprovals.decide(approval, decision, audit);
    if (decided.isErr()) return decided;
    if (decided.value === undefined) return failApproval("refund-approval.not-found");
    const refused = samePersonFailure(decided.value);
    const { kind, approval: after } = decided.value;
    if (refused !== undefined) return refuseSamePerson(ports, by, "refund.approve", after, refused);
    if (kind === "decided") return continued(ports, after);
    return after.state === "APPROVED"
      ? continueAgain(ports, by, after)
      : failApproval("refund-approval.decided");
  });
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
    const made = await continueApproved(ports, approval);
    if (made.isErr() && made.error.name !== "refund.in-progress") return err(made.error);
    const stored = await ports.refundApprovals.find(approval.id);
    if (stored.isErr()) return stored;
    const decided = { approval: stored.value ?? approval };
    return ok(made.isErr() ? decided : { ...decided, made: made.value });
  });
}

/**
 * Fails if the order cannot be refunded by the amount, or if a program used the number for another
 * amount.
 */
function requireRefundable(
  ports: RefundApprovalPorts,
  { refundNo, amount, ...key }: RefundApproval,
): ResultAsync<void, RefundCheckFailure> {
  return attempt(async () => {
    const read = await readRefundPlan(ports, key);
    if (read.isErr()) return read;
    const stored = read.value.refunds.find((refund) => refund.refundNo === refundNo);
    if (stored !== undefined)
      return stored.amount === amount ? ok(undefined) : fail("refund-no.conflict", { amount: stored.amount });
    const refundable = refundableAmount(read.value, amount);
    return refundable.isErr() ? err(refundable.error) : ok(undefined);
  });
}
