import { okAsync } from "neverthrow";
import { expect, it } from "vitest";
import { app, stub } from "../testing/stubs.js";
import { disableApp, enableApp } from "./disable-app.js";
import { orThrow } from "../errors/or-throw.js";

const ports: Parameters<typeof disableApp>[0] = {
  clock: { now: () => 7_000, sleep: async () => undefined },
  apps: stub({
    setDisabled: (appId, disabled, at) =>
      okAsync(appId === app.appId ? { ...app, disabled, gmtModified: at } : undefined),
  }),
};

it("disables an app, enables it again, and stores the time of the change", async () => {
  expect(await orThrow(disableApp(ports, "app_1"))).toEqual({
    ...app,
    disabled: true,
    gmtModified: 7_000,
  });
  expect(await orThrow(enableApp(ports, "app_1"))).toEqual({ ...app, gmtModified: 7_000 });
});

it("fails for an unknown app", async () => {
  for (const change of [disableApp, enableApp]) {
    expect((await change(ports, "app_2"))._unsafeUnwrapErr()).toEqual({ name: "credentials.invalid" });
  }
});
