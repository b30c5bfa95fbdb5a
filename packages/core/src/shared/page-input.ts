import * as z from "zod";
import type { Policy } from "../policy.js";
import { issue } from "./input.js";

/** The parameters that select a page of a list. The policy has the default and the largest size. */
export function pageInput(policy: Policy) {
  return {
    pageNum: positiveInteger().default(1),
    pageSize: positiveInteger(policy.maxPageSize).default(policy.defaultPageSize),
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
