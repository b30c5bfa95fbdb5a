import { expect, it } from "vitest";
import { notStartedFailure } from "./not-started-failure.js";

it.each(["busy", "timeout"] as const)("states for %s that nothing was sent", (cause) => {
  expect(notStartedFailure(cause)).toMatchObject({ name: "wallet.unknown", cause });
  expect(notStartedFailure(cause).detail).toContain("nothing was sent");
});
