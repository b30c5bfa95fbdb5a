import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { beijingTime, instantOfBeijingTime } from "./beijing-time.js";

const shanghai = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "Asia/Shanghai",
  dateStyle: "short",
  timeStyle: "medium",
});
const INSTANT = Date.UTC(2026, 10, 20, 16, 30, 5, 67);

describe.each(["UTC", "America/New_York", "Asia/Shanghai", "Pacific/Kiritimati"])(
  "in a process in %s",
  (zone) => {
    vi.stubEnv("TZ", zone);
    const offset = new Date(INSTANT).getTimezoneOffset();
    vi.unstubAllEnvs();
    afterEach(() => vi.unstubAllEnvs());

    it("runs in that time zone", () => {
      expect(offset).toBe(
        { UTC: 0, "America/New_York": 300, "Asia/Shanghai": -480, "Pacific/Kiritimati": -840 }[zone],
      );
    });

    it("formats the time in Beijing, also after midnight and during daylight saving time elsewhere", () => {
      vi.stubEnv("TZ", zone);
      expect(beijingTime(INSTANT)).toBe("2026-11-21 00:30:05");
      expect(beijingTime(Date.UTC(2026, 6, 1, 15, 59, 59, 999))).toBe("2026-07-01 23:59:59");
      // Clocks in New York skip and repeat these hours.
      expect(beijingTime(Date.UTC(2026, 2, 8, 7, 30))).toBe("2026-03-08 15:30:00");
      expect(beijingTime(Date.UTC(2026, 10, 1, 5, 30))).toBe("2026-11-01 13:30:00");
    });

    it("parses its own format to the second, and the wallet's milliseconds", () => {
      vi.stubEnv("TZ", zone);
      const seconds = fc.integer({ min: Date.UTC(1992, 0) / 1_000, max: Date.UTC(2199, 0) / 1_000 });
      fc.assert(
        fc.property(seconds, (second) => {
          expect(beijingTime(second * 1_000)).toBe(shanghai.format(second * 1_000));
          expect(instantOfBeijingTime(beijingTime(second * 1_000 + 999))).toBe(second * 1_000);
        }),
      );
      expect(instantOfBeijingTime("2026-11-21 00:30:05.067")).toBe(INSTANT);
    });
  },
);

describe("instantOfBeijingTime", () => {
  it("returns undefined for other texts", () => {
    for (const text of [
      "",
      "2026-11-21",
      "2026-11-21T00:30:05",
      "2026-13-41 00:00:00",
      "2026-02-31 00:00:00",
      "now",
    ])
      expect(instantOfBeijingTime(text), text).toBeUndefined();
  });
});
