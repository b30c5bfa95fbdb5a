import { err, ok, type Result, type ResultAsync } from "neverthrow";
import { fail, type StorageFailure } from "../errors/failure.js";
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
  | UnseenActivityFailure
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
 *   audit log records. Fails with `refund.unseen-activity` and everything that is open if others
 *   have started something for the order that the operator has not seen. Fails with
 *   `refund-approval.decided` if the request was rejected, with `refund-approval.not-found`, and
 *   like `refundOrder`.
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
  input: DecideRefundInput,
  origin: Origin,
): ResultAsync<DecidedRefund, ApproveRefundFailure> {
  return attempt(async () => {
    const by = { operator: operator.name, reason: input.reason, ...origin };
    let { seen } = input;
    for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
      const found = await findVisibleApproval(ports, operator, input.id);
      if (found.isErr()) return found;
      const approval = found.value;
      if (isSameOperator(approval.requestedBy, operator.name))
        return refuseSamePerson(ports, by, "refund.approve", approval, { name: "refund-approval.own" });
      if (approval.state === "REJECTED") return failApproval("refund-approval.decided");
      if (approval.state === "APPROVED") return continueAgain(ports, by, approval);
      const read = await readRefundPlan(ports, approval);
      if (read.isErr()) return read;
      const activity = unseenActivity(read.value, seen, approval.refundNo);
      if (activity !== undefined) return failUnseen(activity);
      const possible = requireRefundable(read.value, approval);
      if (possible.isErr()) return err(possible.error);
      const decided = await decide(ports, by, approval, read.value.seen);
      if (decided.isErr()) return decided;
      if (decided.value === undefined) return failApproval("refund-approval.not-found");
      const refused = samePersonFailure(decided.value);
      if (refused !== undefined) return refuseSamePerson(ports, by, "refund.approve", approval, refused);
      if (decided.value.kind === "decided") return continued(ports, decided.value.approval);
      // What appeared after the first attempt is new to the operator, too.
      seen ??= read.value.seen;
    }
    return fail("refund.in-progress");
  });
}

/** How often a decision is checked again because something else happened meanwhile. */
const ATTEMPTS = 3;

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
  plan: RefundPlan,
  { refundNo, amount }: RefundApproval,
): Result<void, RefundCheckFailure> {
  const stored = plan.refunds.find((refund) => refund.refundNo === refundNo);
  if (stored !== undefined)
    return stored.amount === amount ? ok(undefined) : fail("refund-no.conflict", { amount: stored.amount });
  return refundableAmount(plan, amount).map(() => undefined);
}
