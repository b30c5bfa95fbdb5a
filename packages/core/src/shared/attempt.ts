import { type Err, err, type Ok, type Result, ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";

/** The value type of a `Result` that succeeded. */
type OkOf<R> = R extends Ok<infer T, unknown> ? T : never;
/** The error type of a `Result` that failed. */
type ErrOf<R> = R extends Err<unknown, infer E> ? E : never;

/**
 * Runs a rule, which is an async function that returns a `Result`. Never rejects.
 *
 * If a port throws, the rule fails with `storage.unavailable`. A rule returns the failure of a step
 * immediately, or continues with the value of the step.
 *
 * @example
 * ```
 * return attempt(async () => {
 *   const found = await ports.orders.find(key);
 *   if (found.isErr()) return found;
 *   return found.value === undefined ? fail("order.not-found") : ok(found.value);
 * });
 * ```
 */
export function attempt<R extends Result<unknown, unknown>>(
  rule: () => Promise<R>,
): ResultAsync<OkOf<R>, ErrOf<R> | StorageFailure>;
export function attempt(rule: () => Promise<Result<unknown, unknown>>) {
  return new ResultAsync(rule().catch(unavailable));
}

/** Like {@link attempt}, for a synchronous rule. */
export function attemptSync<T, E>(rule: () => Result<T, E>): Result<T, E | StorageFailure> {
  try {
    return rule();
  } catch (cause) {
    return unavailable(cause);
  }
}

function unavailable(cause: unknown): Err<never, StorageFailure> {
  return err({ name: "storage.unavailable", cause });
}
