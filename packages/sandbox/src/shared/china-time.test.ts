import { describe, expect, it } from "vitest";
import { chinaTime, instantOfChinaTime, instantOfRfc3339, rfc3339 } from "./china-time.js";

const INSTANT = Date.UTC(2026, 10, 20, 16, 30, 5, 67);

describe("time in China", () => {
  it("is eight hours ahead of UTC, also across midnight", () => {
    expect(chinaTime(INSTANT)).toBe("2026-11-21 00:30:05");
    expect(rfc3339(INSTANT)).toBe("2026-11-21T00:30:05+08:00");
  });

  it("can be parsed back to the same second", () => {
    expect(instantOfChinaTime(chinaTime(INSTANT))).toBe(INSTANT - 67);
    expect(instantOfRfc3339(rfc3339(INSTANT))).toBe(INSTANT - 67);
    expect(instantOfRfc3339("2026-11-20T16:30:05Z")).toBe(INSTANT - 67);
  });

  it("is not parsed from other texts", () => {
    for (const text of ["", "2026-11-21", "2026-11-21T00:30:05", "2026-13-41 00:00:00", "yesterday"]) {
      expect(instantOfChinaTime(text), text).toBeUndefined();
      expect(instantOfRfc3339(text), text).toBeUndefined();
    }
  });
});
