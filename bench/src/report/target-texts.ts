import type { Figure } from "../harness/figures.js";
import type { Target } from "../harness/target.js";

/** A sentence a target: what it asks for, what came out, and whether it is met. Throws when it names no contestant of the row. */
export function targetTexts(figures: readonly Figure[], targets: readonly Target[]): readonly string[] {
  return targets.map((target) => {
    const { asks, seen, unit = "" } = comparisonOf(target, figures);
    const met = target.kind === "speed" ? seen >= target.atLeast : seen <= target.atMost;
    return `Target: ${asks}; ${target.kind === "count" ? seen : seen.toFixed(2)}${unit}, ${met ? "met" : "MISSED"}.`;
  });
}

/** A target in words, what came out, and its unit where it is no multiple. */
interface Comparison {
  readonly asks: string;
  readonly seen: number;
  readonly unit?: string;
}

function comparisonOf(target: Target, figures: readonly Figure[]): Comparison {
  if (target.kind === "count") return { asks: `${target.what}, at most ${target.atMost}`, seen: target.is };
  const ours = figureOf(figures, target.ours ?? figures[0]?.name);
  if (target.kind === "memory") {
    const { first = Number.NaN, last = Number.NaN } = ours.rss ?? {};
    const asks = `${ours.name} at the end holds at most ${target.atMost} times the memory of its first round`;
    return { asks, seen: last / first };
  }
  const other = figureOf(figures, target.than);
  switch (target.kind) {
    case "speed":
      return {
        asks: `${ours.name} at least ${target.atLeast} times as fast as ${other.name}`,
        seen: ours.perSecond / other.perSecond,
      };
    case "p50":
    case "p99":
      return {
        asks: `${target.kind} of ${ours.name} at most ${target.atMost} times that of ${other.name}`,
        seen: ours[target.kind] / other[target.kind],
      };
    case "added-ms":
      return {
        asks: `p50 of ${ours.name} at most ${target.atMost} ms over that of ${other.name}`,
        seen: ours.p50 - other.p50,
        unit: " ms",
      };
    case "added-cpu":
      return {
        asks: `CPU of a work of ${ours.name} at most ${target.atMost} µs over that of ${other.name}`,
        seen: (ours.cpu ?? Number.NaN) - (other.cpu ?? Number.NaN),
        unit: " µs",
      };
  }
}

function figureOf(figures: readonly Figure[], name: string | undefined): Figure {
  const figure = figures.find((one) => one.name === name);
  if (figure === undefined) throw new Error(`A target names "${name}", and no contestant is called so.`);
  return figure;
}
