/**
 * Returns whether tests run many cases, depending on the variable `TEST_CASES`.
 *
 * The environment variable is `few` or `many`, and defaults to `few`. Throws for any other value.
 *
 * @returns whether `TEST_CASES` is `many`, as in continuous integration.
 * @example
 * ```ts
 * import { apiContract, manyCases, messagesContract } from "@tillkit/contract-tests";
 *
 * const contract = manyCases() ? apiContract : messagesContract;
 * ```
 */
export function manyCases(): boolean {
  const { TEST_CASES: chosen = "few" } = process.env;
  if (chosen !== "few" && chosen !== "many")
    throw new Error(`TEST_CASES is "${chosen}". Set it to "few" or "many".`);
  return chosen === "many";
}
