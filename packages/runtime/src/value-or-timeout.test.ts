import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { valueOrTimeout } from "./value-or-timeout.js";

it("resolves with the value of work that ends in time", async () => {
  expect(await valueOrTimeout(pause(1, "value"), 10_000)).toBe("value");
});

it("resolves with timeout if the work takes longer", async () => {
  expect(await valueOrTimeout(pause(10_000, "value", { ref: false }), 1)).toBe("timeout");
});

it("rejects if the work rejects in time", async () => {
  await expect(valueOrTimeout(Promise.reject(new Error("broken")), 10_000)).rejects.toThrow("broken");
});

it("waits for the work if the time is longer than a timer can be", async () => {
  expect(await valueOrTimeout(pause(5, "value"), Number.MAX_SAFE_INTEGER)).toBe("value");
});
