import { expect, it } from "vitest";
import { restartPolicy } from "./restart-policy.js";

it("replaces a worker at once after a long life, and with growing pauses after early crashes", () => {
  const policy = restartPolicy();
  expect(policy.delayAfter(3_600_000)).toBe(0);
  expect([1, 2, 3].map(() => policy.delayAfter(1_000))).toEqual([250, 500, 1_000]);
  for (let more = 0; more < 20; more += 1) policy.delayAfter(1_000);
  expect(policy.delayAfter(1_000)).toBe(30_000);
  expect(policy.delayAfter(60_000)).toBe(0);
  expect(policy.delayAfter(1_000)).toBe(250);
});

it("gives up after five early crashes if no worker serves", () => {
  const policy = restartPolicy();
  for (let lives = 1; lives < 5; lives += 1) {
    policy.delayAfter(1_000);
    expect(policy.givesUp(0)).toBe(false);
  }
  policy.delayAfter(1_000);
  expect(policy.givesUp(1)).toBe(false);
  expect(policy.givesUp(0)).toBe(true);
});
