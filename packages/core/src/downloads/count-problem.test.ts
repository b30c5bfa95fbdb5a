import { expect, it } from "vitest";
import { countProblem } from "./count-problem.js";

const count = {
  appId: "app_1",
  store: "store_01",
  date: "2026-02-28",
  newDownloads: 0,
  updateDownloads: Number.MAX_SAFE_INTEGER,
};

it("accepts whole numbers of a day of the calendar", () => {
  expect(countProblem(count)).toBeUndefined();
});

it.each([
  ["count", { newDownloads: -1 }],
  ["count", { updateDownloads: -1 }],
  ["count", { newDownloads: 1.5 }],
  ["count", { updateDownloads: Number.MAX_SAFE_INTEGER + 1 }],
  ["count", { newDownloads: Number.NaN }],
  ["date", { date: "2026-02-30" }],
  ["date", { date: "2026-2-3" }],
  ["store", { store: "" }],
  ["store", { store: "store\u0000" }],
  ["store", { store: "store\ud83d" }],
])("names the rule %s for %o", (rule, changes) => {
  expect(countProblem({ ...count, ...changes })).toEqual({ name: "count.invalid", rule });
});
