import { manyCases } from "./many-cases.js";

/** The numbers of cases of a test. */
export interface CaseCounts {
  /** The number of cases by default. */
  readonly few: number;
  /** The number with `TEST_CASES=many`, as in continuous integration. */
  readonly many: number;
}

/**
 * Returns the number of cases that a test runs, depending on the variable `TEST_CASES`.
 *
 * The environment variable is `few` or `many`, and defaults to `few`. Throws for any other value.
 *
 * @returns the number of cases.
 * @example
 * ```ts
 * import { caseCount } from "@tillkit/contract-tests";
 *
 * const callers = caseCount({ few: 16, many: 50 });
 * ```
 */
export function caseCount({ few, many }: CaseCounts): number {
  return manyCases() ? many : few;
}
