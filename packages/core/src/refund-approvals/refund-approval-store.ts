import type { ResultAsync } from "neverthrow";
import type { AuditEntry } from "../audit/audit-entry.js";
import type { StorageFailure } from "../errors/failure.js";
import type { OrderKey } from "../orders/order.js";
import type { RefundApproval, RefundApprovalState, RefundKey } from "./refund-approval.js";

/** What a second operator decides about a waiting refund. */
export interface ApprovalDecision {
  /** The name of the operator who decides. */
  readonly operator: string;
  readonly note: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The period of `onePersonUntil`, in milliseconds. */
  readonly coolingOff: number;
  readonly to:
    | { readonly state: "REJECTED" }
    | {
        readonly state: "APPROVED";
        /** When the reconciler makes the refund if this process dies, epoch milliseconds. */
        readonly nextTryAt: number;
      };
}

/**
 * The result of a decision, with the approval after it.
 *
 * - `decided`: the call stored the decision.
 * - `own`: nothing changed, because the operator who decides also requested the refund.
 * - `one-person`: nothing changed, because both operators count as one person by `onePersonUntil`.
 * - `not-waiting`: nothing changed, because the approval was already decided.
 */
export type ApprovalDecisionResult =
  | { readonly kind: "decided" | "own" | "not-waiting"; readonly approval: RefundApproval }
  | {
      readonly kind: "one-person";
      readonly approval: RefundApproval;
      /** Epoch milliseconds. */
      readonly until: number;
    };

/** A page of approvals in one state, the latest request first. */
export interface RefundApprovalsQuery {
  readonly state: RefundApprovalState;
  /** The apps of the orders. Absent: every app. */
  readonly apps?: readonly string[] | undefined;
  /** The last approval of the previous page. Absent for the first page. */
  readonly before?: Pick<RefundApproval, "requestedAt" | "id"> | undefined;
  readonly limit: number;
}

/**
 * Stores the refunds that need a second operator.
 *
 * Amounts are cents, times are epoch milliseconds. Every method is one atomic step. The only
 * failure is `storage.unavailable`. A method returns `undefined` if the approval does not exist. A
 * method with `audit` appends it to the audit log in the same step, if it changed something.
 * `refundApprovalStoreContract` of `@tillkit/contract-tests` tests an implementation.
 *
 * An approval reserves nothing. No method changes a decision.
 */
export interface RefundApprovalStore {
  /**
   * Stores a WAITING approval, or returns the existing one of its order and `refundNo` unchanged.
   *
   * Of several concurrent calls with the same number, one stores its approval.
   */
  insertOnce(
    approval: RefundApproval,
    audit?: AuditEntry,
  ): ResultAsync<{ readonly inserted: boolean; readonly approval: RefundApproval }, StorageFailure>;
  /** Finds an approval by its id. */
  find(id: string): ResultAsync<RefundApproval | undefined, StorageFailure>;
  /** Returns the approvals of an order, sorted by `requestedAt`, then by `refundNo`. */
  listOfOrder(key: OrderKey): ResultAsync<readonly RefundApproval[], StorageFailure>;
  /**
   * Moves a WAITING approval to APPROVED or REJECTED, unless the same person requested it.
   *
   * At most one of several concurrent decisions takes effect. Names are compared with
   * `isSameOperator`, and the grants of the accounts are read in the same step: no account is
   * changed between this check and the decision.
   */
  decide(
    key: RefundKey,
    decision: ApprovalDecision,
    audit?: AuditEntry,
  ): ResultAsync<ApprovalDecisionResult | undefined, StorageFailure>;
  /** Returns a page of approvals, sorted by `requestedAt`, then by `id`, both descending. */
  list(query: RefundApprovalsQuery): ResultAsync<readonly RefundApproval[], StorageFailure>;
  /**
   * Counts the WAITING approvals of `apps`. `undefined`: of every app. Stops at `atMost`.
   */
  countWaiting(apps: readonly string[] | undefined, atMost: number): ResultAsync<number, StorageFailure>;
  /**
   * Claims up to `limit` APPROVED approvals with a due `nextTryAt`.
   *
   * Sets `nextTryAt` of each to `now + lease`. Concurrent workers never claim the same approval.
   */
  claimDue(now: number, limit: number, lease: number): ResultAsync<readonly RefundApproval[], StorageFailure>;
  /**
   * Sets when the reconciler makes an approved refund.
   *
   * Has no effect unless the approval is APPROVED and has a `nextTryAt`.
   */
  schedule(key: RefundKey, nextTryAt: number): ResultAsync<void, StorageFailure>;
  /**
   * Removes the `nextTryAt` of an APPROVED approval, and replaces its `failure`.
   *
   * Call it without `failure` after the refund is stored.
   */
  end(key: RefundKey, failure?: string): ResultAsync<void, StorageFailure>;
}
