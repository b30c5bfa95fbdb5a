import { PAY_CHANNELS, PAYMENT_STATUSES } from "@tillkit/core";
import { LONGEST_KEY } from "@tillkit/core/operators";
import * as z from "zod";
import { singleLineText } from "../single-line-text.js";
import { amountRangeInput, queryNumber, timeRangeInput } from "../query-input.js";
import { refundOfOrderSchema } from "../refunds/schemas.js";
import { cents, time } from "../unit-schemas.js";
import { countSchema } from "../count-schema.js";

/** Schema of an order in a list. */
export const orderRowSchema = z
  .strictObject({
    appId: z.string(),
    bizNo: z.string(),
    id: z.string().describe("The order's number at the wallet."),
    amount: cents(),
    refundedAmount: cents(),
    goodsTitle: z.string(),
    payChannel: z.string().describe("The name of the channel in the policy."),
    paymentStatus: z.enum(PAYMENT_STATUSES),
    customerIdentity: z.string(),
    alarm: z.boolean().describe("Whether it has an alarm that is not acknowledged yet."),
    pmtDt: time().optional(),
    gmtCreate: time(),
  })
  .meta({ id: "OrderRow" });

/** Schema of a page of a list, newest first. */
export const orderListSchema = z
  .strictObject({
    items: z.array(orderRowSchema).readonly(),
    older: z.string().optional().describe("The value of `before` for the next page. Absent at the end."),
    searchedUntil: time()
      .optional()
      .describe("The creation time of the oldest order that was examined. Present with `older`."),
    total: countSchema.optional().describe("How many orders match. Present on the first page."),
  })
  .meta({ id: "OrderList" });

/** Schema of the answer to a search. */
export const matchesSchema = z
  .strictObject({
    q: z.string().describe("The text without the spaces around it."),
    searched: z
      .array(z.enum(["bizNo", "id", "walletTradeNo", "customerIdentity", "refundNo", "walletRefundNo"]))
      .readonly(),
    items: z.array(orderRowSchema).readonly().describe("The orders."),
    refunds: z
      .array(refundOfOrderSchema)
      .readonly()
      .describe("The refunds, without those of the orders in `items`."),
    more: z.boolean().describe("Whether more orders or refunds match."),
  })
  .meta({ id: "Matches" });

/** The filter of a list, as parameters of the query. */
export const filterInput = {
  appId: singleLineText(64).optional(),
  status: z.enum(PAYMENT_STATUSES).optional(),
  channel: z.enum(PAY_CHANNELS).optional(),
  customer: singleLineText(LONGEST_KEY).optional(),
  ...timeRangeInput,
  ...amountRangeInput,
  paidFrom: queryNumber().optional(),
  paidUntil: queryNumber().optional(),
  alarm: z.literal("true").optional(),
};
/** A valid filter. */
export type FilterInput = z.output<z.ZodObject<typeof filterInput>>;
