import * as z from "zod";

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
