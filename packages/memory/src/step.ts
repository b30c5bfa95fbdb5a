import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { StorageFailure } from "@tillkit/core/errors";

/**
 * Runs one verb of a store. `body` runs at once and to its end before anything else can, which is what makes the verb atomic; what it
 * throws becomes `storage.unavailable`.
 */
export function step<T>(body: () => T): ResultAsync<T, StorageFailure> {
  return new ResultAsync(Promise.resolve(attempt(body)));
}

function attempt<T>(body: () => T): Result<T, StorageFailure> {
  try {
    return ok(body());
  } catch (cause) {
    return err({ name: "storage.unavailable", cause });
  }
}
