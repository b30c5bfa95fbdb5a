import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";

/** A claim on a channel. Times are epoch milliseconds. */
export interface AlertClaim {
  /** Identifies the claim. Each attempt to claim a channel has its own id. */
  readonly id: string;
  readonly now: number;
  /** When another process may claim the channel, unless this process ends the claim earlier. */
  readonly until: number;
}

/** What the save does to the claim: extends it, or ends it and makes the channel due later. */
export type AfterSave = { readonly until: number } | { readonly dueAt: number };

/**
 * Stores what was sent to each channel, for all processes. One process at a time sends.
 *
 * A state is a text that only `sendAlerts` reads. Times are epoch milliseconds. Every method is one
 * atomic step. The only failure is a {@link StorageFailure}. `alertStoreContract` of
 * `@tillkit/contract-tests` tests an implementation.
 */
export interface AlertStore {
  /**
   * Claims a channel, and returns its state.
   *
   * A channel that was never claimed is due, and its state is an empty text. Of several concurrent
   * calls, one claims the channel.
   *
   * @returns `undefined` if the channel is not due yet, or if another claim has not ended.
   */
  claim(channel: string, claim: AlertClaim): ResultAsync<string | undefined, StorageFailure>;
  /**
   * Replaces the state of a claimed channel, and extends or ends the claim.
   *
   * @returns false, without effect, if the claim is lost: a later claim replaced it, or an earlier
   *   save ended it.
   */
  save(
    channel: string,
    claimId: string,
    state: string,
    after: AfterSave,
  ): ResultAsync<boolean, StorageFailure>;
}
