import { BILL_EXCEPTION_KINDS, PAY_CHANNELS, REFUND_STATUSES } from "@tillkit/core";
import { REFUND_APPROVAL_STATES } from "@tillkit/core/ports";
import * as z from "zod";
import { refundRow } from "../orders/schemas.js";
import { approvalRow } from "./approval-row.js";
import { cents, time } from "../unit-schemas.js";

const older = () =>
  z.string().optional().describe("The value of `before` for the next page. Absent at the end.");

/** Schema of a refund with the key of its order. */
export const refundOfOrderSchema = z
  .strictObject({
    appId: z.string(),
    bizNo: z.string(),
    payChannel: z.enum(PAY_CHANNELS).optional().describe("Absent if the order is gone."),
    ...refundRow.shape,
  })
  .meta({ id: "RefundOfOrder" });

/** Schema of what others have started for an order. */
export const activitySchema = z
  .strictObject({
    seen: z.int().describe("The last event of the order. Name it as `seen` in the request."),
    approvals: z
      .array(
        z.strictObject({
          refundNo: z.string(),
          amount: cents(),
          reason: z.string(),
          requestedBy: z.string(),
          requestedAt: time(),
          state: z.enum(REFUND_APPROVAL_STATES),
        }),
      )
      .readonly()
      .describe("Requests that wait for a second operator, and approved ones that are not made yet."),
    refunds: z
      .array(
        z.strictObject({
          refundNo: z.string(),
          amount: cents(),
          reason: z.string(),
          operator: z.string(),
          gmtCreate: time(),
          status: z.enum(REFUND_STATUSES),
        }),
      )
      .readonly()
      .describe("Refunds that the wallet has not ended."),
    alarms: z
      .array(z.strictObject({ seq: z.int(), type: z.string(), at: time() }))
      .readonly()
      .describe("Alarms without an acknowledgement."),
    exceptions: z
      .array(
        z.strictObject({
          id: z.string(),
          kind: z.enum(BILL_EXCEPTION_KINDS),
          day: z.string(),
          amountThere: cents().optional(),
          amountHere: cents().optional(),
        }),
      )
      .readonly()
      .describe("Differences between the order and bills that no operator has resolved."),
  })
  .meta({ id: "OrderActivity" });

/** Schema of a page of refunds of all orders. */
export const refundsPageSchema = z
  .strictObject({
    items: z.array(refundOfOrderSchema).readonly(),
    older: older(),
    searchedUntil: time()
      .optional()
      .describe("The creation time of the oldest refund that was examined. Present with `older`."),
  })
  .meta({ id: "RefundsPage" });

/** Schema of a page of refunds that need a second operator. */
export const approvalsPageSchema = z
  .strictObject({ items: z.array(approvalRow).readonly(), older: older() })
  .meta({ id: "RefundApprovalsPage" });

/** Schema of what a refund would do. */
export const dryRunSchema = z
  .strictObject({
    amount: cents(),
    remaining: cents().describe("The cents that were neither refunded nor reserved before this refund."),
    remainingAfter: cents(),
    needsApproval: z.boolean(),
    activity: activitySchema,
    walletRequest: z.strictObject({
      wallet: z.enum(PAY_CHANNELS),
      operation: z.string().describe("The wallet's name of the call. Empty if the adapter does not show it."),
      body: z.string().describe("The body that the wallet would get, without a signature."),
    }),
  })
  .meta({ id: "RefundDryRun" });

const outcomes = ["refunded", "accepted", "unknown"] as const;

/** Schema of the result of a request. */
export const requestedSchema = z
  .strictObject({
    outcome: z
      .enum([...outcomes, "waiting-for-approval"])
      .describe("`unknown`: the wallet gave no definite answer. Do not refund in another way."),
    refund: refundRow.optional(),
    approval: approvalRow.optional(),
  })
  .meta({ id: "RequestedRefund" });

/** Schema of the result of a decision. */
export const decidedSchema = z
  .strictObject({
    approval: approvalRow,
    outcome: z
      .enum(outcomes)
      .optional()
      .describe("Absent if nothing is refunded, or if another refund of the order must end first."),
    refund: refundRow.optional(),
  })
  .meta({ id: "DecidedRefund" });
