/** Estimates the remaining time of a run. */
export interface Progress {
  /** Ends a row. */
  readonly end: (row: string) => void;
  /** Returns the estimated seconds until the end of the run. */
  readonly remaining: () => number;
}

/**
 * Estimates the time of the rows that are left, from the usual times and from the time so far.
 *
 * @param usual - the usual seconds of each row of the run, on two idle cores.
 * @param now - the time in milliseconds.
 */
export function openProgress(usual: ReadonlyMap<string, number>, now = () => performance.now()): Progress {
  const startedAt = now();
  const left = new Map(usual);
  const sumOf = (seconds: Iterable<number>): number => [...seconds].reduce((sum, each) => sum + each, 0);
  const all = sumOf(usual.values());
  return {
    end: (row) => left.delete(row),
    remaining: () => {
      const rest = sumOf(left.values());
      // Before the first row has ended, only the usual times are known.
      const slowness = rest === all ? 1 : (now() - startedAt) / 1_000 / (all - rest);
      return rest * slowness;
    },
  };
}

/** Formats seconds as minutes and seconds: `1 min 05 s`. */
export function minutesText(seconds: number): string {
  const whole = Math.round(seconds);
  const rest = `${whole % 60} s`;
  return whole < 60 ? rest : `${Math.floor(whole / 60)} min ${rest.padStart(4, "0")}`;
}
