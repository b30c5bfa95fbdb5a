import type { Figure } from "../harness/figures.js";
import type { Target } from "../harness/row.js";

/** A sentence a target: what it is, and whether it was met or missed. */
export function targetTexts(figures: readonly Figure[], targets: readonly Target[]): readonly string[] {
  return targets.map(({ than, atLeast }) => {
    const ratio = figures.find(({ name }) => name === than)?.ratio ?? Number.NaN;
    const verdict = ratio >= atLeast ? "met" : "missed";
    return `Target: at least ${atLeast} times as fast as ${than}; ${verdict}: ${ratio.toFixed(2)}.`;
  });
}
