import { expect, it } from "vitest";
import { countPeriods, type PeriodLength } from "./count-periods.js";

it.each<readonly [PeriodLength, string, string, readonly string[]]>([
  ["day", "2024-02-28", "2024-03-01", ["2024-02-28", "2024-02-29", "2024-03-01"]],
  ["week", "2026-01-04", "2026-01-13", ["2026-01-04", "2026-01-05 2026-01-11", "2026-01-12 2026-01-13"]],
  ["week", "1969-12-28", "1970-01-05", ["1969-12-28", "1969-12-29 1970-01-04", "1970-01-05"]],
  ["month", "2025-12-31", "2026-02-01", ["2025-12-31", "2026-01-01 2026-01-31", "2026-02-01"]],
])("divides a range by %s, from %s to %s", (length, start, end, expected) => {
  const { periods, periodOf } = countPeriods({ start, end }, length);
  const texts = periods.map(({ from, until }) => (from === until ? from : `${from} ${until}`));
  expect(texts).toEqual(expected);
  const days = (Date.parse(end) - Date.parse(start)) / 86_400_000 + 1;
  expect(periodOf).toHaveLength(days);
  periodOf.forEach((nth, day) => {
    const date = new Date(Date.parse(start) + day * 86_400_000).toISOString().slice(0, 10);
    const { from = "", until = "" } = periods[nth] ?? {};
    expect(from <= date && date <= until).toBe(true);
  });
});
