/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The number of items on all pages. */
  readonly totalCount: number;
}
