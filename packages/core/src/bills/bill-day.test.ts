import { describe, expect, it } from "vitest";
import { billDay, lastBillDay } from "./bill-day.js";

describe("billDay", () => {
  it("returns the instants of a day in China", () => {
    expect(billDay("2026-05-10")).toMatchObject({
      date: "2026-05-10",
      startsAt: Date.UTC(2026, 4, 9, 16),
      endsAt: Date.UTC(2026, 4, 10, 16),
    });
  });
});

describe("lastBillDay", () => {
  it.each([
    [Date.UTC(2026, 4, 10, 15, 59, 59, 999), "2026-05-09"],
    [Date.UTC(2026, 4, 10, 16), "2026-05-10"],
    [Date.UTC(2026, 4, 11, 15), "2026-05-10"],
  ])("returns the last ended day in China: at %d it is %s", (now, day) => {
    expect(lastBillDay(now)).toBe(day);
  });
});
