import { pastedNumber } from "@tillkit/core";
import * as z from "zod";
import { singleLineText } from "./single-line-text.js";

/** Schema of a whole number in a query, such as `limit=20`. */
export function queryNumber() {
  return z
    .string()
    .regex(/^\d{1,16}$/)
    .transform(Number)
    .refine(Number.isSafeInteger);
}

/** Schema of the number of rows in a page: 1 to 100, by default 50. */
export function pageLimit() {
  return queryNumber().pipe(z.int().min(1).max(100)).default(50);
}

/** Schema of a number as an operator pastes it from a bill or a spreadsheet. */
export function pastedNumberInput() {
  return z.string().max(200).transform(pastedNumber).pipe(singleLineText(128));
}

/** The parameters of a time range: its start and its exclusive end, epoch milliseconds. */
export const timeRangeInput = {
  from: queryNumber().optional(),
  until: queryNumber().optional(),
};

/** The parameters of a range of amounts: the lowest and the highest, in cents. */
export const amountRangeInput = {
  min: queryNumber().optional(),
  max: queryNumber().optional(),
};

/** The ends of the ranges of a filter. */
interface Ranges {
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** Creates the schema of a filter, whose ranges must not end before they begin. */
export function filterObject<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape).superRefine((filter: Ranges, context) => {
    const { from, until, min, max } = filter;
    if (from !== undefined && until !== undefined && until <= from)
      context.addIssue({ code: "custom", path: ["until"], message: "range-end" });
    if (min !== undefined && max !== undefined && max < min)
      context.addIssue({ code: "custom", path: ["max"], message: "range-end" });
  });
}
