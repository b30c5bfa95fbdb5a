import { expect, it } from "vitest";
import { recentCallers } from "./recent-callers.js";

const caller = (appId: string, secretHash = "hash-1") => ({ appId, secretHash });

it("contains only the credentials that were added", () => {
  const trusted = recentCallers();
  trusted.add(caller("app_1"));
  expect(trusted.has(caller("app_1"))).toBe(true);
  expect(trusted.has(caller("app_2"))).toBe(false);
  expect(trusted.has(caller("app_1", "hash-2"))).toBe(false);
  trusted.delete(caller("app_1"));
  expect(trusted.has(caller("app_1"))).toBe(false);
});

it("drops the credentials that were added longest ago when it is full", () => {
  const trusted = recentCallers(2);
  for (const appId of ["app_1", "app_2", "app_1", "app_3"]) trusted.add(caller(appId));
  // The second use of app_1 is later than the use of app_2.
  expect(["app_1", "app_2", "app_3"].map((appId) => trusted.has(caller(appId)))).toEqual([true, false, true]);
});
