import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instantOf, rfc3339 } from "./times.js";

describe("times", () => {
  it("are formatted in China's time zone, in whole seconds, also across the end of a day and a year", () => {
    expect(rfc3339(Date.UTC(2026, 11, 31, 16, 0, 0, 999))).toBe("2027-01-01T00:00:00+08:00");
    expect(rfc3339(Date.UTC(2026, 6, 1, 0, 0, 0))).toBe("2026-07-01T08:00:00+08:00");
  });

  it("are parsed from their own format, to the second", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (instant) => {
        expect(instantOf(rfc3339(instant))).toBe(Math.floor(instant / 1000) * 1000);
      }),
    );
  });

  it("are parsed with any offset, and texts in another format are not parsed", () => {
    expect(instantOf("2026-11-20T12:00:00Z")).toBe(Date.UTC(2026, 10, 20, 12));
    expect(instantOf("2026-11-20T13:00:00.5+01:00")).toBe(Date.UTC(2026, 10, 20, 12, 0, 0, 500));
    for (const text of ["", "2026-11-20", "2026-11-20T12:00:00", "2026-13-20T12:00:00Z", "20 Nov 2026"])
      expect(instantOf(text)).toBeUndefined();
  });
});
