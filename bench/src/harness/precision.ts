import { COMPARISONS, isDifference } from "./compare-target.js";
import { roundByRound, spreadOf } from "./figures.js";
import type { Played } from "./row.js";
import type { Target } from "./target.js";

/**
 * How exact a result must be before a row may end early.
 *
 * `atLeast` is the smallest number of rounds. The spread of a result is the width of the middle
 * half of its rounds, divided by their median. A result is exact enough if its spread, divided by
 * the square root of the number of rounds, is at most `within`. More rounds make the median more
 * exact.
 */
export const PRECISION = { atLeast: 5, within: 0.025 } as const;

/** Whether the rounds so far determine all targets of a row exactly enough. */
export function isPrecise(played: readonly Played[], targets: readonly Target[]): boolean {
  const rounds = played[0]?.rounds.length ?? 0;
  return targets.every((target) => uncertaintyOf(played, target) / Math.sqrt(rounds) <= PRECISION.within);
}

/**
 * Returns the width of the middle half of the rounds, divided by the median.
 *
 * If the target limits a difference, divides by this limit instead, because the median may be zero.
 */
function uncertaintyOf(played: readonly Played[], target: Target): number {
  if (target.kind === "count") return 0;
  const ours = played.find(({ name }) => name === (target.ours ?? played[0]?.name));
  // Growth shows only over all rounds.
  if (ours === undefined || target.kind === "memory") return Number.POSITIVE_INFINITY;
  if (target.kind === "megabytes") {
    const { median, low, high } = spreadOf(ours.rounds.flatMap(({ rss }) => rss ?? []));
    return (high - low) / median;
  }
  const other = played.find(({ name }) => name === target.than);
  if (other === undefined) return Number.POSITIVE_INFINITY;
  const { median, low, high } = roundByRound(ours, other, COMPARISONS[target.kind]);
  const whole = isDifference(target) && "atMost" in target ? target.atMost : median;
  return (high - low) / whole;
}
