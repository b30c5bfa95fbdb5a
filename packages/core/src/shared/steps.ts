import type { Err, Result, ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { type ErrOf, guarded, type OkOf } from "./guarded.js";

/**
 * Runs a rule written as steps: `yield*` unwraps a `Result` or leaves with its failure. Of ports that throw it makes what `guarded` makes of them.
 */
export function steps<Y extends Err<never, unknown>, R extends Result<unknown, unknown>>(
  body: () => AsyncGenerator<Y, R>,
): ResultAsync<OkOf<R>, ErrOf<Y> | ErrOf<R> | StorageFailure>;
export function steps(body: () => AsyncGenerator<Err<never, unknown>, Result<unknown, unknown>>) {
  // The first thing a rule yields is the failure it leaves with.
  return guarded(async () => (await body().next()).value);
}
