import { errAsync, okAsync, ResultAsync } from "neverthrow";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startLoop } from "./loops.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Starts a loop of one second without jitter, and records when each step begins. */
function aLoop(step: (begun: number) => ResultAsync<{ more: boolean }, { name: string }>) {
  const origin = Date.now();
  const began: number[] = [];
  const reports: unknown[] = [];
  const loop = startLoop({
    step: () => step(began.push(Date.now() - origin)),
    every: 1_000,
    report: (outcome) => reports.push(outcome),
    random: () => 0.5,
  });
  return { loop, began, reports };
}

it("pauses between steps, and first for a part of a pause", async () => {
  const { loop, began } = aLoop(() => okAsync({ more: false }));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(began).toEqual([500, 1_500, 2_500]);
  await loop.stop();
});

it("goes on at once while there is more", async () => {
  const { loop, began } = aLoop((begun) => okAsync({ more: begun < 3 }));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(began).toEqual([500, 500, 500]);
  await loop.stop();
});

it("doubles the pause with every failure in a row, up to a minute, and forgets it after a success", async () => {
  const { loop, began, reports } = aLoop((begun) =>
    begun <= 8 ? errAsync({ name: "storage.unavailable" }) : okAsync({ more: false }),
  );
  await vi.advanceTimersByTimeAsync(300_000);
  const pauses = began.slice(1).map((moment, index) => moment - (began[index] ?? 0));
  expect(pauses.slice(0, 10)).toEqual([
    2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 1_000, 1_000,
  ]);
  expect(reports.slice(7, 9)).toEqual([{ name: "storage.unavailable" }, "ok"]);
  await loop.stop();
});

it("outlives a step that throws", async () => {
  const cause = new Error("bug");
  const { loop, began, reports } = aLoop((begun) => {
    if (begun === 1) throw cause;
    return okAsync({ more: false });
  });
  await vi.advanceTimersByTimeAsync(3_000);
  expect([began, reports]).toEqual([
    [500, 2_500],
    [{ name: "loop.broken", cause }, "ok"],
  ]);
  await loop.stop();
});

it("never has two steps at once, and ends when the one under way is over", async () => {
  let finish: () => void = () => undefined;
  const { loop, began } = aLoop(
    () =>
      new ResultAsync(new Promise((resolve) => (finish = () => void okAsync({ more: true }).then(resolve)))),
  );
  await vi.advanceTimersByTimeAsync(10_000);
  expect(began).toEqual([500]);
  let stopped = false;
  const stopping = loop.stop().then(() => (stopped = true));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(stopped).toBe(false);
  finish();
  await stopping;
  expect(began).toEqual([500]);
});

it("ends at once while it pauses", async () => {
  const { loop, began } = aLoop(() => okAsync({ more: false }));
  await vi.advanceTimersByTimeAsync(600);
  await loop.stop();
  expect(began).toEqual([500]);
  expect(vi.getTimerCount()).toBe(0);
});
