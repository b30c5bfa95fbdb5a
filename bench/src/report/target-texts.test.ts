import { describe, expect, it } from "vitest";
import type { Figure } from "../harness/figures.js";
import { targetTexts } from "./target-texts.js";

const figure = (name: string, more: Partial<Figure>): Figure => ({
  name,
  role: "ours",
  perSecond: 0,
  slowest: 0,
  fastest: 0,
  p50: 0,
  p99: 0,
  ratio: 1,
  ...more,
});

const figures = [
  figure("node", { perSecond: 400, p50: 2, p99: 3, cpu: 30, rss: { first: 100, last: 130, max: 140 } }),
  figure("express", { perSecond: 200, p50: 4, cpu: 45 }),
  figure("by hand", { perSecond: 100, p50: 1, p99: 6, cpu: 20 }),
];

describe("targetTexts", () => {
  it("compares the first contestant, or the one that is named, and says what came out", () => {
    const than = "by hand";
    expect(
      targetTexts(figures, [
        { kind: "speed", than, atLeast: 4 },
        { kind: "speed", ours: "express", than, atLeast: 3 },
        { kind: "p50", than, atMost: 1.3 },
        { kind: "p99", than, atMost: 1.1 },
        { kind: "added-ms", than, atMost: 1 },
        { kind: "added-cpu", ours: "express", than, atMost: 10 },
        { kind: "memory", atMost: 1.2 },
        { kind: "count", what: "packages", is: 6, atMost: 6 },
      ]),
    ).toEqual([
      "Target: node at least 4 times as fast as by hand; 4.00, met.",
      "Target: express at least 3 times as fast as by hand; 2.00, MISSED.",
      "Target: p50 of node at most 1.3 times that of by hand; 2.00, MISSED.",
      "Target: p99 of node at most 1.1 times that of by hand; 0.50, met.",
      "Target: p50 of node at most 1 ms over that of by hand; 1.00 ms, met.",
      "Target: CPU of a work of express at most 10 µs over that of by hand; 25.00 µs, MISSED.",
      "Target: node at the end holds at most 1.2 times the memory of its first round; 1.30, MISSED.",
      "Target: packages, at most 6; 6, met.",
    ]);
  });

  it("refuses a target on a contestant that there is not", () => {
    expect(() => targetTexts(figures, [{ kind: "speed", than: "nobody", atLeast: 1 }])).toThrow(/"nobody"/);
  });
});
