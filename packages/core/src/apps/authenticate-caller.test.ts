import { okAsync } from "neverthrow";
import { describe, expect, it, vi } from "vitest";
import { app, stub } from "../testing/stubs.js";
import type { App } from "./app.js";
import { authenticateCaller } from "./authenticate-caller.js";

const NOW = 7_000;

const withSecrets = (...secrets: App["secrets"]): App => ({ ...app, secrets });
const one = withSecrets({ hash: "digest of one", gmtCreate: 0 });
const two = withSecrets(
  { hash: "digest of two", gmtCreate: 1 },
  { hash: "digest of one", gmtCreate: 0, expiresAt: NOW + 1 },
);
const twoAlone = withSecrets(
  { hash: "digest of two", gmtCreate: 1 },
  { hash: "digest of one", gmtCreate: 0, expiresAt: NOW },
);
const locked: App = { ...one, disabled: true };

/** Authenticates with `secret`. Storage returns `found`, the cache returns `cached`. */
async function show(secret: string, cached: App | undefined, found: App | undefined) {
  const find = vi.fn(() => okAsync(found));
  const ports: Parameters<typeof authenticateCaller>[0] = {
    apps: stub({ getCached: () => cached, find }),
    clock: { now: () => NOW, sleep: async () => undefined },
    digest: { sha256: (text) => `digest of ${text}`, keyed: (text) => [text] },
  };
  const answer = await authenticateCaller(ports, { appId: app.appId, appSecret: secret });
  return {
    let: answer.map(({ appId }) => appId).unwrapOr(undefined) === app.appId,
    requestCount: find.mock.calls.length,
  };
}

describe("authenticateCaller with a cached app", () => {
  it("accepts each live secret without querying storage", async () => {
    expect(await show("one", one, undefined)).toEqual({ let: true, requestCount: 0 });
    expect(await show("one", two, undefined)).toEqual({ let: true, requestCount: 0 });
    expect(await show("two", two, undefined)).toEqual({ let: true, requestCount: 0 });
  });

  it("accepts a new secret and a re-enabled app that only storage has", async () => {
    expect(await show("two", one, two)).toEqual({ let: true, requestCount: 1 });
    expect(await show("one", locked, one)).toEqual({ let: true, requestCount: 1 });
  });

  it("checks the expiry of a cached secret against the current time", async () => {
    expect(await show("one", twoAlone, twoAlone)).toEqual({ let: false, requestCount: 1 });
  });

  it("rejects a caller only after one read of storage", async () => {
    const cached = [undefined, one, two, locked];
    for (const known of cached) {
      for (const found of [undefined, locked, one]) {
        expect(await show("three", known, found)).toEqual({ let: false, requestCount: 1 });
      }
    }
    expect(await show("one", undefined, locked)).toEqual({ let: false, requestCount: 1 });
    expect(await show("two", one, locked)).toEqual({ let: false, requestCount: 1 });
  });
});
