import { type OrderPosition, PAY_CHANNELS, PAYMENT_STATUSES } from "@tillkit/core";
import * as z from "zod";
import { line } from "../line-input.js";
import { queryNumber } from "../query-input.js";

const time = () => z.int().describe("Milliseconds since the Unix epoch.");
const cents = () => z.int().describe("Cents: 100 are 1 yuan.");

/** Schema of a number that was counted up to a limit. */
export const countSchema = z
  .strictObject({
    count: z.int(),
    isLeast: z.boolean().describe("Whether there may be more. Counting has a limit."),
  })
  .meta({ id: "Count" });

/** Schema of an order in a list. */
export const orderRowSchema = z
  .strictObject({
    ...{ appId: z.string(), bizNo: z.string() },
    id: z.string().describe("The order's number at the wallet."),
    ...{ amount: cents(), refundedAmount: cents(), goodsTitle: z.string() },
    payChannel: z.string().describe("The name of the channel in the policy."),
    paymentStatus: z.enum(PAYMENT_STATUSES),
    customerIdentity: z.string(),
    alarm: z.boolean().describe("Whether it has an alarm that is not acknowledged yet."),
    ...{ pmtDt: time().optional(), gmtCreate: time() },
  })
  .meta({ id: "OrderRow" });

/** Schema of a page of a list, newest first. */
export const orderListSchema = z
  .strictObject({
    items: z.array(orderRowSchema).readonly(),
    older: z.string().optional().describe("The value of `before` for the next page. Absent at the end."),
    searchedUntil: time()
      .optional()
      .describe("The creation time down to which this page searched. Present with `older`."),
    total: countSchema.optional().describe("How many orders match. Present on the first page."),
  })
  .meta({ id: "OrderList" });

/** Schema of the answer to a search. */
export const orderMatchesSchema = z
  .strictObject({
    q: z.string().describe("The text without the spaces around it."),
    searched: z.array(z.enum(["bizNo", "id", "walletTradeNo", "customerIdentity"])).readonly(),
    items: z.array(orderRowSchema).readonly(),
    more: z.boolean().describe("Whether more orders match."),
  })
  .meta({ id: "OrderMatches" });

/** The filter of a list, as parameters of the query. */
export const filterInput = {
  appId: line(64).optional(),
  status: z.enum(PAYMENT_STATUSES).optional(),
  channel: z.enum(PAY_CHANNELS).optional(),
  customer: line(64).optional(),
  from: queryNumber().optional(),
  until: queryNumber().optional(),
  min: queryNumber().optional(),
  max: queryNumber().optional(),
  alarm: z.literal("true").optional(),
};
/** A valid filter. */
export type FilterInput = z.output<z.ZodObject<typeof filterInput>>;

/** A position in a list as a parameter of the query. */
export function cursorInput() {
  return z
    .string()
    .max(128)
    .regex(/^\d{1,16}_[^\p{Cc}\p{Surrogate}]+$/u)
    .transform((text): OrderPosition => {
      const at = text.indexOf("_");
      return { gmtCreate: Number(text.slice(0, at)), id: text.slice(at + 1) };
    })
    .refine(({ gmtCreate }) => Number.isSafeInteger(gmtCreate));
}

/** Returns the text of a position. */
export function cursorOf({ gmtCreate, id }: OrderPosition): string {
  return `${String(gmtCreate)}_${id}`;
}
