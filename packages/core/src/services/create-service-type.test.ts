import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import type { App } from "../apps/app.js";
import { defaultPolicy } from "../policy.js";
import { stub } from "../testing/stubs.js";
import { createServiceType } from "./create-service-type.js";
import { orThrow } from "../errors/or-throw.js";

const CENTURY = 36_525 * 86_400_000;

const create = (durationMs: number) =>
  createServiceType(
    {
      apps: stub({ getCached: () => stub<App>({ disabled: false }) }),
      serviceTypes: stub({ insertOnce: (type) => okAsync(type) }),
      clock: { now: () => 0, sleep: async () => undefined },
      random: { bytes: (count) => new Uint8Array(count) },
      policy: defaultPolicy,
    },
    "app_1",
    { serviceName: "Month", durationMs },
  );

describe("createServiceType", () => {
  it.each([1, CENTURY])("accepts a duration of %d ms", async (durationMs) => {
    expect(await orThrow(create(durationMs))).toMatchObject({ durationMs });
  });

  it.each([0, -1, 1.5, CENTURY + 1, Number.MAX_SAFE_INTEGER])(
    "rejects a duration of %d ms",
    async (durationMs) => {
      expect((await create(durationMs))._unsafeUnwrapErr()).toMatchObject({
        name: "parameter.invalid",
        parameter: "durationMs",
        rule: "duration",
      });
    },
  );
});
