import { pastedNumber } from "@tillkit/core/operators";
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

/** The ranges of filters: the parameters of their starts and of their ends. */
const RANGES = [
  { from: "from", until: "until", mayBeEqual: false },
  { from: "paidFrom", until: "paidUntil", mayBeEqual: false },
  { from: "confirmedFrom", until: "confirmedUntil", mayBeEqual: false },
  { from: "min", until: "max", mayBeEqual: true },
] as const;

/** Creates the schema of a filter, whose ranges must not end before they begin. */
export function filterObject<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape).superRefine((filter: Readonly<Record<string, unknown>>, context) => {
    for (const { from, until, mayBeEqual } of RANGES) {
      const [start, end] = [filter[from], filter[until]];
      if (typeof start !== "number" || typeof end !== "number") continue;
      if (end < start || (end === start && !mayBeEqual))
        context.addIssue({ code: "custom", path: [until], message: "range-end" });
    }
  });
}
