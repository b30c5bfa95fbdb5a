import { expect, it } from "vitest";
import { loadSdk } from "./load-sdk.js";

it("loadSdk returns the SDK", async () => {
  expect(await loadSdk("one", () => Promise.resolve({ sdk: 1 }))).toEqual({ sdk: 1 });
});

it("loadSdk names the packages to install if the SDK is missing", async () => {
  const missing = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
  await expect(loadSdk("one two", () => Promise.reject(missing))).rejects.toThrow("npm install one two");
});

it("loadSdk throws every other error unchanged", async () => {
  const broken = new Error("broken");
  await expect(loadSdk("one", () => Promise.reject(broken))).rejects.toBe(broken);
});
