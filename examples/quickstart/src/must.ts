import type { Result } from "neverthrow";

/** A failure as it can be told to a person: `message`, where it has one, is a whole sentence. */
interface TellableFailure {
  readonly name: string;
  readonly message?: string;
  readonly cause?: unknown;
}

/** The value of a step without which the host cannot start. Throws an error with the failure's message, or one that names step, failure and cause. */
export function must<T>(step: string, result: Result<T, TellableFailure>): T {
  return result.match(
    (value) => value,
    ({ name, message, cause }) => {
      const why = cause instanceof Error && cause.message !== "" ? `${name}, ${cause.message}` : name;
      throw new Error(message ?? `${step}: ${why}`, { cause });
    },
  );
}
