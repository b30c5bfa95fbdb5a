import type { RunOutcome } from "./run.js";
import { recordedChoices, type ChoiceSource } from "./choice-source.js";

/**
 * Shrinks a failed run to a shorter one that violates the same invariant.
 *
 * First it removes choices in ever smaller portions, then it replaces the remaining ones with
 * smaller values.
 *
 * @param maxRuns - the maximum of runs that shrinking makes.
 */
export async function shrink(
  failed: RunOutcome,
  run: (choices: ChoiceSource) => Promise<RunOutcome>,
  maxRuns = 3_000,
): Promise<RunOutcome> {
  let best = failed;
  let runs = 0;
  const isBetter = async (choices: readonly number[]): Promise<boolean> => {
    runs += 1;
    const tried = await run(recordedChoices(choices));
    if (tried.violation?.invariant !== failed.violation?.invariant) return false;
    best = { ...tried, drawn: withoutQuietEnd(tried.drawn) };
    return true;
  };
  if (!(await isBetter(failed.drawn))) return failed;
  for (let portion = best.drawn.length; portion >= 1 && runs < maxRuns; portion = Math.floor(portion / 2)) {
    for (let at = 0; at < best.drawn.length && runs < maxRuns;) {
      const without = [...best.drawn.slice(0, at), ...best.drawn.slice(at + portion)];
      if (!(await isBetter(without))) at += portion;
    }
  }
  for (let at = 0; at < best.drawn.length && runs < maxRuns; at += 1) {
    const value = best.drawn[at] ?? 0;
    for (const smaller of [0, Math.floor(value / 2), value - 1]) {
      if (smaller < 0 || smaller >= value) continue;
      if (await isBetter([...best.drawn.slice(0, at), smaller, ...best.drawn.slice(at + 1)])) break;
    }
  }
  return best;
}

// Every choice after the end of a recording is 0, so zeros at the end have no effect.
function withoutQuietEnd(choices: readonly number[]): readonly number[] {
  const last = choices.findLastIndex((choice) => choice !== 0);
  return choices.slice(0, last + 1);
}
