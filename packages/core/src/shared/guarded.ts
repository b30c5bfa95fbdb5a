import { type Err, err, type Result, ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";

/** What a `Result` holds. */
export type OkOf<R> = R extends Result<infer T, unknown> ? T : never;
/** What a `Result` fails with. */
export type ErrOf<R> = R extends Result<unknown, infer E> ? E : never;

/**
 * Runs a rule written as an async function. A port that throws instead of answering with a failure becomes one `storage.unavailable`, so no
 * public function ever rejects. What every request runs is written so, and not as `steps`: a generator made on the way costs ten times as much.
 */
export function guarded<R extends Result<unknown, unknown>>(
  body: () => Promise<R>,
): ResultAsync<OkOf<R>, ErrOf<R> | StorageFailure>;
export function guarded(body: () => Promise<Result<unknown, unknown>>) {
  return new ResultAsync(body().catch(unavailable));
}

/** Like {@link guarded}, for a rule that waits for nothing. */
export function guardedNow<T, E>(body: () => Result<T, E>): Result<T, E | StorageFailure> {
  try {
    return body();
  } catch (cause) {
    return unavailable(cause);
  }
}

function unavailable(cause: unknown): Err<never, StorageFailure> {
  return err({ name: "storage.unavailable", cause });
}
