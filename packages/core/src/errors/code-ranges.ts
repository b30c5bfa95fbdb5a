/** A range of codes, both ends included. */
export type CodeRange = readonly [first: number, last: number];

/**
 * Every range of codes of the API, by category. A range may contain codes without a failure.
 *
 * `catalog.test.ts` checks that the code of each failure is in a range of its category.
 */
export const CODE_RANGES = {
  "Auth / Session": [
    [1, 1],
    [1001, 1001],
    [10020, 10023],
  ],
  "Validation & Integration": [[10001, 10019]],
  "User Account": [[20001, 20003]],
  "Wallet A": [[30001, 30003]],
  "Wallet B": [[40001, 40001]],
  Payment: [[50001, 50022]],
  "Device / Report": [[60001, 60001]],
  "Service Config": [[70002, 70007]],
  System: [[99998, 99999]],
} as const satisfies Readonly<Record<string, readonly CodeRange[]>>;
