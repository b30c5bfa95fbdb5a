import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail } from "../errors/failure.js";
import {
  appendRefusal,
  auditEntryOf,
  type OperatorCommand,
  type Origin,
} from "../operators/operator-command.js";
import { audited } from "../operators/audited.js";
import type { Operator } from "../operators/operator.js";
import { isPermitted } from "../operators/permissions.js";
import { readConnected } from "../orders/find-connected-order.js";
import type { Ports } from "../ports.js";
import type { RefundPorts } from "../refunds/refund-call.js";
import { refundInputShape } from "../refunds/refund-input-shape.js";
import {
  type MadeRefund,
  type RefundDraft,
  type RefundOrderFailure,
  refundRecord,
} from "../refunds/refund-order.js";
import { whileChanged } from "../refunds/while-changed.js";
import { attempt } from "../shared/attempt.js";
import { perPolicy, nonBlankText } from "../shared/input.js";
import { newId } from "../shared/random.js";
import { continueApproved } from "./continue-approved.js";
import type { RefundApproval } from "./refund-approval.js";
import { approvalRequestedEntry } from "./approval-entries.js";
import { seenInput } from "./decide-refund-input.js";
import { unseenActivity } from "./order-activity.js";
import {
  failApproval,
  failUnseen,
  type RefundApprovalFailure,
  type UnseenActivityFailure,
} from "./refund-approval-failure.js";
import { needsApproval } from "./needs-approval.js";
import { isInProgress, readRefundPlan, refundableAmount, type RefundPlan } from "./refund-plan.js";

/**
 * Operator's request to refund an order, fully or partially.
 *
 * Like `refundOrderInput`, without the operator.
 */
export const requestRefundInput = perPolicy(() =>
  z
    .object({
      ...refundInputShape(),
      reason: nonBlankText(80),
      seen: seenInput(),
    })
    .brand<"RequestRefundInput">(),
);
/** A valid request: the result of `parseInput(requestRefundInput(policy), …)`. */
export type RequestRefundInput = z.output<ReturnType<typeof requestRefundInput>>;

/** The result of a request: a refund, or an approval that waits for a second operator. */
export type RequestedRefund =
  MadeRefund | { readonly outcome: "waiting-for-approval"; readonly approval: RefundApproval };

/** Why a request led to neither a refund nor an approval. */
export type RequestRefundFailure =
  | RefundOrderFailure
  | UnseenActivityFailure
  | RefundApprovalFailure<"refund.over-support-limit" | "refund-approval.rejected">;

/** The ports that functions for operators' refunds need. */
export type RefundApprovalPorts = RefundPorts &
  Pick<Ports, "refundApprovals" | "billExceptions" | "auditLog" | "random">;

/**
 * Refunds an order on behalf of an operator, or requests the approval of a second operator.
 *
 * A request above `policy.refundApprovalOver` needs an approval. Roles below `finance` may refund
 * at most `policy.supportRefundLimit`. Each limit applies to the amount plus all other refunds of
 * the order that had no approval. The caller checks that the operator sees the app, and has the
 * permission `refund.request`. The request is recorded in the audit log.
 *
 * The operator must have seen what others have started for the order. `seen` is the `seq` of the
 * last event that the operator has seen. The store checks the timeline again in the step that
 * stores the refund or the approval.
 *
 * Safe to retry: a call with the same `refundNo` continues the refund, or returns the approval.
 *
 * @returns the refund and its outcome, or the waiting approval. Fails like `refundOrder`, and with
 *   `refund.over-support-limit`. Fails with `refund.unseen-activity`, which contains everything
 *   that is open, and with `refund-approval.rejected` if a second operator rejected the refund with
 *   this number.
 * @example
 * ```ts
 * import { parseInput, requestRefund, requestRefundInput } from "@tillkit/core";
 *
 * const operator = { name: "li", role: "support" } as const;
 * const request = { bizNo: "order-1001", refundNo: "return-1", amount: 250, reason: "returned" };
 * const requested = await parseInput(requestRefundInput(ports.policy), request).asyncAndThen(
 *   (input) => requestRefund(ports, operator, "app_1", input, { from: "192.0.2.1", traceId: "" }),
 * );
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/refund-approvals.md |
 *   A second operator approves large refunds}
 */
export function requestRefund(
  ports: RefundApprovalPorts,
  operator: Operator,
  appId: string,
  input: RequestRefundInput,
  origin: Origin,
): ResultAsync<RequestedRefund, RequestRefundFailure> {
  const key = { appId, bizNo: input.bizNo };
  const by: OperatorCommand = { operator: operator.name, reason: input.reason, ...origin };
  const actor = `operator:${operator.name}`;
  let first: RefundPlan | undefined;
  return whileChanged<RequestedRefund, RequestRefundFailure>((isLast) =>
    attempt(async () => {
      const plan = await readConnected(ports, actor, () => readRefundPlan(ports, key));
      if (plan.isErr()) return plan;
      // The operator has not seen what was added after the first attempt.
      const seen = input.seen ?? first?.seen;
      first ??= plan.value;
      const repeat = await repeatRequest(ports, by, input, plan.value);
      if (repeat.isErr()) return repeat;
      if (repeat.value !== undefined) return ok(repeat.value);
      return newRequest(ports, operator, by, { ...input, seen, isLast }, plan.value);
    }),
  );
}

/** Continues an earlier request with the same number. Returns `undefined` for a new number. */
function repeatRequest(
  ports: RefundApprovalPorts,
  by: OperatorCommand,
  { refundNo, amount }: RequestRefundInput,
  plan: RefundPlan,
): ResultAsync<RequestedRefund | undefined, RequestRefundFailure> {
  return attempt(async () => {
    const { order, refunds, approvals } = plan;
    const { appId, bizNo } = order;
    const refund = refunds.find((one) => one.refundNo === refundNo);
    const approval = approvals.find((one) => one.refundNo === refundNo);
    const record = refund ?? approval;
    if (record === undefined) return ok(undefined);
    if (amount !== undefined && amount !== record.amount)
      return fail("refund-no.conflict", { amount: record.amount });
    const facts = requestFacts({ appId, bizNo, refundNo, amount: record.amount });
    if (approval?.state === "APPROVED")
      return audited(ports, by, facts, () => continueApproved(ports, approval));
    if (refund !== undefined) return audited(ports, by, facts, () => refundUnchanged(ports, plan, refund));
    if (approval?.state === "REJECTED") return failApproval("refund-approval.rejected");
    return ok(approval && ({ outcome: "waiting-for-approval", approval } as const));
  });
}

/**
 * Makes a refund with a new number, or stores a request for its approval.
 *
 * Returns `changed` if it stored nothing, because the order has changed since `plan` was read. The
 * audit log then gets no entry, because the next attempt may still make the refund. On the last
 * attempt, a refund that needs no approval fails instead.
 */
function newRequest(
  ports: RefundApprovalPorts,
  operator: Operator,
  by: OperatorCommand,
  {
    refundNo,
    amount: wantedAmount,
    reason,
    seen,
    isLast,
  }: Omit<RequestRefundInput, typeof z.$brand> & { readonly isLast: boolean },
  plan: RefundPlan,
): ResultAsync<RequestedRefund | "changed", RequestRefundFailure> {
  return attempt(async () => {
    const { appId, bizNo } = plan.order;
    const activity = unseenActivity(plan, seen, refundNo);
    if (seen !== undefined && activity !== undefined) return failUnseen(activity);
    const amount = refundableAmount(plan, wantedAmount);
    if (amount.isErr()) return err(amount.error);
    const facts = requestFacts({ appId, bizNo, refundNo, amount: amount.value });
    if (isOverSupportLimit(operator, plan.unapproved + amount.value, ports.policy)) {
      const failure = failApproval("refund.over-support-limit");
      const detail = JSON.stringify({ failure: failure.error.name, refundNo, amount: amount.value });
      const recorded = await appendRefusal(ports, by, { ...facts, detail });
      return recorded.isErr() ? err(recorded.error) : failure;
    }
    const isDirect = !needsApproval(plan, amount.value, ports.policy);
    if (isDirect && isInProgress(plan)) return fail("refund.in-progress");
    if (activity !== undefined) return failUnseen(activity);
    const draft = { bizNo, refundNo, amount: amount.value, reason, operator: operator.name };
    if (isDirect && isLast) return audited(ports, by, facts, () => refundUnchanged(ports, plan, draft));
    if (isDirect) {
      const refund = () => refundRecord(ports, plan, draft);
      return audited(ports, by, facts, refund, undefined, (result) => result === "changed");
    }
    const approval: RefundApproval = {
      id: newId(ports),
      appId,
      bizNo,
      refundNo,
      amount: amount.value,
      reason,
      requestedBy: operator.name,
      requestedAt: ports.clock.now(),
      state: "WAITING",
    };
    const detail = JSON.stringify({ refundNo, amount: amount.value, approval: approval.id });
    const audit = auditEntryOf(ports, by, { ...facts, detail });
    const entry = approvalRequestedEntry(approval);
    const outcome = await ports.refundApprovals.request(approval, entry, plan.seen, audit);
    if (outcome.isErr()) return outcome;
    if (outcome.value.kind === "no-order") return fail("order.not-found");
    if (outcome.value.kind === "changed") return ok("changed" as const);
    // A concurrent call may have stored the same number with another amount.
    return outcome.value.approval.amount === amount.value
      ? ok({ outcome: "waiting-for-approval", approval: outcome.value.approval } as const)
      : fail("refund-no.conflict", { amount: outcome.value.approval.amount });
  });
}

/**
 * Makes the refund. Fails with `refund.in-progress` if the order has changed since `plan` was read.
 */
function refundUnchanged(
  ports: RefundApprovalPorts,
  plan: RefundPlan,
  draft: RefundDraft,
): ResultAsync<MadeRefund, RefundOrderFailure> {
  return refundRecord(ports, plan, draft).andThen((refund) =>
    refund === "changed" ? fail("refund.in-progress") : ok(refund),
  );
}

function isOverSupportLimit(
  operator: Operator,
  amount: number,
  { supportRefundLimit }: Ports["policy"],
): boolean {
  return !isPermitted(operator, "refund.approve") && amount > supportRefundLimit;
}

function requestFacts({ appId, bizNo, refundNo, amount }: RefundFacts) {
  const detail = JSON.stringify({ refundNo, amount });
  return { action: "refund.request", subject: `order:${appId}/${bizNo}`, appId, detail } as const;
}

type RefundFacts = Pick<RefundApproval, "appId" | "bizNo" | "refundNo" | "amount">;
