import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { StorageFailure } from "@tillkit/core/errors";

/**
 * Runs one store method as one atomic step.
 *
 * `body` is synchronous, so no other code runs in between. An error that `body` throws becomes
 * `storage.unavailable`.
 */
export function runAtomically<T>(body: () => T): ResultAsync<T, StorageFailure> {
  return new ResultAsync(Promise.resolve(attempt(body)));
}

function attempt<T>(body: () => T): Result<T, StorageFailure> {
  try {
    return ok(body());
  } catch (cause) {
    return err({ name: "storage.unavailable", cause });
  }
}
