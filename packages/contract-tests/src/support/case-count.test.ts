import { afterEach, describe, expect, it, vi } from "vitest";
import { caseCount } from "./case-count.js";

describe("caseCount", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.each([
    [undefined, 2],
    ["few", 2],
    ["many", 9],
  ])("returns the number of TEST_CASES=%s", (chosen, count) => {
    vi.stubEnv("TEST_CASES", chosen);
    expect(caseCount({ few: 2, many: 9 })).toBe(count);
  });

  it("throws if TEST_CASES has another value", () => {
    vi.stubEnv("TEST_CASES", "some");
    expect(() => caseCount({ few: 2, many: 9 })).toThrow('TEST_CASES is "some".');
  });
});
