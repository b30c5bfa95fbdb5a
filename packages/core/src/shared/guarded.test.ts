import { err, ok } from "neverthrow";
import { expect, it } from "vitest";
import { guarded } from "./guarded.js";

it("answers with what the rule answers", async () => {
  expect(await guarded(async () => ok(1))).toEqual(ok(1));
  expect(await guarded(async () => err("no" as const))).toEqual(err("no"));
});

it("turns what a port throws, at once or later, into storage.unavailable with the cause kept", async () => {
  const cause = new Error("connection lost");
  const broken = (): never => {
    throw cause;
  };
  const failures = [guarded(async () => ok(broken())), guarded(() => Promise.reject(cause))];
  for (const failure of failures) {
    expect((await failure)._unsafeUnwrapErr()).toEqual({ name: "storage.unavailable", cause });
  }
});
