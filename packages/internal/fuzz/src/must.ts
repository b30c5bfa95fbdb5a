import type { ResultAsync } from "neverthrow";

/** What a step in setting a target up gives; it may not fail. */
export async function must<T>(result: ResultAsync<T, { readonly name: string }>): Promise<T> {
  return (await result).match(
    (value) => value,
    (failure) => {
      throw new Error(`A target cannot be set up: ${JSON.stringify(failure)}`);
    },
  );
}
