import type { ResultAsync } from "neverthrow";
import type { AuditEntry } from "../audit/audit-entry.js";
import type { BillException } from "../bills/bill-exception.js";
import type { StorageFailure } from "../errors/failure.js";
import type { OrderKey } from "../orders/order.js";
import type { TimelineEntry } from "../orders/timeline.js";
import type { StoredRecord } from "../refunds/refund-store.js";
import type { RefundApproval, RefundApprovalState, RefundKey } from "./refund-approval.js";

/** The decision of a second operator about a waiting refund. */
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
   * If it is set and the timeline has grown since, nothing is stored, and the result is `changed`.
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
 * - `changed`: nothing changed, because the timeline of the order has grown since `decision.seen`.
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
 * - `requested`: the call stored the approval.
 * - `held`: the order already has an approval with this refund number. It is returned unchanged.
 * - `changed`: nothing was stored, because the timeline has grown since the caller read the order.
 * - `no-order`: the order does not exist.
 */
export type ApprovalRequestOutcome =
  | { readonly kind: "requested" | "held"; readonly approval: RefundApproval }
  | { readonly kind: "changed" }
  | { readonly kind: "no-order" };

/** What is stored about an order and decides whether it may be refunded, and by how much. */
export interface RefundFacts extends StoredRecord {
  /** As {@link RefundApprovalStore.listOfOrder} returns them. */
  readonly approvals: readonly RefundApproval[];
  /** The OPEN differences with the order's number, the most recently found first. */
  readonly exceptions: readonly BillException[];
}

/** Selects a page of approvals, the latest request first. */
export interface RefundApprovalsQuery {
  /** The states of the approvals. */
  readonly states: readonly RefundApprovalState[];
  /** The operator who requested them, by `isSameOperator`. Absent: every operator. */
  readonly requestedBy?: string | undefined;
  /** Whether to select only approved refunds that could not be made. */
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
 * failure is a {@link StorageFailure}. A method returns `undefined` if the approval does not exist.
 * If a method gets `audit` and changes something, it appends `audit` to the audit log in the same
 * step. `refundApprovalStoreContract` of `@tillkit/contract-tests` tests an implementation.
 *
 * An approval reserves nothing. No method changes a decision.
 */
export interface RefundApprovalStore {
  /**
   * Stores a WAITING approval and appends `entry` to the timeline of its order.
   *
   * If several concurrent calls have the same refund number or the same `seen`, exactly one of them
   * stores its approval.
   *
   * @param seen - the `seq` of the last event on the order's timeline. If it is set and the
   *   timeline has grown since, nothing is stored.
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
   * Returns what decides about a refund of the order. `undefined` if the order does not exist.
   *
   * The order, its refunds, its timeline and its approvals are as they were at one moment. The
   * exceptions are at least as new.
   *
   * @param mostExceptions - the maximum number of exceptions.
   */
  readRefundFacts(
    key: OrderKey,
    mostExceptions: number,
  ): ResultAsync<RefundFacts | undefined, StorageFailure>;
  /**
   * Moves a WAITING approval to APPROVED or REJECTED, unless the requester makes the decision.
   *
   * Appends `entry` to the timeline of the order in the same step.
   *
   * At most one of several concurrent decisions takes effect. `refusedDecision` checks that
   * requester and operator count as two people. The check reads the accounts in the same step, so
   * no account changes between the check and the decision.
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
   * Counts the WAITING approvals of `apps`, or of every app if it is `undefined`. Stops at
   * `atMost`.
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
   * Has no effect if the approval is not APPROVED, or if it has neither `nextTryAt` nor `failure`:
   * then the refund is already stored.
   */
  schedule(key: RefundKey, nextTryAt: number): ResultAsync<void, StorageFailure>;
  /**
   * Removes the `nextTryAt` of an APPROVED approval, and sets or removes its `failure`.
   *
   * Call this without `failure` after the refund was stored.
   */
  end(key: RefundKey, failure?: string): ResultAsync<void, StorageFailure>;
}
