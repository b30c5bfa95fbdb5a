import { describe, expect, it } from "vitest";
import { bytes, duration, durations } from "./quantity.js";

describe("duration", () => {
  it.each([
    [0, "0 s"],
    [800, "800 ms"],
    [30_000, "30 s"],
    [90_000, "1 min 30 s"],
    [7_200_000, "2 h"],
    [2_592_000_000, "30 d"],
  ])("writes %i as %s", (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text);
  });
});

describe("durations", () => {
  it("writes four or more at equal distances as a range", () => {
    expect(durations([1_000, 2_000, 3_000, 4_000])).toBe("1 s to 4 s every 1 s");
  });

  it("writes fewer than four one by one, and several ranges in their order", () => {
    expect(durations([500, 1_000, 2_000, 3_000, 4_000, 10_000])).toBe("500 ms, 1 s to 4 s every 1 s, 10 s");
    expect(durations([1_000, 2_000, 3_000])).toBe("1 s, 2 s, 3 s");
  });

  it("writes nothing for none", () => {
    expect(durations([])).toBe("");
  });
});

describe("bytes", () => {
  it("uses KiB only where it is exact", () => {
    expect(bytes(65_536)).toBe("64 KiB");
    expect(bytes(1_500)).toBe("1500 bytes");
  });
});
