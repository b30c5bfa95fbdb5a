import { err, errAsync, ok, okAsync } from "neverthrow";
import { expect, it } from "vitest";
import { attempt, attemptSync } from "./attempt.js";

const cause = new Error("connection lost");
const broken = (): never => {
  throw cause;
};

it("returns the result of the rule", async () => {
  expect(await attempt(async () => ok(1))).toEqual(ok(1));
  expect(await attempt(async () => err("no" as const))).toEqual(err("no"));
  expect(await attempt(async () => okAsync(1))).toEqual(ok(1));
});

it("returns the failure of a step", async () => {
  const result = await attempt(async () => {
    const step = await errAsync<string, "no">("no");
    if (step.isErr()) return step;
    return ok(step.value.length);
  });
  const length: number = result.unwrapOr(7);
  expect(result).toEqual(err("no"));
  expect(length).toBe(7);
});

it("turns an error that a port throws or rejects with into storage.unavailable with its cause", async () => {
  const failures = [attempt(async () => ok(broken())), attempt(() => Promise.reject(cause))];
  for (const failure of failures) {
    expect((await failure)._unsafeUnwrapErr()).toEqual({ name: "storage.unavailable", cause });
  }
  expect(attemptSync(() => ok(broken()))).toEqual(err({ name: "storage.unavailable", cause }));
});
