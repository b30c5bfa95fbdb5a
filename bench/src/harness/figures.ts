import type { Played, Role, Round } from "./row.js";

/** What the middle one of the rounds came to, and between which two figures the middle half of them lie. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Megabytes held at the ends of rounds: medians of the first and of the second half of them, and the most at the end of any. */
export interface Memory {
  readonly early: number;
  readonly late: number;
  readonly most: number;
}

/** What came out for one contestant: medians of its rounds, unless said otherwise. */
export interface Figure {
  readonly name: string;
  readonly role: Role;
  readonly perSecond: Spread;
  /** Milliseconds. */
  readonly p50: number;
  /** Milliseconds. */
  readonly p99: number;
  /** Microseconds of processor time a work; absent where nobody can tell. */
  readonly cpu?: number;
  /** Absent where the contestant has no process of its own. */
  readonly rss?: Memory;
  /** Ours as a multiple of this one, by works a second, round by round. */
  readonly ratio: Spread;
}

/** The figures of a row, of which the first contestant is ours. */
export function figuresOf(played: readonly Played[]): readonly Figure[] {
  const [ours] = played;
  return played.map((each) => {
    const { name, role, rounds } = each;
    const used = rounds.flatMap(({ cpu }) => cpu ?? []);
    const rss = memoryOf(each);
    return {
      name,
      role,
      perSecond: spreadOf(rounds.map(({ perSecond }) => perSecond)),
      p50: median(rounds.map(({ p50 }) => p50)),
      p99: median(rounds.map(({ p99 }) => p99)),
      ...(used.length === 0 ? {} : { cpu: median(used) }),
      ...(rss === undefined ? {} : { rss }),
      ratio: roundByRound(ours ?? each, each, (mine, its) => mine.perSecond / its.perSecond),
    };
  });
}

/**
 * What `compare` says of the rounds of two contestants that were played behind each other. A machine that is slower for some seconds slows
 * both, so that this changes less than their medians do.
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

/** What the process of a contestant held; absent where it has none. */
export function memoryOf({ rounds }: Played): Memory | undefined {
  const held = rounds.flatMap(({ rss }) => rss ?? []);
  if (held.length === 0) return undefined;
  const half = Math.ceil(held.length / 2);
  return { early: median(held.slice(0, half)), late: median(held.slice(-half)), most: Math.max(...held) };
}

/** What `share` of the sorted `values` do not exceed, 0 to 1. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = Float64Array.from(values).sort();
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

const median = (values: readonly number[]): number => spreadOf(values).median;
