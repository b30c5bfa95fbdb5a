import * as z from "zod";

/** The parameter `limit` of a query: the number of rows on a page, from 1 to 100. */
export function limitInput() {
  return z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(100))
    .default(50);
}
