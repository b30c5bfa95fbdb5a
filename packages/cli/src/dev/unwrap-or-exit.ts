import { isError } from "@tillkit/core/errors";
import type { Result } from "neverthrow";

/** A failure that can be shown to a person. A `message` is a whole sentence. */
interface TellableFailure {
  readonly name: string;
  readonly message?: string;
  readonly cause?: unknown;
}

/**
 * Returns the value of a step that a host cannot start without.
 *
 * @throws Error with the failure's message, or with a message that names step, failure and cause.
 */
export function unwrapOrExit<T>(step: string, result: Result<T, TellableFailure>): T {
  return result.match(
    (value) => value,
    ({ name, message, cause }) => {
      const why = isError(cause) && cause.message !== "" ? `${name}, ${cause.message}` : name;
      throw new Error(message ?? `${step}: ${why}`, { cause });
    },
  );
}
