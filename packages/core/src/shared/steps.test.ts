import { err, errAsync, ok, okAsync } from "neverthrow";
import { expect, it } from "vitest";
import { steps } from "./steps.js";

it("leaves with the first failure", async () => {
  let reached = false;
  const result = await steps(async function* () {
    const one = yield* okAsync(1);
    yield* errAsync("no" as const);
    reached = true;
    return ok(one);
  });
  expect(result).toEqual(err("no"));
  expect(reached).toBe(false);
});

it("turns what a port throws into storage.unavailable, with the cause kept", async () => {
  const cause = new Error("connection lost");
  const result = await steps(async function* () {
    yield* okAsync(1);
    return ok(await Promise.reject<number>(cause));
  });
  expect(result._unsafeUnwrapErr()).toEqual({ name: "storage.unavailable", cause });
});
