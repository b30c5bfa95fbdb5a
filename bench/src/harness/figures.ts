import { COMPARISONS } from "./compare-target.js";
import type { Played, Role, Round } from "./row.js";

/** The median of the rounds, and the bounds of the middle half of them. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Memory at the ends of rounds, in megabytes.
 *
 * `early` and `late` are the medians of the first and second half of the rounds.
 */
export interface Memory {
  readonly early: number;
  readonly late: number;
  readonly most: number;
}

/** The results of one contestant: medians of its rounds, unless stated otherwise. */
export interface Figure {
  readonly name: string;
  readonly role: Role;
  readonly perSecond: Spread;
  /** In milliseconds. */
  readonly p50: number;
  /** In milliseconds. */
  readonly p99: number;
  /** Microseconds of processor time per operation. Absent if it is unknown. */
  readonly cpu?: number;
  /** The database server's processor time per operation in microseconds, if it is measured. */
  readonly databaseCpu?: number;
  /** The number of database connections, if the row counts them. */
  readonly connections?: number;
  /** Absent if the contestant runs in the process of the benchmark. */
  readonly rss?: Memory;
  /** Tillkit's operations per second as a multiple of this contestant's, round by round. */
  readonly ratio: Spread;
  /** This contestant's processor time per operation as a multiple of Tillkit's. */
  readonly cpuRatio?: Spread;
}

/** Computes the figures of a row, whose first contestant is Tillkit. */
export function figuresOf(played: readonly Played[]): readonly Figure[] {
  const [ours] = played;
  return played.map((each) => {
    const { name, role, rounds } = each;
    const used = rounds.flatMap(({ cpu }) => cpu ?? []);
    const databaseUsed = rounds.flatMap(({ databaseCpu }) => databaseCpu ?? []);
    const opened = rounds.flatMap(({ connections }) => connections ?? []);
    const rss = memoryOf(each);
    return {
      name,
      role,
      perSecond: spreadOf(rounds.map(({ perSecond }) => perSecond)),
      p50: median(rounds.map(({ p50 }) => p50)),
      p99: median(rounds.map(({ p99 }) => p99)),
      ...(used.length === 0 ? {} : { cpu: median(used) }),
      ...(databaseUsed.length === 0 ? {} : { databaseCpu: median(databaseUsed) }),
      ...(opened.length === 0 ? {} : { connections: median(opened) }),
      ...(rss === undefined ? {} : { rss }),
      ratio: roundByRound(ours ?? each, each, COMPARISONS.speed),
      ...(used.length === 0 || ours?.rounds[0]?.cpu === undefined
        ? {}
        : { cpuRatio: roundByRound(ours, each, COMPARISONS["less-cpu"]) }),
    };
  });
}

/**
 * Compares two contestants round by round.
 *
 * A machine that is slower for some seconds slows both, so this result varies less than the ratio
 * of their medians.
 */
export function roundByRound(
  ours: Played,
  other: Played,
  compare: (ours: Round, other: Round) => number,
): Spread {
  const pairs = other.rounds.flatMap((its, round) => {
    const mine = ours.rounds[round];
    return mine === undefined ? [] : compare(mine, its);
  });
  return spreadOf(pairs);
}

/** Returns the memory of a contestant's process, or `undefined` if it runs in this process. */
export function memoryOf({ rounds }: Played): Memory | undefined {
  const stored = rounds.flatMap(({ rss }) => rss ?? []);
  if (stored.length === 0) return undefined;
  const half = Math.ceil(stored.length / 2);
  return {
    early: median(stored.slice(0, half)),
    late: median(stored.slice(-half)),
    most: Math.max(...stored),
  };
}

/** Returns the value below which `share` (0 to 1) of the sorted `values` lie. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Returns the median of the values, and the bounds of the middle half of them. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = Float64Array.from(values).sort();
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

const median = (values: readonly number[]): number => spreadOf(values).median;
