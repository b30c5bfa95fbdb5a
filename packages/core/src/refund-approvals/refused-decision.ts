import type { OperatorAccount } from "../operators/operator-account.js";
import type { ApprovalDecision, ApprovalDecisionResult } from "./refund-approval-store.js";
import type { RefundApproval } from "./refund-approval.js";
import { samePerson } from "./same-person.js";

/** The records that must not change while a store makes a decision. */
export interface DecisionContext {
  readonly accounts: readonly Pick<OperatorAccount, "name" | "grants">[];
  /** The `seq` of the last event on the timeline of the order. */
  readonly seq: number;
}

/**
 * Returns why a decision must not be stored. Returns `undefined` if it may be stored.
 *
 * For stores. Call it while the approval, the accounts and the timeline are locked.
 *
 * @param context - all accounts of operators, and the `seq` of the last event of the order.
 * @returns the result of `decide`, or `undefined`.
 * @example
 * ```ts
 * import {
 *   type ApprovalDecision,
 *   refusedDecision,
 *   type RefundApproval,
 * } from "@tillkit/core/ports";
 *
 * declare const approval: RefundApproval;
 * declare const decision: ApprovalDecision;
 *
 * const refused = refusedDecision(approval, decision, { accounts: [], seq: 2 });
 * ```
 */
export function refusedDecision(
  approval: RefundApproval,
  { operator, coolingOff, at, seen }: ApprovalDecision,
  context: DecisionContext,
): ApprovalDecisionResult | undefined {
  const { state, requestedBy } = approval;
  if (state !== "WAITING") return { kind: "not-waiting", approval };
  const same = samePerson(context.accounts, [requestedBy, operator], coolingOff, at);
  if (same?.name === "refund-approval.own") return { kind: "own", approval };
  if (same !== undefined) return { kind: "one-person", approval, until: same.until };
  return seen === undefined || seen === context.seq ? undefined : { kind: "changed", approval };
}
