/**
 * Tells whether tests run many cases, by the environment variable `TEST_CASES`.
 *
 * It is `few` or `many`, and defaults to `few`. Throws if it has another value.
 *
 * @returns whether it is `many`, as in continuous integration.
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
