import { describe, expect, it } from "vitest";
import { businessDay, isoTime } from "./business-day.js";

describe("businessDay", () => {
  it("starts and ends at midnight of the time zone, not of the machine", () => {
    const day = businessDay("Asia/Shanghai", Date.UTC(2026, 10, 20, 15, 59, 59, 999));
    expect(day.date).toBe("2026-11-20");
    expect(day.endsAt).toBe(Date.UTC(2026, 10, 20, 16));
    expect(day.resetAt).toBe("2026-11-21T00:00:00+08:00");
  });

  it("starts the next day at the exact millisecond", () => {
    expect(businessDay("Asia/Shanghai", Date.UTC(2026, 10, 20, 16)).date).toBe("2026-11-21");
  });

  it("supports days of 23 and 25 hours", () => {
    const spring = businessDay("Europe/Berlin", Date.UTC(2026, 2, 29, 12));
    const autumn = businessDay("Europe/Berlin", Date.UTC(2026, 9, 25, 12));
    expect([spring.endsAt - spring.startsAt, autumn.endsAt - autumn.startsAt]).toEqual([
      23 * 3_600_000,
      25 * 3_600_000,
    ]);
    expect(autumn.resetAt).toBe("2026-10-26T00:00:00+01:00");
  });

  it("returns an earlier day if the clock is set back", () => {
    businessDay("Asia/Tokyo", Date.UTC(2026, 5, 2));
    expect(businessDay("Asia/Tokyo", Date.UTC(2026, 5, 1)).date).toBe("2026-06-01");
  });
});

describe("isoTime", () => {
  it("formats an instant with the zone's offset at that time", () => {
    expect(isoTime("Asia/Shanghai", Date.UTC(2026, 0, 15, 4, 5, 6, 789))).toBe("2026-01-15T12:05:06+08:00");
    expect(isoTime("Europe/Berlin", Date.UTC(2026, 6, 1))).toBe("2026-07-01T02:00:00+02:00");
    expect(isoTime("UTC", 0)).toBe("1970-01-01T00:00:00Z");
  });
});
