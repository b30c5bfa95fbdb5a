import { okAsync } from "neverthrow";
import { expect, it } from "vitest";
import { stub } from "../testing/stubs.js";
import type { App } from "./app.js";
import { disableApp, enableApp } from "./disable-app.js";

const known: App = {
  appId: "app_1",
  name: "Demo",
  accountBased: true,
  identityChecks: { email: true, phone: true, card: true },
  disabled: false,
  secrets: [],
  gmtCreate: 0,
  gmtModified: 0,
};

const ports: Parameters<typeof disableApp>[0] = {
  clock: { now: () => 7_000, sleep: async () => undefined },
  apps: stub({
    setDisabled: (appId, disabled, at) =>
      okAsync(appId === known.appId ? { ...known, disabled, gmtModified: at } : undefined),
  }),
};

it("locks the app out and lets it in again", async () => {
  expect((await disableApp(ports, "app_1"))._unsafeUnwrap()).toEqual({
    ...known,
    disabled: true,
    gmtModified: 7_000,
  });
  expect((await enableApp(ports, "app_1"))._unsafeUnwrap()).toEqual({ ...known, gmtModified: 7_000 });
});

it("fails for an unknown app", async () => {
  for (const change of [disableApp, enableApp]) {
    expect((await change(ports, "app_2"))._unsafeUnwrapErr()).toEqual({ name: "credentials.invalid" });
  }
});
