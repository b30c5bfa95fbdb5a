import { PAYMENT_STATUSES, REFUND_STATUSES } from "@tillkit/core";
import { SHIPMENT_STATES } from "@tillkit/core/operators";
import * as z from "zod";
import { remediesSchema } from "../remedies-schema.js";
import { approvalRow } from "../refunds/approval-row.js";
import { cents, time } from "../unit-schemas.js";

/** Schema of an order on its page. */
const orderFacts = z
  .strictObject({
    appId: z.string(),
    bizNo: z.string(),
    id: z.string().describe("The order's number at the wallet."),
    amount: cents(),
    refundedAmount: cents(),
    goodsTitle: z.string(),
    payChannel: z.string().describe("The name of the channel in the policy."),
    paySource: z.string(),
    paymentStatus: z.enum(PAYMENT_STATUSES),
    customerIdentity: z.string(),
    customerName: z.string().optional(),
    attachData: z.string().optional().describe("The text exactly as the caller sent it."),
    sourceFrom: z.string().optional(),
    walletOptions: z
      .looseObject({})
      .optional()
      .describe("The options of the request to the wallet, by the wallet's names. Absent if there are none."),
    service: z
      .strictObject({ serviceTypeNo: z.string(), serviceName: z.string(), durationMs: z.int() })
      .optional(),
    payToolId: z.string(),
    walletTradeNo: z.string().optional().describe("The wallet's own number of the payment."),
    expiresAt: time(),
    pmtDt: time().optional(),
    gmtCreate: time(),
    gmtModified: time(),
  })
  .meta({ id: "OrderFacts" });

/** Schema of an event with its sentence. */
const timelineRow = z
  .strictObject({
    seq: z.int(),
    type: z.string(),
    at: time(),
    actor: z.string(),
    sentence: z.string().describe("In the language of `Accept-Language`."),
    reason: z.string().describe("What the person who acted wrote. Empty if no person acted."),
    evidence: z.string().optional().describe("The digest of the wallet's message, or a text."),
    alarm: z.boolean(),
    remedies: remediesSchema,
    from: z.enum(PAYMENT_STATUSES).optional(),
    to: z.enum(PAYMENT_STATUSES).optional(),
    refundNo: z.string().optional(),
  })
  .meta({ id: "TimelineRow" });

/** Schema of a refund with its sentence. */
export const refundRow = z
  .strictObject({
    refundNo: z.string(),
    amount: cents(),
    status: z.enum(REFUND_STATUSES),
    reason: z.string(),
    operator: z.string(),
    sentence: z.string(),
    walletRefundNo: z.string().optional(),
    nextTryAt: time().optional(),
    remedies: remediesSchema,
    gmtCreate: time(),
    gmtModified: time(),
  })
  .meta({ id: "RefundRow" });

/** Schema of the report that the customer has received the goods. */
const shipmentSchema = z
  .strictObject({
    state: z.enum(SHIPMENT_STATES),
    nextTryAt: time().optional().describe("When Tillkit reports next."),
  })
  .meta({ id: "Shipment" });

/** Schema of everything that the page of an order shows. */
export const orderPageSchema = z
  .strictObject({
    order: orderFacts,
    proof: z.string().describe("The status, with who confirmed it and when."),
    timeline: z.array(timelineRow).readonly(),
    shipment: shipmentSchema
      .optional()
      .describe("The report of the delivery to the wallet. Absent if the order is not reported."),
    openAlarms: z.int().describe("Alarms that are not acknowledged yet."),
    chainHolds: z.boolean().describe("Whether the timeline is intact."),
    refunds: z.array(refundRow).readonly(),
    approvals: z
      .array(approvalRow)
      .readonly()
      .describe("The requests for refunds that need a second operator, the first one first."),
    damage: z
      .string()
      .optional()
      .describe("Where the stored order contradicts its timeline. Absent if it does not."),
    remaining: cents().describe(
      "The cents that are neither refunded, nor reserved by an open refund, nor in a refund that only a bill lists.",
    ),
    summary: z.string(),
    state: z.array(z.string()).readonly(),
    integrity: z.string(),
    next: z.array(z.string()).readonly().describe("What happens next. Empty if nothing is planned."),
  })
  .meta({ id: "OrderPage" });
