import { BILL_EXCEPTION_KINDS, explainOrder, type OrderKey } from "@tillkit/core";
import { err, ok } from "neverthrow";
import * as z from "zod";
import type { RouteContext } from "../route-context.js";

/** The most open exceptions that an explanation names. */
const MAX_EXCEPTIONS = 20;

/** Schema of the explanation of an order. */
export const orderSentencesSchema = z
  .strictObject({
    id: z.string().describe("The order's number at the wallet."),
    sentences: z
      .array(z.string())
      .readonly()
      .describe("In the language of `Accept-Language`, without the customer's identity."),
    chainHolds: z.boolean().describe("Whether the timeline is intact."),
    agrees: z.boolean().describe("Whether the order agrees with its timeline."),
    exceptions: z
      .array(z.strictObject({ id: z.string(), kind: z.enum(BILL_EXCEPTION_KINDS), day: z.string() }))
      .readonly()
      .describe("The open differences to bills."),
  })
  .meta({ id: "OrderSentences" });

/** Answers with the explanation of the order. */
export async function answerOrderSentences(
  { ports, language }: Pick<RouteContext, "ports" | "language">,
  { appId, bizNo }: OrderKey,
) {
  const explained = await explainOrder(ports, appId, bizNo, language);
  if (explained.isErr()) return err(explained.error);
  const { order, sentences, chainHolds, differences } = explained.value;
  const listed = await ports.billExceptions.list({ state: "OPEN", ofOrder: order, limit: MAX_EXCEPTIONS });
  if (listed.isErr()) return err(listed.error);
  const exceptions = listed.value.items.map(({ id, kind, day }) => ({ id, kind, day }));
  return ok({
    value: { id: order.id, sentences, chainHolds, agrees: differences.length === 0, exceptions },
  });
}
