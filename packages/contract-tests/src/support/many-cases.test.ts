import { afterEach, describe, expect, it, vi } from "vitest";
import { manyCases } from "./many-cases.js";

describe("manyCases", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.each([
    [undefined, false],
    ["few", false],
    ["many", true],
  ])("with TEST_CASES=%s is %s", (chosen, many) => {
    vi.stubEnv("TEST_CASES", chosen);
    expect(manyCases()).toBe(many);
  });
});
