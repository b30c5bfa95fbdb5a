import type { OrderPosition } from "@tillkit/core/ports";
import * as z from "zod";

/** Schema of a cursor in a query: a position in a list of orders. */
export function orderCursorInput() {
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

/** Returns the cursor of a position. */
export function orderCursorText({ gmtCreate, id }: OrderPosition): string {
  return `${String(gmtCreate)}_${id}`;
}
