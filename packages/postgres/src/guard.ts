import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { StorageFailure } from "@tillkit/core/errors";

/** Runs one verb of a store: the one place where an error of a driver becomes a failure. */
export function guard<T>(work: () => Promise<T>): ResultAsync<T, StorageFailure> {
  return new ResultAsync(attempt(work));
}

async function attempt<T>(work: () => Promise<T>): Promise<Result<T, StorageFailure>> {
  try {
    return ok(await work());
  } catch (cause) {
    return err({ name: "storage.unavailable", cause });
  }
}
