/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** How many items the query matches in all. */
  readonly totalCount: number;
}
