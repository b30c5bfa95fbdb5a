import * as z from "zod";

/**
 * Text of 1 to `max` characters in one line.
 *
 * Without control characters, which PostgreSQL or a terminal may not accept, and without halves of
 * surrogate pairs.
 */
export function line(max: number) {
  return z
    .string()
    .max(max)
    .regex(/^[^\p{Cc}\p{Surrogate}]+$/u);
}
