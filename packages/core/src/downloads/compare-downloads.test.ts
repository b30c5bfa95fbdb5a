import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import { parseInput } from "../shared/input.js";
import { stub } from "../testing/stubs.js";
import type { DownloadsSource } from "./downloads-source.js";
import { compareDownloads, compareDownloadsInput } from "./compare-downloads.js";
import { orThrow } from "../errors/or-throw.js";

const parse = (from: string, until: string, by?: string) =>
  parseInput(compareDownloadsInput(defaultPolicy), { from, until, by });
const day = (newDownloads: number, updateDownloads: number) => ({
  newDownloads,
  updateDownloads,
  recordedDays: 1,
});

describe("compareDownloads", () => {
  it("compares a range with as many days before it", async () => {
    const asked: string[] = [];
    const downloads = stub<DownloadsSource>({
      read: (appId, start, end) => {
        asked.push(`${appId} ${start} ${end}`);
        const factor = start === "2024-02-28" ? 1 : 10;
        const store = (name: string) => ({
          store: name,
          days: [2, 0],
          newDownloads: [1 * factor, 2 * factor],
          updateDownloads: [3 * factor, 4 * factor],
        });
        return okAsync([store("store_01"), store("store_02")]);
      },
    });
    const input = orThrow(parse("2024-02-28", "2024-03-01"));
    const compared = await orThrow(compareDownloads({ downloads }, ["app_1"], input));
    expect(asked).toEqual(["app_1 2024-02-28 2024-03-01", "app_1 2024-02-25 2024-02-27"]);
    expect(compared).toMatchObject({
      periods: [{ from: "2024-02-28", until: "2024-02-28" }, { from: "2024-02-29" }, { until: "2024-03-01" }],
      stores: [
        {
          store: "store_01",
          periods: [day(2, 4), null, day(1, 3)],
          newDownloads: 3,
          updateDownloads: 7,
          totalDownloads: 10,
          before: { newDownloads: 30, updateDownloads: 70, totalDownloads: 100 },
        },
        { store: "store_02" },
      ],
      allStores: { newDownloads: 6, updateDownloads: 14, totalDownloads: 20 },
    });
    expect(compared.before).toEqual({
      start: "2024-02-25",
      end: "2024-02-27",
      newDownloads: 60,
      updateDownloads: 140,
      totalDownloads: 200,
    });
  });

  it("adds up the counts of several apps by store, and returns no stores if no app is given", async () => {
    const downloads = stub<DownloadsSource>({
      read: (appId) =>
        okAsync(
          (appId === "app_1" ? ["b", "a"] : ["b"]).map((store) => ({
            store,
            days: [1],
            newDownloads: [1],
            updateDownloads: [2],
          })),
        ),
    });
    const input = orThrow(parse("2024-02-28", "2024-02-29"));
    const both = await orThrow(compareDownloads({ downloads }, ["app_1", "app_2"], input));
    expect(both.stores).toMatchObject([
      { store: "a", periods: [null, day(1, 2)] },
      { store: "b", periods: [null, day(2, 4)] },
    ]);
    expect(both).toMatchObject({ allStores: { newDownloads: 3 }, before: { updateDownloads: 6 } });
    const none = await orThrow(compareDownloads({ downloads }, [], input));
    expect(none).toMatchObject({ stores: [], allStores: { totalDownloads: 0 }, before: { newDownloads: 0 } });
  });

  it("adds up weeks and months, and distinguishes a period without data from zero", async () => {
    const downloads = stub<DownloadsSource>({
      read: (_app, start) =>
        okAsync(
          start === "2026-01-29"
            ? [
                { store: "a", days: [0, 1, 3], newDownloads: [1, 2, 4], updateDownloads: [0, 0, 0] },
                { store: "b", days: [11], newDownloads: [0], updateDownloads: [0] },
              ]
            : [{ store: "gone", days: [0], newDownloads: [9], updateDownloads: [0] }],
        ),
    });
    const compare = async (by: string) =>
      await orThrow(
        compareDownloads({ downloads }, ["app_1"], orThrow(parse("2026-01-29", "2026-02-09", by))),
      );
    const sums = (newDownloads: number, recordedDays: number) => ({
      newDownloads,
      updateDownloads: 0,
      recordedDays,
    });
    const months = await compare("month");
    expect(months.periods).toEqual([
      { from: "2026-01-29", until: "2026-01-31" },
      { from: "2026-02-01", until: "2026-02-09" },
    ]);
    expect(months.stores).toMatchObject([
      { store: "a", periods: [sums(3, 2), sums(4, 1)] },
      { store: "b", periods: [null, sums(0, 1)] },
      { store: "gone", periods: [null, null], newDownloads: 0, before: { newDownloads: 9 } },
    ]);
    expect((await compare("week")).stores[0]?.periods).toEqual([sums(7, 3), null, null]);
  });

  it("fails if one of the periods cannot be read", async () => {
    for (const failing of ["2024-02-28", "2024-02-27"]) {
      const downloads = stub<DownloadsSource>({
        read: (_app, start) =>
          start === failing ? errAsync({ name: "storage.unavailable", cause: failing }) : okAsync([]),
      });
      const input = orThrow(parse("2024-02-28", "2024-02-28"));
      expect((await compareDownloads({ downloads }, ["app_1"], input)).isErr()).toBe(true);
    }
  });
});

describe("compareDownloadsInput", () => {
  it("accepts ranges of one day to maxReportDays days", () => {
    expect(parse("2024-01-01", "2024-01-01").isOk()).toBe(true);
    expect(parse("2024-01-01", "2024-12-31").isOk()).toBe(true);
  });

  it.each([
    ["2024-01-01", "2025-01-01", "until", "date-range"],
    ["2024-01-02", "2024-01-01", "until", "date-range"],
    ["2024-02-30", "2024-03-01", "from", "date"],
    ["2024-01-01", "2024-1-1", "until", "date"],
    ["0001-01-01", "0001-01-01", "from", "date"],
  ])("rejects %s to %s", (from, until, parameter, rule) => {
    expect(parse(from, until)._unsafeUnwrapErr()).toEqual({ name: "parameter.invalid", parameter, rule });
  });

  it("rejects an unknown length of a period", () => {
    expect(parse("2024-01-01", "2024-01-01", "year").isErr()).toBe(true);
  });

  it("requires both days", () => {
    const missing = parseInput(compareDownloadsInput(defaultPolicy), { from: "2024-01-01" });
    expect(missing._unsafeUnwrapErr()).toEqual({ name: "parameter.missing", parameter: "until" });
  });
});
