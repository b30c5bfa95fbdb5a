import * as z from "zod";
import { issue } from "./input.js";

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The number of items on all pages. */
  readonly totalCount: number;
}

/** The size of pages, as in `Policy`. */
interface PageSizes {
  readonly defaultPageSize: number;
  readonly maxPageSize: number;
}

/**
 * Returns the parameters that select a page.
 *
 * `pageNum` is 1 by default. `pageSize` is `policy.defaultPageSize` by default, and at most
 * `policy.maxPageSize`. Another value fails with `page.invalid` (10012).
 */
export function pageInput({ defaultPageSize, maxPageSize }: PageSizes) {
  return {
    pageNum: positiveInteger().default(1),
    pageSize: positiveInteger(maxPageSize).default(defaultPageSize),
  };
}

// A query parameter is text; an embedding host passes a number.
function positiveInteger(maximum: number = Number.MAX_SAFE_INTEGER) {
  return z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,9}$/)
          .transform(Number),
      ],
      issue("page.invalid"),
    )
    .refine((value) => Number.isSafeInteger(value) && value >= 1 && value <= maximum, issue("page.invalid"))
    .meta({ type: "integer", minimum: 1, maximum });
}
