import { errAsync, okAsync, ResultAsync } from "neverthrow";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openHealth } from "./health.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("is ready while the schema is as it should be", async () => {
  expect(await openHealth(() => okAsync({}), 1_000).ready()).toEqual({ ready: true });
});

it.each([
  [{ name: "storage.unavailable" } as const, "database"],
  [{ name: "schema.too-new", migration: "0009", message: "upgrade" } as const, "schema"],
])("is not ready after %o", async (failure, why) => {
  expect(await openHealth(() => errAsync(failure), 1_000).ready()).toEqual({ ready: false, why });
});

it("is not ready when no answer comes in time, and queries once for concurrent callers", async () => {
  let requestCount = 0;
  const health = openHealth(() => {
    requestCount += 1;
    return new ResultAsync(new Promise<never>(() => undefined));
  }, 1_000);
  const answers = Promise.all([health.ready(), health.ready()]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await answers).toEqual([
    { ready: false, why: "database" },
    { ready: false, why: "database" },
  ]);
  expect(requestCount).toBe(1);
});

it("is not ready once it shuts down", async () => {
  const health = openHealth(() => okAsync({}), 1_000);
  health.shutDown();
  expect(await health.ready()).toEqual({ ready: false, why: "shutting down" });
});
