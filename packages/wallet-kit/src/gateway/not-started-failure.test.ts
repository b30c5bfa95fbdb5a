import { expect, it } from "vitest";
import { notStartedFailure } from "./not-started-failure.js";

it.each(["busy", "timeout"] as const)(
  "the failure of a call that was not started states that nothing was sent: %s",
  (cause) => {
    expect(notStartedFailure(cause)).toMatchObject({ name: "wallet.unknown", cause });
    expect(notStartedFailure(cause).detail).toContain("nothing was sent");
  },
);
