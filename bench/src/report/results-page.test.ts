import { describe, expect, it } from "vitest";
import { chartOf } from "./chart.js";
import { panelsOf } from "./panels.js";
import type { RowResult } from "./result.js";
import { resultsPage } from "./results-page.js";
import { summaryLines } from "./summary.js";

const roundsOf = (speeds: readonly number[]) =>
  speeds.map((perSecond) => ({ perSecond, p50: 1, p99: 2, cpu: 10_000 / perSecond, rss: 80 }));
const row: RowResult = {
  name: "detail",
  work: "read an order",
  played: [
    { name: "ours", role: "ours", rounds: roundsOf([100, 110, 120]) },
    { name: "by hand", role: "alternative", rounds: roundsOf([50, 50, 50]) },
  ],
  targets: [
    { kind: "less-cpu", than: "by hand", atLeast: 4 },
    { kind: "speed", than: "by hand", atLeast: 2 },
  ],
  noise: { run: "2026-11-23T10:20:30.000Z", signatureUs: [200, 210, 220, 260], load: [0.5, 1.25] },
  date: "2026-11-23",
  machine: "2 × CPU",
  versions: "Node 20.20.2, pg 8",
  command: "npm run bench",
};

describe("resultsPage", () => {
  const page = resultsPage([row], new Map([["detail", "detail-reads"]]));

  it("begins with the noise of the machine in each run", () => {
    expect(page).toContain(
      "| 2026-11-23 10:20 | 1 | 2 × CPU | Node 20.20.2 | 0.5 → 1.3 | 4 | 220 µs (210 – 260, 23 %; all 200 – 260) |",
    );
    expect(page.indexOf("## Noise of the machine")).toBeLessThan(page.indexOf("## Targets"));
  });

  it("lists all targets with result and spread, and links to the reason of each missed target", () => {
    const [missed, met] = page.split("\n").filter((line) => line.startsWith("| [detail](#detail)"));
    expect(missed).toContain(
      "**MISSED**: [why](../docs/internals/performance.md#detail-reads) | 2.20 | 2.00 – 2.40",
    );
    expect(missed).toContain("| 2.20 (2.00 – 2.40) |");
    expect(met).toContain("| met | 2.20 | 2.00 – 2.40 |");
  });

  it("shows processor time and its ratio beside throughput", () => {
    const line = page.split("\n").find((text) => text.startsWith("| by hand"));
    expect(line).toBe(
      "| by hand | 50 | 50 – 50 | 1 | 2 | 200 | 80 → 80, ≤ 80 | 2.20 (2.00 – 2.40) | 2.20 (2.00 – 2.40) |",
    );
    expect(page).toContain("](results/detail.svg)");
  });
});

describe("the chart of a row", () => {
  it("shows speed and processor time of every contestant, in both colour schemes", () => {
    const svg = chartOf(row);
    for (const text of ["ours", "by hand", "operations per second", "processor time each, µs"])
      expect(svg).toContain(text);
    expect(svg).toContain("@media (prefers-color-scheme:dark)");
    // Every colour of the light scheme has one of the dark scheme.
    const used = [...svg.matchAll(/(?:fill|stroke)="(#[0-9a-f]{6})"/gu)].map(([, colour]) => colour);
    expect(used.length).toBeGreaterThan(0);
    for (const colour of new Set(used)) expect(svg).toContain(`[fill="${colour}"]{fill:#`);
  });

  it("shows memory instead of speed if a target limits memory", () => {
    const panels = panelsOf(row.played, [{ kind: "megabytes", atMost: 100 }]);
    expect(panels.map(({ title }) => title)).toEqual(["MB of memory", "processor time each, µs"]);
  });
});

describe("summaryLines", () => {
  it("marks targets that were judged on less data", () => {
    const lines = summaryLines([{ ...row, lessData: "10 orders" }]);
    expect(lines.map(({ outcome }) => outcome)).toEqual(["MISSED", "met"]);
    expect(lines[0]?.target).toMatch(/ \(less data: 10 orders\)$/);
  });
});
