import { memoryOf, roundByRound } from "../harness/figures.js";
import type { Played, Round } from "../harness/row.js";
import type { Target } from "../harness/target.js";
import { spreadText } from "./print.js";

/**
 * Describes each target in one sentence: the target, the result, and whether it is met.
 *
 * Throws if a target names no contestant of the row.
 */
export function targetTexts(played: readonly Played[], targets: readonly Target[]): readonly string[] {
  return targets.map((target) => {
    const { asks, seen, text } = outcomeOf(target, played);
    const met = target.kind === "speed" ? seen >= target.atLeast : seen <= target.atMost;
    return `Target: ${asks}; ${text}, ${met ? "met" : "MISSED"}.`;
  });
}

/** A target in words, and its result as a number and as text. */
interface Outcome {
  readonly asks: string;
  readonly seen: number;
  readonly text: string;
}

function outcomeOf(target: Target, played: readonly Played[]): Outcome {
  if (target.kind === "count")
    return { asks: `${target.what}, at most ${target.atMost}`, seen: target.is, text: `${target.is}` };
  const ours = playedBy(played, target.ours ?? played[0]?.name);
  if (target.kind === "memory") {
    const { early = Number.NaN, late = Number.NaN } = memoryOf(ours) ?? {};
    const asks = `${ours.name} in the second half of its rounds holds at most ${target.atMost} times the memory of the first`;
    return { asks, seen: late / early, text: (late / early).toFixed(2) };
  }
  const other = playedBy(played, target.than);
  const { asks, compare, unit = "" } = comparisonOf(target, ours.name, other.name);
  const spread = roundByRound(ours, other, compare);
  return { asks, seen: spread.median, text: spreadText(spread) + unit };
}

/**
 * A comparing target in words, its comparison of two rounds, and the unit if it is not a multiple.
 */
interface Comparison {
  readonly asks: string;
  readonly compare: (ours: Round, other: Round) => number;
  readonly unit?: string;
}

function comparisonOf(
  target: Exclude<Target, { readonly kind: "count" | "memory" }>,
  ours: string,
  other: string,
): Comparison {
  switch (target.kind) {
    case "speed":
      return {
        asks: `${ours} at least ${target.atLeast} times as fast as ${other}`,
        compare: (mine, its) => mine.perSecond / its.perSecond,
      };
    case "p50":
    case "p99":
      return {
        asks: `${target.kind} of ${ours} at most ${target.atMost} times that of ${other}`,
        compare: (mine, its) => mine[target.kind] / its[target.kind],
      };
    case "cpu":
      return {
        asks: `processor time per operation of ${ours} at most ${target.atMost} times that of ${other}`,
        compare: (mine, its) => (mine.cpu ?? Number.NaN) / (its.cpu ?? Number.NaN),
      };
    case "added-ms":
      return {
        asks: `p50 of ${ours} at most ${target.atMost} ms over that of ${other}`,
        compare: (mine, its) => mine.p50 - its.p50,
        unit: " ms",
      };
    case "added-cpu":
      return {
        asks: `CPU of a work of ${ours} at most ${target.atMost} µs over that of ${other}`,
        compare: (mine, its) => (mine.cpu ?? Number.NaN) - (its.cpu ?? Number.NaN),
        unit: " µs",
      };
  }
}

function playedBy(played: readonly Played[], name: string | undefined): Played {
  const one = played.find((each) => each.name === name);
  if (one === undefined) throw new Error(`A target names the contestant "${name}", which does not exist.`);
  return one;
}
