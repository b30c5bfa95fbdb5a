import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { StorageFailure } from "@tillkit/core/errors";
import { storageFailureOf } from "./storage-failure.js";

/** Runs one store method, and turns an error of the driver into a failure. */
export function toStorageResult<T>(work: () => Promise<T>): ResultAsync<T, StorageFailure> {
  return new ResultAsync(attempt(work));
}

async function attempt<T>(work: () => Promise<T>): Promise<Result<T, StorageFailure>> {
  try {
    return ok(await work());
  } catch (cause) {
    return err(storageFailureOf(cause));
  }
}
