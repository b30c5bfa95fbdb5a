import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";

/** The reasons why a storage that answers cannot do what a host needs. */
export type ReadinessNeed =
  | "storage.read-only"
  | "storage.disk-full"
  | "storage.out-of-memory"
  | "storage.limited"
  | "storage.too-many-connections";

/** Why a host cannot use its storage. */
export type ReadinessFailure =
  | StorageFailure
  | {
      readonly name: ReadinessNeed;
      /** What the driver threw. For the host's exception log. */
      readonly cause?: unknown;
      /** What to do, in one line, without secrets. */
      readonly remedy: string;
    };

/**
 * Proves that the storage accepts writes, which a read cannot prove.
 *
 * A database that is read-only after a failover, or whose disk is full, still answers reads.
 * `readinessStoreContract` of `@tillkit/contract-tests` tests an implementation.
 */
export interface ReadinessStore {
  /**
   * Writes one row, which each call replaces, so that the storage does not grow.
   *
   * The call also needs free space, so that it fails with `storage.disk-full` before an order does.
   * Any number of processes may call it at once. A call takes one statement.
   *
   * @param now - the time of the host, epoch milliseconds.
   */
  write(now: number): ResultAsync<undefined, ReadinessFailure>;
}
