import { COMPARISONS, type ComparingTarget, isDifference } from "../harness/compare-target.js";
import { memoryOf, roundByRound, spreadOf } from "../harness/figures.js";
import type { Played } from "../harness/row.js";
import type { Target } from "../harness/target.js";
import { rangeText, shown, spreadText } from "./texts.js";

/** The outcome of a target, in words. */
export interface TargetOutcome {
  /** The target. */
  readonly asks: string;
  /** The result. */
  readonly value: string;
  /** The middle half of the rounds, if the result has a spread. */
  readonly spread?: string;
  /** The result by speed, if the target is about processor time. */
  readonly bySpeed?: string;
  readonly met: boolean;
}

/**
 * Returns the outcome of each target.
 *
 * Throws if a target names no contestant of the row.
 */
export function targetOutcomes(
  played: readonly Played[],
  targets: readonly Target[],
): readonly TargetOutcome[] {
  return targets.map((target) => outcomeOf(target, played));
}

/** Describes each target in one sentence: the target, the result, and whether it is met. */
export function targetTexts(played: readonly Played[], targets: readonly Target[]): readonly string[] {
  return targetOutcomes(played, targets).map(({ asks, value, spread, bySpeed, met }) => {
    const result = spread === undefined ? value : `${value} (${spread})`;
    const speed = bySpeed === undefined ? "" : `; by speed ${bySpeed}`;
    return `Target: ${asks}; ${result}, ${met ? "met" : "MISSED"}${speed}.`;
  });
}

function outcomeOf(target: Target, played: readonly Played[]): TargetOutcome {
  if (target.kind === "count") {
    const { what, is, atMost } = target;
    return { asks: `${what}, at most ${atMost}`, value: `${is}`, met: is <= atMost };
  }
  const ours = playedBy(played, target.ours ?? played[0]?.name);
  if (target.kind === "memory" || target.kind === "megabytes") return memoryOutcome(target, ours);
  const other = playedBy(played, target.than);
  const result = roundByRound(ours, other, COMPARISONS[target.kind]);
  const met = "atLeast" in target ? result.median >= target.atLeast : result.median <= target.atMost;
  const rate = rateOutcome(target, ours);
  const unit = isDifference(target) ? (target.kind === "added-ms" ? " ms" : " µs") : "";
  return {
    asks: asks(target, ours.name, other.name),
    value: `${rate === undefined ? "" : `${rate.text}, `}${result.median.toFixed(2)}${unit}`,
    spread: rangeText(result),
    ...(target.kind === "cpu" || target.kind === "less-cpu"
      ? { bySpeed: spreadText(roundByRound(ours, other, COMPARISONS.speed)) }
      : {}),
    met: met || rate?.met === true,
  };
}

/** Returns the result of a target that is also met with a number of operations per second. */
function rateOutcome(target: ComparingTarget, ours: Played) {
  if (target.kind !== "speed" || target.orPerSecond === undefined) return undefined;
  const { median } = spreadOf(ours.rounds.map(({ perSecond }) => perSecond));
  return { text: `${shown(median)} per second`, met: median >= target.orPerSecond };
}

function memoryOutcome(
  { kind, atMost }: Extract<Target, { readonly kind: "memory" | "megabytes" }>,
  ours: Played,
): TargetOutcome {
  const { early = Number.NaN, late = Number.NaN } = memoryOf(ours) ?? {};
  const seen = kind === "memory" ? late / early : Math.max(early, late);
  return {
    asks:
      kind === "memory"
        ? `${ours.name} in the second half of its rounds holds at most ${atMost} times the memory of the first`
        : `${ours.name} holds at most ${atMost} MB`,
    value: kind === "memory" ? seen.toFixed(2) : `${Math.round(seen)} MB`,
    met: seen <= atMost,
  };
}

function asks(target: ComparingTarget, ours: string, other: string): string {
  switch (target.kind) {
    case "speed":
      return `${ours} at least ${target.atLeast} times as fast as ${other}${orRate(target.orPerSecond)}`;
    case "p50":
    case "p99":
      return `${target.kind} of ${ours} at most ${target.atMost} times that of ${other}`;
    case "cpu":
      return `processor time per operation of ${ours} at most ${target.atMost} times that of ${other}`;
    case "database-cpu":
      return `processor time of the database per operation with ${ours} at most ${target.atMost} times that with ${other}`;
    case "less-cpu":
      return `processor time per operation of ${other} at least ${target.atLeast} times that of ${ours}`;
    case "added-ms":
      return `p50 of ${ours} at most ${target.atMost} ms over that of ${other}`;
    case "added-cpu":
      return `processor time per operation of ${ours} at most ${target.atMost} µs over that of ${other}`;
  }
}

function orRate(perSecond: number | undefined): string {
  return perSecond === undefined ? "" : `, or ${shown(perSecond)} per second`;
}

function playedBy(played: readonly Played[], name: string | undefined): Played {
  const one = played.find((each) => each.name === name);
  if (one === undefined) throw new Error(`A target names the contestant "${name}", which does not exist.`);
  return one;
}
