/** The amount of waiting work, counted up to a limit. */
export interface DueWork {
  /** The number of due items. If it equals the limit of the count, there may be more. */
  readonly due: number;
  /** When the oldest due item became due, epoch milliseconds. Absent if nothing is due. */
  readonly oldestDueAt?: number;
}
