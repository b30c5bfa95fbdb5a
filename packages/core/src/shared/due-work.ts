/** How much work waits, counted up to a bound. */
export interface DueWork {
  /** How many are due; as many as were to be counted at most means "at least so many". */
  readonly due: number;
  /** When the one that has been due longest became due, epoch milliseconds; absent when nothing is due. */
  readonly oldestDueAt?: number;
}
