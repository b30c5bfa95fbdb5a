import type { components } from "./openapi.js";

// Endpoints that the page uses and that the generated document does not contain yet. Remove an
// endpoint from here when `openapi.ts` has it.

type RefundRow = components["schemas"]["RefundRow"];

/** A refund that waits for a second person, or that one has decided. */
export interface Approval {
  readonly id: string;
  readonly appId: string;
  readonly bizNo: string;
  readonly refundNo: string;
  readonly amount: number;
  readonly reason: string;
  readonly requestedBy: string;
  readonly requestedAt: number;
  readonly state: "WAITING" | "APPROVED" | "REJECTED";
  readonly decidedBy?: string;
  readonly decidedAt?: number;
  readonly note?: string;
  /** Whether the operator requested it, and so cannot decide it. */
  readonly mine: boolean;
}

/** A refund in the list of all refunds. */
export interface ListedRefund extends RefundRow {
  readonly appId: string;
  readonly bizNo: string;
}

/** What the wallet would be asked. */
export interface RefundDryRun {
  readonly amount: number;
  readonly remaining: number;
  readonly remainingAfter: number;
  readonly needsApproval: boolean;
  readonly walletRequest: { readonly wallet: string; readonly operation: string; readonly body: string };
}

/** The outcome of a refund that an operator requested. */
export interface RefundOutcome {
  readonly outcome: "refunded" | "accepted" | "unknown" | "waiting-for-approval";
  readonly refund?: RefundRow;
  readonly approval?: Approval;
}

/** The outcome of a decision. */
export interface DecisionOutcome {
  readonly approval: Approval;
  readonly outcome?: string;
  readonly refund?: RefundRow;
}

interface Failures {
  readonly "4XX": components["responses"]["Failure"];
  readonly "5XX": components["responses"]["Failure"];
}

interface Get<Query, Answer> {
  readonly get: {
    readonly parameters: { readonly query?: Query };
    readonly responses: Failures & {
      readonly 200: { readonly headers: Headers; readonly content: { readonly "application/json": Answer } };
    };
  };
}

interface Post<Path, Body, Answer> {
  readonly post: {
    readonly parameters: { readonly path: Path };
    readonly requestBody: { readonly content: { readonly "application/json": Body } };
    readonly responses: Failures & {
      readonly 200: { readonly headers: Headers; readonly content: { readonly "application/json": Answer } };
    };
  };
}

type OrderKey = { readonly appId: string; readonly bizNo: string };
type Reason = { readonly reason: string };
type Paged = { readonly before?: string; readonly limit?: string };

/** The endpoints in the form of the generated ones. */
export interface PlannedPaths {
  "/api/orders/{appId}/{bizNo}/refunds/dry-run": Post<
    OrderKey,
    { readonly refundNo: string; readonly amount?: number },
    RefundDryRun
  >;
  "/api/orders/{appId}/{bizNo}/refunds": Post<
    OrderKey,
    { readonly refundNo: string; readonly amount: number } & Reason,
    RefundOutcome
  >;
  "/api/refunds": Get<
    Paged & { readonly status?: string; readonly appId?: string },
    { readonly items: ListedRefund[]; readonly older?: string }
  >;
  "/api/refund-approvals": Get<
    Paged & { readonly state?: string },
    { readonly items: Approval[]; readonly older?: string }
  >;
  "/api/refund-approvals/{id}/approve": Post<{ readonly id: string }, Reason, DecisionOutcome>;
  "/api/refund-approvals/{id}/reject": Post<{ readonly id: string }, Reason, DecisionOutcome>;
}
