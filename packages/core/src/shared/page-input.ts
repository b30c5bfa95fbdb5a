import * as z from "zod";
import type { Policy } from "../policy.js";
import { complain } from "./input.js";

/** The parameters that choose a page of a list. */
export function pageInput(policy: Policy) {
  return {
    pageNum: positiveInteger().default(1),
    pageSize: positiveInteger()
      .refine((size) => size <= policy.maxPageSize, complain("page.invalid"))
      .default(policy.defaultPageSize),
  };
}

// A query parameter is text; an embedder passes a number.
function positiveInteger() {
  return z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,9}$/)
          .transform(Number),
      ],
      complain("page.invalid"),
    )
    .refine((value) => Number.isSafeInteger(value) && value >= 1, complain("page.invalid"));
}
