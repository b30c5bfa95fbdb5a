import * as z from "zod";

/**
 * Schema of a text of 1 to `max` characters in one line.
 *
 * Without control characters, which PostgreSQL or a terminal may not accept, and without halves of
 * surrogate pairs.
 */
export function singleLineText(max: number) {
  return z
    .string()
    .max(max)
    .regex(/^[^\p{Cc}\p{Surrogate}]+$/u);
}
