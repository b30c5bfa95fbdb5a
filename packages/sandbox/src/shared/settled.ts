import { type Result, ResultAsync } from "neverthrow";

/** A result that is known already, for a caller that waits for one. */
export function settled<T, E>(result: Result<T, E>): ResultAsync<T, E> {
  return new ResultAsync(Promise.resolve(result));
}
