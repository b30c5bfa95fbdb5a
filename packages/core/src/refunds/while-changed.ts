import { err, ok, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailure } from "../errors/failure.js";
import { attempt } from "../shared/attempt.js";

/** Highest number of runs of the step, if the order keeps changing. */
const READS = 3;

/**
 * Runs a step that reads an order and stores something only if the order has not changed since.
 *
 * @param step - returns `changed` if it stored nothing. Then the step runs again, unless `isLast`
 *   is true.
 * @returns the first result that is not `changed`. Fails with `refund.in-progress` after three
 *   runs.
 */
export function whileChanged<T, F>(
  step: (isLast: boolean) => ResultAsync<T | "changed", F>,
): ResultAsync<T, F | FailureOf<"refund.in-progress"> | StorageFailure> {
  return attempt(async () => {
    for (let reads = 1; reads <= READS; reads += 1) {
      const result = await step(reads === READS);
      if (result.isErr()) return err(result.error);
      if (result.value !== "changed") return ok(result.value);
    }
    return fail("refund.in-progress");
  });
}
