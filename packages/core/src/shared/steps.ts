import { type Err, err, type Result, ResultAsync, safeTry } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";

type OkOf<R> = R extends Result<infer T, unknown> ? T : never;
type ErrOf<R> = R extends Result<unknown, infer E> ? E : never;

/**
 * Runs a rule written as steps: `yield*` unwraps a `Result` or leaves with its failure. A port that throws instead of
 * answering with a failure becomes one `storage.unavailable`, so no public function ever rejects.
 */
export function steps<Y extends Err<never, unknown>, R extends Result<unknown, unknown>>(
  body: () => AsyncGenerator<Y, R>,
): ResultAsync<OkOf<R>, ErrOf<Y> | ErrOf<R> | StorageFailure>;
export function steps(body: () => AsyncGenerator<Err<never, unknown>, Result<unknown, unknown>>) {
  const run = async (): Promise<Result<unknown, unknown>> => {
    try {
      return await safeTry(body);
    } catch (cause) {
      return err<never, StorageFailure>({ name: "storage.unavailable", cause });
    }
  };
  return new ResultAsync(run());
}
