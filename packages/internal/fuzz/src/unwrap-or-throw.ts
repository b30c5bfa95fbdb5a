import type { ResultAsync } from "neverthrow";

/** Returns the value of a set-up step. Throws if the step failed. */
export async function unwrapOrThrow<T>(result: ResultAsync<T, { readonly name: string }>): Promise<T> {
  return (await result).match(
    (value) => value,
    (failure) => {
      throw new Error(`A target cannot be set up: ${JSON.stringify(failure)}`);
    },
  );
}
