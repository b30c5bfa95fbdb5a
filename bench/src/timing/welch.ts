/** The comparison of two samples of durations. */
export interface Comparison {
  readonly meanLeft: number;
  readonly meanRight: number;
  /** Welch's t. Beyond 4.5, the samples differ with near certainty. */
  readonly t: number;
}

/**
 * Compares two samples of durations with Welch's t-test.
 *
 * Leaves out the slowest tenth of all durations, because pauses of the machine hide the rest. Both
 * samples are cut at the same duration.
 */
export function compare(left: readonly number[], right: readonly number[]): Comparison {
  const all = [...left, ...right].sort((one, other) => one - other);
  const limit = all[Math.floor(all.length * 0.9)] ?? Infinity;
  const [kept, others] = [left, right].map((sample) => momentsOf(sample.filter((one) => one < limit)));
  if (kept === undefined || others === undefined) throw new Error("There are no samples.");
  const error = Math.sqrt(kept.variance / kept.count + others.variance / others.count);
  return {
    meanLeft: kept.mean,
    meanRight: others.mean,
    t: error === 0 ? 0 : (kept.mean - others.mean) / error,
  };
}

function momentsOf(sample: readonly number[]) {
  const count = sample.length;
  const mean = sample.reduce((sum, one) => sum + one, 0) / count;
  const variance = sample.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (count - 1);
  return { count, mean, variance };
}
