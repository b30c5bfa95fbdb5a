import { describe, expect, it } from "vitest";
import type { Played, Round } from "../harness/row.js";
import { targetTexts } from "./target-outcomes.js";

/** Creates three rounds, the second at half the speed of the machine. */
function played(
  name: string,
  { cpu = 0, databaseCpu = 0, rss = [0, 0, 0], ...round }: Partial<Seen>,
): Played {
  const slowness = [1, 2, 1];
  const rounds = slowness.map((times, index) => ({
    perSecond: (round.perSecond ?? 0) / times,
    p50: (round.p50 ?? 0) * times,
    p99: (round.p99 ?? 0) * times,
    cpu: cpu * times,
    databaseCpu: databaseCpu * times,
    rss: rss[index] ?? 0,
  }));
  return { name, role: "ours", rounds };
}

type Seen = Omit<Required<Round>, "rss"> & { readonly rss: readonly number[] };

const row = [
  played("node", { perSecond: 400, p50: 2, p99: 3, cpu: 30, databaseCpu: 80, rss: [100, 100, 130] }),
  played("express", { perSecond: 200, p50: 4, cpu: 45, databaseCpu: 40 }),
  played("by hand", { perSecond: 100, p50: 1, p99: 6, cpu: 20 }),
];

describe("targetTexts", () => {
  it("compares the first contestant, or the named one, round by round, and reports the result", () => {
    const than = "by hand";
    expect(
      targetTexts(row, [
        { kind: "speed", than, atLeast: 4 },
        { kind: "speed", ours: "express", than, atLeast: 3 },
        { kind: "speed", than, atLeast: 5, orPerSecond: 400 },
        { kind: "speed", than, atLeast: 5, orPerSecond: 1_000 },
        { kind: "p50", than, atMost: 1.3 },
        { kind: "p99", than, atMost: 1.1 },
        { kind: "cpu", than: "express", atMost: 1.1 },
        { kind: "less-cpu", ours: "by hand", than: "node", atLeast: 1.4 },
        { kind: "added-ms", than, atMost: 1 },
        { kind: "added-cpu", ours: "express", than, atMost: 10 },
        { kind: "memory", atMost: 1.2 },
        { kind: "megabytes", atMost: 110 },
        { kind: "database-cpu", than: "express", atMost: 1.5 },
        { kind: "count", what: "packages", is: 6, atMost: 6 },
      ]),
    ).toEqual([
      "Target: node at least 4 times as fast as by hand; 4.00 (4.00 – 4.00), met.",
      "Target: express at least 3 times as fast as by hand; 2.00 (2.00 – 2.00), MISSED.",
      "Target: node at least 5 times as fast as by hand, or 400 per second; 400 per second, 4.00 (4.00 – 4.00), met.",
      "Target: node at least 5 times as fast as by hand, or 1,000 per second; 400 per second, 4.00 (4.00 – 4.00), MISSED.",
      "Target: p50 of node at most 1.3 times that of by hand; 2.00 (2.00 – 2.00), MISSED.",
      "Target: p99 of node at most 1.1 times that of by hand; 0.50 (0.50 – 0.50), met.",
      "Target: processor time per operation of node at most 1.1 times that of express; 0.67 (0.67 – 0.67), met; by speed 2.00 (2.00 – 2.00).",
      "Target: processor time per operation of node at least 1.4 times that of by hand; 1.50 (1.50 – 1.50), met; by speed 0.25 (0.25 – 0.25).",
      "Target: p50 of node at most 1 ms over that of by hand; 1.00 ms (1.00 – 2.00), met.",
      "Target: processor time per operation of express at most 10 µs over that of by hand; 25.00 µs (25.00 – 50.00), MISSED.",
      "Target: node in the second half of its rounds holds at most 1.2 times the memory of the first; 1.30, MISSED.",
      "Target: node holds at most 110 MB; 130 MB, MISSED.",
      "Target: processor time of the database per operation with node at most 1.5 times that with express; 2.00 (2.00 – 2.00), MISSED.",
      "Target: packages, at most 6; 6, met.",
    ]);
  });

  it("refuses a target on a contestant that does not exist", () => {
    expect(() => targetTexts(row, [{ kind: "speed", than: "nobody", atLeast: 1 }])).toThrow(/"nobody"/);
  });
});
