import type { Role, Round } from "./row.js";

/** Megabytes held at the end of the first and of the last round, and the most at the end of any. */
export interface Memory {
  readonly first: number;
  readonly last: number;
  readonly max: number;
}

/** What came out for one contestant: medians of its rounds, unless said otherwise. */
export interface Figure {
  readonly name: string;
  readonly role: Role;
  readonly perSecond: number;
  readonly slowest: number;
  readonly fastest: number;
  /** Milliseconds. */
  readonly p50: number;
  /** Milliseconds. */
  readonly p99: number;
  /** Microseconds of processor time a work, in the round that other programs on the machine disturbed least; absent where nobody can tell. */
  readonly cpu?: number;
  /** Absent where the contestant has no process of its own. */
  readonly rss?: Memory;
  /** Ours as a multiple of this one, by works a second. */
  readonly ratio: number;
}

/** The figures of a row; the rounds of ours come first. */
export function figuresOf(
  played: readonly { readonly name: string; readonly role: Role; readonly rounds: readonly Round[] }[],
): readonly Figure[] {
  const ours = median((played[0]?.rounds ?? []).map(({ perSecond }) => perSecond));
  return played.map(({ name, role, rounds }) => {
    const speeds = rounds.map(({ perSecond }) => perSecond);
    const used = rounds.flatMap(({ cpu }) => cpu ?? []);
    const held = rounds.flatMap(({ rss }) => rss ?? []);
    const [first = 0] = held;
    const last = held.at(-1) ?? 0;
    return {
      name,
      role,
      perSecond: median(speeds),
      slowest: Math.min(...speeds),
      fastest: Math.max(...speeds),
      p50: median(rounds.map(({ p50 }) => p50)),
      p99: median(rounds.map(({ p99 }) => p99)),
      ...(used.length === 0 ? {} : { cpu: Math.min(...used) }),
      ...(held.length === 0 ? {} : { rss: { first, last, max: Math.max(...held) } }),
      ratio: ours / median(speeds),
    };
  });
}

/** What `share` of the sorted `values` do not exceed, 0 to 1. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function median(values: readonly number[]): number {
  return quantile(Float64Array.from(values).sort(), 0.5);
}
