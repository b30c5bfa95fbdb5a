import { expect, it } from "vitest";
import { minutesText, openProgress } from "./progress.js";

it("openProgress estimates the remaining time by the usual times and the slowness so far", () => {
  let now = 0;
  const usual = new Map([
    ["a", 10],
    ["b", 20],
    ["c", 30],
  ]);
  const progress = openProgress(usual, () => now);
  expect(progress.remaining()).toBe(60);
  now = 20_000;
  progress.end("a");
  expect(progress.remaining()).toBe(100);
  now = 40_000;
  progress.end("b");
  expect(progress.remaining()).toBe(40);
  progress.end("c");
  expect(progress.remaining()).toBe(0);
});

it("minutesText writes minutes and seconds", () => {
  expect([5, 65, 600].map(minutesText)).toEqual(["5 s", "1 min 05 s", "10 min 00 s"]);
});
