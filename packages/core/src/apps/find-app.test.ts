import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it, vi } from "vitest";
import { app, stub } from "../testing/stubs.js";
import type { App } from "./app.js";
import { findApp } from "./find-app.js";
import { orThrow } from "../errors/or-throw.js";

const locked: App = { ...app, disabled: true };

/** Looks up an enabled app. Storage returns `found`, the cache returns `cached`. */
function look(cached: App | undefined, found: App | undefined) {
  const find = vi.fn(() => okAsync(found));
  const requests: (App | undefined)[] = [];
  const answer = findApp(
    { apps: stub({ getCached: () => cached, find }) },
    "app_1",
    (known): known is App => {
      requests.push(known);
      return known?.disabled === false;
    },
  );
  return { answer, requests, find };
}

describe("findApp", () => {
  it("does not read storage if the cached record grants access", async () => {
    const { answer, find } = look(app, locked);
    expect(await orThrow(answer)).toBe(app);
    expect(find).not.toHaveBeenCalled();
  });

  it.each([
    ["no record is cached", undefined],
    ["the cached record does not grant access", locked],
  ])("reads storage if %s, and uses the stored record", async (_when, cached) => {
    for (const found of [app, locked, undefined]) {
      const { answer, requests, find } = look(cached, found);
      expect(await orThrow(answer)).toBe(found === app ? app : undefined);
      expect(find).toHaveBeenCalledExactlyOnceWith("app_1");
      expect(requests).toEqual([cached, found]);
    }
  });

  it("fails if storage fails and no cached record grants access", async () => {
    const apps = stub<Parameters<typeof findApp>[0]["apps"]>({
      getCached: () => locked,
      find: () => errAsync({ name: "storage.unavailable" }),
    });
    const answer = findApp({ apps }, "app_1", (known): known is App => known?.disabled === false);
    expect((await answer)._unsafeUnwrapErr()).toEqual({ name: "storage.unavailable" });
  });
});
