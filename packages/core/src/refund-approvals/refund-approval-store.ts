import type { ResultAsync } from "neverthrow";
import type { AuditEntry } from "../audit/audit-entry.js";
import type { StorageFailure } from "../errors/failure.js";
import type { OrderKey } from "../orders/order.js";
import type { TimelineEntry } from "../orders/timeline.js";
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
  /**
   * The `seq` of the last event on the order's timeline that the operator knows.
   *
   * With it, nothing is stored if the timeline has grown since: the result is `changed`.
   */
  readonly seen?: number;
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
 * - `changed`: nothing changed, because the timeline of the order has another end than
 *   `decision.seen`.
 * - `not-waiting`: nothing changed, because the approval was already decided.
 */
export type ApprovalDecisionResult =
  | { readonly kind: "decided" | "own" | "changed" | "not-waiting"; readonly approval: RefundApproval }
  | {
      readonly kind: "one-person";
      readonly approval: RefundApproval;
      /** Epoch milliseconds. */
      readonly until: number;
    };

/**
 * The result of a request for an approval.
 *
 * - `requested`: the call stored it.
 * - `held`: the order has an approval with this number already, which is unchanged.
 * - `changed`: nothing was stored, because the timeline of the order has another end than the
 *   caller has seen.
 * - `no-order`: the order does not exist.
 */
export type ApprovalRequestOutcome =
  | { readonly kind: "requested" | "held"; readonly approval: RefundApproval }
  | { readonly kind: "changed" }
  | { readonly kind: "no-order" };

/** A page of approvals, the latest request first. */
export interface RefundApprovalsQuery {
  /** The states of the approvals. */
  readonly states: readonly RefundApprovalState[];
  /** The operator who requested them, by `isSameOperator`. Absent: every operator. */
  readonly requestedBy?: string | undefined;
  /** Whether only approved refunds are selected that could not be made. */
  readonly notMade?: boolean | undefined;
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
   * Stores a WAITING approval and appends `entry` to the timeline of its order.
   *
   * Of several concurrent calls with the same number, one stores its approval. Of several
   * concurrent calls with the same `seen`, one stores its approval.
   *
   * @param seen - the `seq` of the last event on the order's timeline. With it, nothing is stored
   *   if the timeline has grown since.
   */
  request(
    approval: RefundApproval,
    entry: TimelineEntry,
    seen?: number,
    audit?: AuditEntry,
  ): ResultAsync<ApprovalRequestOutcome, StorageFailure>;
  /** Finds an approval by its id. */
  find(id: string): ResultAsync<RefundApproval | undefined, StorageFailure>;
  /** Returns the approvals of an order, sorted by `requestedAt`, then by `refundNo`. */
  listOfOrder(key: OrderKey): ResultAsync<readonly RefundApproval[], StorageFailure>;
  /**
   * Moves a WAITING approval to APPROVED or REJECTED, unless the same person requested it.
   *
   * Appends `entry` to the timeline of the order in the same step.
   *
   * At most one of several concurrent decisions takes effect. Names are compared with
   * `isSameOperator`, and the grants of the accounts are read in the same step: no account is
   * changed between this check and the decision.
   */
  decide(
    key: RefundKey,
    decision: ApprovalDecision,
    entry: TimelineEntry,
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
   * Sets when the reconciler makes an approved refund, and removes its `failure`.
   *
   * Has no effect unless the approval is APPROVED and has a `nextTryAt` or a `failure`: otherwise
   * the refund is stored.
   */
  schedule(key: RefundKey, nextTryAt: number): ResultAsync<void, StorageFailure>;
  /**
   * Removes the `nextTryAt` of an APPROVED approval, and replaces its `failure`.
   *
   * Call it without `failure` after the refund is stored.
   */
  end(key: RefundKey, failure?: string): ResultAsync<void, StorageFailure>;
}
