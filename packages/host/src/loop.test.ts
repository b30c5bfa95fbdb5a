import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startLoop, type StepResult } from "./loop.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Starts a loop of one second without jitter, and records when each step begins. */
function aLoop(step: (begun: number) => StepResult | Promise<StepResult>) {
  const origin = Date.now();
  const began: number[] = [];
  const loop = startLoop({
    step: async () => step(began.push(Date.now() - origin)),
    everyMs: 1_000,
    random: () => 0.5,
  });
  return { loop, began };
}

/** Creates a step that waits until the test ends it. */
function aGate() {
  const open: ((result: StepResult) => void)[] = [];
  const step = () => new Promise<StepResult>((resolve) => open.push(resolve));
  return { step, end: (result: StepResult) => open.shift()?.(result) };
}

it("pauses between steps, and before the first for a part of a pause", async () => {
  const { loop, began } = aLoop(() => "idle");
  await vi.advanceTimersByTimeAsync(3_000);
  expect(began).toEqual([500, 1_500, 2_500]);
  await loop.stop();
});

it("waits at most as long as a timer can", async () => {
  let steps = 0;
  const step = async () => {
    steps += 1;
    return "idle" as const;
  };
  const loop = startLoop({ step, everyMs: 60 * 86_400_000, random: () => 1 });
  await vi.advanceTimersByTimeAsync(86_400_000);
  expect(steps).toBe(0);
  await loop.stop();
});

it("continues at once while there is more work", async () => {
  const { loop, began } = aLoop((begun) => (begun < 3 ? "more" : "idle"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(began).toEqual([500, 500, 500]);
  await loop.stop();
});

it("doubles the pause with each consecutive failure, up to a minute, until a step succeeds", async () => {
  const { loop, began } = aLoop((begun) => (begun <= 8 ? "failed" : "idle"));
  await vi.advanceTimersByTimeAsync(300_000);
  const pauses = began.slice(1).map((moment, index) => moment - (began[index] ?? 0));
  expect(pauses.slice(0, 10)).toEqual([
    2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 1_000, 1_000,
  ]);
  await loop.stop();
});

it("never runs two steps at once, and stops when the current step has ended", async () => {
  const { step, end } = aGate();
  const { loop, began } = aLoop(step);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(began).toEqual([500]);
  let stopped = false;
  const stopping = loop.stop().then(() => (stopped = true));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(stopped).toBe(false);
  end("more");
  await stopping;
  expect(began).toEqual([500]);
  expect(vi.getTimerCount()).toBe(0);
});

it("stops at once during a pause", async () => {
  const { loop, began } = aLoop(() => "idle");
  await vi.advanceTimersByTimeAsync(600);
  await loop.stop();
  expect(began).toEqual([500]);
  expect(vi.getTimerCount()).toBe(0);
});

it("runs a requested step after the current one, and then pauses", async () => {
  const { step, end } = aGate();
  const { loop, began } = aLoop(step);
  await vi.advanceTimersByTimeAsync(700);
  const requested = loop.runNow();
  await vi.advanceTimersByTimeAsync(0);
  expect(began).toEqual([500]);
  end("idle");
  await vi.advanceTimersByTimeAsync(0);
  expect(began).toEqual([500, 700]);
  end("idle");
  await requested;
  await vi.advanceTimersByTimeAsync(999);
  expect(began).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(began).toHaveLength(3);
  end("idle");
  await loop.stop();
});

it("runs soon after it is woken, once for several calls", async () => {
  const { loop, began } = aLoop(() => "idle");
  await vi.advanceTimersByTimeAsync(600);
  loop.wake();
  loop.wake();
  await vi.advanceTimersByTimeAsync(5);
  loop.wake();
  await vi.advanceTimersByTimeAsync(300);
  expect(began).toEqual([500, 620]);
  await loop.stop();
});

it("runs again if it is woken during a step", async () => {
  const { step, end } = aGate();
  const { loop, began } = aLoop(step);
  await vi.advanceTimersByTimeAsync(550);
  loop.wake();
  end("idle");
  await vi.advanceTimersByTimeAsync(100);
  expect(began).toEqual([500, 570]);
  end("idle");
  await loop.stop();
});

it("keeps the pause after a failure if it is woken", async () => {
  const { loop, began } = aLoop((begun) => (begun === 1 ? "failed" : "idle"));
  await vi.advanceTimersByTimeAsync(550);
  loop.wake();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(began).toEqual([500, 2_500]);
  await loop.stop();
});
