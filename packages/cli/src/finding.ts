/** One thing that is not as it should be. */
export interface Finding {
  readonly kind: string;
  /** What it is about: a table, a pay tool, the clock. */
  readonly subject: string;
  /** What is wrong and what comes of it. */
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
}
