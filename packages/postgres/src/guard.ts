import { ResultAsync } from "neverthrow";
import type { StorageFailure } from "@tillkit/core/errors";

/** Runs one verb of a store: the one place where an error of a driver becomes a failure. */
export function guard<T>(work: () => Promise<T>): ResultAsync<T, StorageFailure> {
  return ResultAsync.fromThrowable(work, (cause): StorageFailure => ({
    name: "storage.unavailable",
    cause,
  }))();
}
