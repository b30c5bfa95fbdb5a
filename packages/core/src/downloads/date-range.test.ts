import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { daysOf, readDateRange } from "./date-range.js";

const nameOf = (start: string, end: string) =>
  readDateRange(start, end, 366).match(
    () => "ok",
    ({ name }) => name,
  );

describe("readDateRange", () => {
  it.each([
    ["2026-02-29", "2026-03-01", "downloads.invalid-date"],
    ["2026-1-01", "2026-03-01", "downloads.invalid-date"],
    ["2026-13-01", "2026-03-01", "downloads.invalid-date"],
    ["0000-12-31", "0001-01-01", "downloads.invalid-date"],
    ["0001-01-01", "0001-01-02", "ok"],
    ["2026-01-01,2026-01-01", "2026-03-01", "downloads.invalid-date"],
    ["2026-03-02", "2026-03-01", "downloads.invalid-date-range"],
    ["2024-01-01", "2025-01-01", "downloads.date-range-too-long"],
    ["2024-01-01", "2024-12-31", "ok"],
    ["2024-02-29", "2024-02-29", "ok"],
  ])("%s to %s: %s", (start, end, outcome) => {
    expect(nameOf(start, end)).toBe(outcome);
  });

  it("lists every day across the end of February and of the year", () => {
    expect(daysOf({ start: "2024-02-28", end: "2024-03-01" })).toEqual([
      "2024-02-28",
      "2024-02-29",
      "2024-03-01",
    ]);
    expect(daysOf({ start: "2024-01-01", end: "2024-12-31" })).toHaveLength(366);
  });

  it("lists consecutive days for any start and end", () => {
    const time = fc.date({ min: new Date("0001-01-01"), max: new Date("9998-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(time, fc.nat({ max: 365 }), (first, more) => {
        const days = Array.from({ length: more + 1 }, (_, index) =>
          new Date(first.getTime() + index * 86_400_000).toISOString().slice(0, 10),
        );
        expect(daysOf({ start: days[0] ?? "", end: days.at(-1) ?? "" })).toEqual(days);
      }),
    );
  });
});
