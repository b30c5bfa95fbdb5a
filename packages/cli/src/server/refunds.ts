import { type PayChannel, type Refund, REFUND_STATUSES, type RefundStatus } from "@tillkit/core";
import { type RefundApproval, REFUND_APPROVAL_STATES, type RefundApprovalState } from "@tillkit/core/ports";
import type { ResultAsync } from "neverthrow";
import { z } from "zod";
import type { CliFailure } from "../failure.js";
import { periodOf, readRows, type Rows } from "../list-options.js";
import type { Server } from "./open-server.js";
import { pageAfter } from "./page-after.js";

/** Schema of a refund in an answer about its order. */
export const refundFacts = z.object({
  refundNo: z.string(),
  amount: z.int(),
  status: z.enum(REFUND_STATUSES),
  reason: z.string(),
  operator: z.string(),
  walletRefundNo: z.string().exactOptional(),
  nextTryAt: z.int().exactOptional(),
  sendingUntil: z.int().exactOptional(),
  gmtCreate: z.int(),
  gmtModified: z.int(),
});
const refundsSchema = z.object({
  items: z.array(z.object({ appId: z.string(), bizNo: z.string(), ...refundFacts.shape })),
  older: z.string().optional(),
});
const approvalSchema = z.object({
  id: z.string(),
  appId: z.string(),
  bizNo: z.string(),
  refundNo: z.string(),
  amount: z.int(),
  reason: z.string(),
  requestedBy: z.string(),
  requestedAt: z.int(),
  state: z.enum(REFUND_APPROVAL_STATES),
  decidedBy: z.string().exactOptional(),
  decidedAt: z.int().exactOptional(),
  note: z.string().exactOptional(),
  failure: z.string().exactOptional(),
});
const approvalsSchema = z.object({ items: z.array(approvalSchema), older: z.string().optional() });
const outcome = z.enum(["refunded", "accepted", "unknown"]);
const requestedSchema = z.union([
  z.object({ outcome: z.literal("waiting-for-approval"), approval: approvalSchema }),
  z.object({ outcome, refund: refundFacts }),
]);
const decidedSchema = z.object({
  outcome: outcome.optional(),
  refund: refundFacts.optional(),
  approval: approvalSchema,
});

/** The filter of a list of refunds, as the user typed it. */
export interface RefundListFilter {
  readonly app?: string | undefined;
  readonly status?: RefundStatus | undefined;
  readonly operator?: string | undefined;
  readonly number?: string | undefined;
  readonly channel?: PayChannel | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** Lists refunds, the latest request first. */
export function listRefunds(
  server: Server,
  limit: number,
  { app, from, until, ...filter }: RefundListFilter,
): ResultAsync<Rows<Refund>, CliFailure> {
  const query = { appId: app, ...filter, ...periodOf({ from, until }) };
  return readRows<Refund, string, CliFailure>(limit, (page) =>
    server
      .read(["refunds"], { ...query, ...page }, refundsSchema)
      .map(({ items, older }) => ({ items, ...(older === undefined ? {} : { next: older }) })),
  );
}

/** Lists refunds that need a second operator, the latest request first. */
export function listApprovals(
  server: Server,
  {
    app,
    state,
    before,
    limit,
  }: {
    readonly app: string | undefined;
    readonly state: RefundApprovalState;
    /** The id of the last approval of the previous list. */
    readonly before: string | undefined;
    readonly limit: number;
  },
): ResultAsync<readonly RefundApproval[], CliFailure> {
  return pageAfter(before, limit, (cursor) =>
    server.read(["refund-approvals"], { appId: app, state, before: cursor, limit }, approvalsSchema),
  ).map(({ items }) => items);
}

/** A refund that was requested: made, or waiting for another operator. */
export type RequestedAtServer =
  | { readonly approval: RefundApproval }
  | { readonly outcome: "refunded" | "accepted" | "unknown"; readonly refund: Refund };

/** Refunds an order, or requests an approval. */
export function requestRefundAtServer(
  server: Server,
  {
    app,
    bizNo,
    ...body
  }: {
    readonly app: string;
    readonly bizNo: string;
    readonly refundNo: string;
    readonly amount: number;
    readonly reason: string;
    readonly seen?: number;
  },
): ResultAsync<RequestedAtServer, CliFailure> {
  return server
    .change(["orders", app, bizNo, "refunds"], body, requestedSchema)
    .map((made): RequestedAtServer =>
      made.outcome === "waiting-for-approval"
        ? { approval: made.approval }
        : { outcome: made.outcome, refund: { appId: app, bizNo, ...made.refund } },
    );
}

/** Decides about a refund that another operator requested. */
export function decideAtServer(
  server: Server,
  {
    id,
    decision,
    ...body
  }: {
    readonly id: string;
    readonly decision: "approve" | "reject";
    readonly reason: string;
    readonly seen?: number;
  },
): ResultAsync<
  {
    readonly approval: RefundApproval;
    readonly made?: Exclude<RequestedAtServer, { readonly approval: unknown }>;
  },
  CliFailure
> {
  return server
    .change(["refund-approvals", id, decision], body, decidedSchema)
    .map(({ outcome: made, refund, approval }) => {
      if (made === undefined || refund === undefined) return { approval };
      const { appId, bizNo } = approval;
      return { approval, made: { outcome: made, refund: { appId, bizNo, ...refund } } };
    });
}
