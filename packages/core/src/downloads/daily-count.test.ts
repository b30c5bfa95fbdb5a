import { describe, expect, it } from "vitest";
import { parseInput } from "../shared/input.js";
import { dailyCountInput } from "./daily-count.js";
import { orThrow } from "../errors/or-throw.js";

const COUNT = {
  appId: "app_1",
  store: "store_01",
  date: "2024-02-29",
  newDownloads: 0,
  updateDownloads: 3_000_000_000,
};
const read = (change: object) => parseInput(dailyCountInput(), { ...COUNT, ...change });

describe("dailyCountInput", () => {
  it("accepts a count", () => {
    expect(orThrow(read({}))).toEqual(COUNT);
  });

  it.each([
    [{ date: "2026-02-29" }, { parameter: "date", rule: "date" }],
    [{ date: "0000-01-01" }, { parameter: "date", rule: "date" }],
    [{ date: "2026-1-9" }, { parameter: "date", rule: "date" }],
    [{ newDownloads: -1 }, { parameter: "newDownloads", rule: "natural-number" }],
    [{ updateDownloads: 1.5 }, { parameter: "updateDownloads", rule: "natural-number" }],
    [{ updateDownloads: NaN }, { parameter: "updateDownloads", rule: "natural-number" }],
    [{ store: "s".repeat(65) }, { parameter: "store", rule: "length" }],
  ])("rejects %o", (change, problem) => {
    expect(read(change)._unsafeUnwrapErr()).toEqual({ name: "parameter.invalid", ...problem });
  });

  it("requires an app and a store", () => {
    for (const parameter of ["appId", "store"])
      expect(read({ [parameter]: "" })._unsafeUnwrapErr()).toEqual({ name: "parameter.missing", parameter });
  });
});
