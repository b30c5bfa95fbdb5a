import type { Result } from "neverthrow";

/** The value of a step without which the host cannot start. Throws an error that names the failure. */
export function must<T>(
  step: string,
  result: Result<T, { readonly name: string; readonly cause?: unknown }>,
): T {
  return result.match(
    (value) => value,
    ({ name, cause }) => {
      throw new Error(`${step}: ${name}`, { cause });
    },
  );
}
