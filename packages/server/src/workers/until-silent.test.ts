import { expect, it } from "vitest";
import { untilSilent } from "./until-silent.js";

/** A worker that answers the first checks as `answers` lists, and no later check. */
function workerWith(...answers: readonly boolean[]) {
  let asked = 0;
  return { asked: () => asked, isSilent: async () => !(answers[(asked += 1) - 1] ?? false) };
}
const never = new AbortController().signal;

it("resolves after four checks in a row without an answer", async () => {
  const worker = workerWith();
  await untilSilent(worker, 8, never);
  expect(worker.asked()).toBe(4);
});

it("counts from the beginning after each answer", async () => {
  const worker = workerWith(false, false, false, true, false, true);
  await untilSilent(worker, 8, never);
  expect(worker.asked()).toBe(10);
});

it("rejects when the worker has ended", async () => {
  const over = new AbortController();
  const silent = untilSilent({ isSilent: async () => false }, 60_000, over.signal);
  over.abort();
  await expect(silent).rejects.toThrow("aborted");
});
