import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";

/** A claim on the next reading of the figures. Times are epoch milliseconds. */
export interface FiguresClaim {
  /** Identifies the claim. Each attempt has its own id. */
  readonly id: string;
  readonly now: number;
  /** When another process may claim the reading, unless this process saves it earlier. */
  readonly until: number;
  /** A stored reading from this time or earlier is replaced. */
  readonly olderThan: number;
}

/** The figures that one process has read from the stored orders, refunds, bills and events. */
export interface StoredReading {
  /** A text that only `readSharedFigures` reads. */
  readonly text: string;
  /** When it was read, epoch milliseconds. */
  readonly at: number;
}

/** What a process got from {@link FiguresStore.claim}. */
export interface ClaimedFigures {
  /** Whether this process must read the figures and save them. */
  readonly isClaimed: boolean;
  /** The newest stored reading, of any age. Absent before the first one. */
  readonly reading?: StoredReading;
}

/**
 * Stores the newest figures, so that one process at a time reads them for all processes.
 *
 * Every method is one atomic step. The only failure is a {@link StorageFailure}.
 * `figuresStoreContract` of `@tillkit/contract-tests` tests an implementation.
 */
export interface FiguresStore {
  /**
   * Returns the newest reading, and claims the next one if it is due and no other claim holds.
   *
   * Of several concurrent calls, at most one claims.
   */
  claim(claim: FiguresClaim): ResultAsync<ClaimedFigures, StorageFailure>;
  /**
   * Replaces the reading and ends the claim.
   *
   * @returns false, without effect, if another claim followed this one.
   */
  save(claimId: string, reading: StoredReading): ResultAsync<boolean, StorageFailure>;
}
