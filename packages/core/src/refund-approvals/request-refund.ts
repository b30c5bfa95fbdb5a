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
import { findConnectedOrder } from "../orders/find-connected-order.js";
import type { Ports } from "../ports.js";
import type { RefundPorts } from "../refunds/refund-call.js";
import { refundInputShape } from "../refunds/refund-input-shape.js";
import type { RefundOrderFailure } from "../refunds/refund-order.js";
import { attempt } from "../shared/attempt.js";
import { perPolicy, nonBlankText } from "../shared/input.js";
import { newId } from "../shared/random.js";
import { continueApproved } from "./continue-approved.js";
import { type MadeRefund, makeKnownRefund } from "./made-refund.js";
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
import {
  isInProgress,
  needsApproval,
  readRefundPlan,
  refundableAmount,
  type RefundPlan,
} from "./refund-plan.js";

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
 * Refunds an order for an operator, or asks for the approval of a second one.
 *
 * A request above `policy.refundApprovalOver` needs an approval. Roles below `finance` may refund
 * at most `policy.supportRefundLimit`. Each limit applies to the amount plus all refunds of the
 * order that had no approval. The caller checks that the operator sees the app, and has the
 * permission `refund.request`. The request is recorded in the audit log.
 *
 * The operator must know what others have started for the order: `seen` names what the operator has
 * seen. The store checks it in the step that stores the refund or the approval.
 *
 * Safe to retry: a call with the same `refundNo` continues the refund, or returns the approval.
 *
 * @returns the refund and its outcome, or the waiting approval. Fails like `refundOrder`, with
 *   `refund.over-support-limit`, with `refund.unseen-activity` and everything that is open, or with
 *   `refund-approval.rejected` if a second operator rejected the refund with this number.
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
  return attempt(async () => {
    const key = { appId, bizNo: input.bizNo };
    const by: OperatorCommand = { operator: operator.name, reason: input.reason, ...origin };
    const connected = await findConnectedOrder(ports, key, `operator:${operator.name}`);
    if (connected.isErr()) return connected;
    let latest: RefundPlan | undefined;
    for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
      const read = await readRefundPlan(ports, key);
      if (read.isErr()) return read;
      // What appeared after the first attempt is new to the operator, too.
      const seen = input.seen ?? latest?.seen;
      latest ??= read.value;
      const known = await repeatRequest(ports, by, input, read.value);
      if (known.isErr()) return known;
      if (known.value !== undefined) return ok(known.value);
      const requested = await newRequest(ports, operator, by, { ...input, seen }, read.value);
      if (requested.isErr()) return requested;
      if (requested.value !== "changed") return ok(requested.value);
    }
    return fail("refund.in-progress");
  });
}

/** How often a request is checked again because something without money happened meanwhile. */
const ATTEMPTS = 3;

/** Continues an earlier request with the same number. Returns `undefined` for a new number. */
function repeatRequest(
  ports: RefundApprovalPorts,
  by: OperatorCommand,
  { refundNo, amount }: RequestRefundInput,
  { order: { appId, bizNo }, refunds, approvals }: RefundPlan,
): ResultAsync<RequestedRefund | undefined, RequestRefundFailure> {
  return attempt(async () => {
    const refund = refunds.find((one) => one.refundNo === refundNo);
    const approval = approvals.find((one) => one.refundNo === refundNo);
    const held = refund ?? approval;
    if (held === undefined) return ok(undefined);
    if (amount !== undefined && amount !== held.amount)
      return fail("refund-no.conflict", { amount: held.amount });
    const facts = requestFacts({ appId, bizNo, refundNo, amount: held.amount });
    if (approval?.state === "APPROVED")
      return audited(ports, by, facts, () => continueApproved(ports, approval));
    if (refund !== undefined) return audited(ports, by, facts, () => makeKnownRefund(ports, appId, refund));
    if (approval?.state === "REJECTED") return failApproval("refund-approval.rejected");
    return ok(approval && ({ outcome: "waiting-for-approval", approval } as const));
  });
}

/**
 * Makes a refund with a new number, or stores a request for its approval.
 *
 * Returns `changed` if it stored nothing, because the order has changed since `plan` was read.
 */
function newRequest(
  ports: RefundApprovalPorts,
  operator: Operator,
  by: OperatorCommand,
  { refundNo, amount: wanted, reason, seen }: Omit<RequestRefundInput, typeof z.$brand>,
  plan: RefundPlan,
): ResultAsync<RequestedRefund | "changed", RequestRefundFailure> {
  return attempt(async () => {
    const { appId, bizNo } = plan.order;
    const activity = unseenActivity(plan, seen, refundNo);
    if (seen !== undefined && activity !== undefined) return failUnseen(activity);
    const refundable = refundableAmount(plan, wanted);
    if (refundable.isErr()) return err(refundable.error);
    const amount = refundable.value;
    const facts = requestFacts({ appId, bizNo, refundNo, amount });
    if (isOverSupportLimit(operator, plan.unapproved + amount, ports.policy)) {
      const failure = failApproval("refund.over-support-limit");
      const detail = JSON.stringify({ failure: failure.error.name, refundNo, amount });
      const recorded = await appendRefusal(ports, by, { ...facts, detail });
      return recorded.isErr() ? err(recorded.error) : failure;
    }
    const isDirect = !needsApproval(plan, amount, ports.policy);
    if (isDirect && isInProgress(plan)) return fail("refund.in-progress");
    if (activity !== undefined) return failUnseen(activity);
    const draft = { bizNo, refundNo, amount, reason, operator: operator.name };
    if (isDirect) {
      const made = await audited(ports, by, facts, () =>
        makeKnownRefund(ports, appId, draft, { seen: plan.seen }),
      );
      return made.isErr() && made.error.name === "refund.in-progress" ? ok("changed" as const) : made;
    }
    const approval: RefundApproval = {
      id: newId(ports),
      appId,
      bizNo,
      refundNo,
      amount,
      reason,
      requestedBy: operator.name,
      requestedAt: ports.clock.now(),
      state: "WAITING",
    };
    const detail = JSON.stringify({ refundNo, amount, approval: approval.id });
    const audit = auditEntryOf(ports, by, { ...facts, detail });
    const entry = approvalRequestedEntry(approval);
    const stored = await ports.refundApprovals.request(approval, entry, plan.seen, audit);
    if (stored.isErr()) return stored;
    const outcome = stored.value;
    if (outcome.kind === "no-order") return fail("order.not-found");
    if (outcome.kind === "changed") return ok("changed" as const);
    // A concurrent call may have stored the same number with another amount.
    return outcome.approval.amount === amount
      ? ok({ outcome: "waiting-for-approval", approval: outcome.approval } as const)
      : fail("refund-no.conflict", { amount: outcome.approval.amount });
  });
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
