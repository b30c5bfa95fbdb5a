import * as z from "zod";

/** Schema of a time. */
export function time() {
  return z.int().describe("Milliseconds since the Unix epoch.");
}

/** Schema of an amount of money. */
export function cents() {
  return z.int().describe("Cents: 100 are 1 yuan.");
}
