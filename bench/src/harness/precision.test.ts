import { describe, expect, it } from "vitest";
import { isPrecise } from "./precision.js";
import type { Played } from "./row.js";

/** Creates two contestants whose ratios of processor time have the given values. */
function playedWith(ratios: readonly number[]): readonly Played[] {
  const roundsOf = (cpus: readonly number[]) =>
    cpus.map((cpu) => ({ perSecond: 1_000 / cpu, p50: cpu, p99: cpu, cpu, rss: 100 * cpu }));
  return [
    { name: "ours", role: "ours", rounds: roundsOf(ratios) },
    { name: "other", role: "limit", rounds: roundsOf(ratios.map(() => 1)) },
  ];
}

const level = playedWith([1, 1.01, 1.02, 1.01, 1]);
const wide = playedWith([1, 1.2, 1.4, 1.1, 0.9]);

describe("isPrecise", () => {
  it("is true if the middle half of the rounds is narrow for every target", () => {
    expect(isPrecise(level, [{ kind: "cpu", than: "other", atMost: 2 }])).toBe(true);
    expect(isPrecise(level, [{ kind: "megabytes", atMost: 110 }])).toBe(true);
    expect(isPrecise(wide, [{ kind: "cpu", than: "other", atMost: 2 }])).toBe(false);
    expect(isPrecise(wide, [{ kind: "megabytes", atMost: 110 }])).toBe(false);
  });

  it("compares the spread of a difference with its limit, because its median may be zero", () => {
    expect(isPrecise(wide, [{ kind: "added-cpu", than: "other", atMost: 10 }])).toBe(true);
    expect(isPrecise(wide, [{ kind: "added-cpu", than: "other", atMost: 1 }])).toBe(false);
  });

  it("is never true for a target that limits the growth of memory", () => {
    expect(isPrecise(level, [{ kind: "memory", atMost: 1.1 }])).toBe(false);
  });

  it("treats a result of more rounds as more exact", () => {
    const ratios = [1, 1.06, 1.1, 1.04];
    const target = { kind: "speed", than: "other", atLeast: 1 } as const;
    expect(isPrecise(playedWith(ratios), [target])).toBe(false);
    expect(isPrecise(playedWith([...ratios, ...ratios, ...ratios]), [target])).toBe(true);
  });
});
