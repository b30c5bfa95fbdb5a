import type { Clock, Observer, ServiceEvent } from "@tillkit/core";

const HOUR = 3_600_000;
/** The upper bounds of the histogram of durations, in milliseconds. */
const BOUNDS = [10, 25, 50, 100, 200, 400, 800, 1_500, 3_000, 6_000, 15_000, 60_000] as const;

type WalletCalled = Extract<ServiceEvent, { readonly type: "wallet.called" }>;

/** The calls of one kind to one wallet, in this hour and the 23 hours before. */
export interface WalletCallRow extends Pick<WalletCalled, "payChannel" | "call"> {
  readonly ok: number;
  readonly rejected: number;
  readonly unknown: number;
  /**
   * The 95th percentile of the durations in milliseconds, rounded up to a bound: at most 60,000.
   */
  readonly p95: number;
}

/** An observer that counts calls to the wallets, for the page Today. */
export interface WalletCallFigures extends Observer {
  /** Returns the calls of this process in this hour and the 23 hours before, by wallet and kind. */
  read(): readonly WalletCallRow[];
}

/** The counts of one kind of call in one hour. */
interface Tally extends Pick<WalletCalled, "payChannel" | "call"> {
  readonly hour: number;
  readonly counts: Record<WalletCalled["outcome"], number>;
  /** The number of calls by duration, in the order of {@link BOUNDS}. */
  readonly durations: number[];
}

/**
 * Creates an observer that counts this process's calls to the wallets.
 *
 * Counts by clock hour, and keeps the current hour and the 23 hours before. Stores a few numbers
 * for each hour and kind of call, and nothing about orders.
 *
 * @param next - another observer, which also receives each event.
 * @returns the observer. Pass it to the host, and as the option `walletCalls` to
 *   `dashboardSurface`.
 * @example
 * ```ts
 * import { walletCallFigures } from "@tillkit/dashboard";
 *
 * const walletCalls = walletCallFigures(ports.clock);
 * ```
 */
export function walletCallFigures(clock: Pick<Clock, "now">, next?: Observer): WalletCallFigures {
  let tallies: readonly Tally[] = [];
  const hourNow = () => Math.floor(clock.now() / HOUR);
  const tallyOf = ({ payChannel, call }: WalletCalled): Tally => {
    const hour = hourNow();
    const known = tallies.find(
      (one) => one.hour === hour && one.payChannel === payChannel && one.call === call,
    );
    if (known !== undefined) return known;
    const counts = { ok: 0, rejected: 0, unknown: 0 };
    const tally = { payChannel, call, hour, counts, durations: BOUNDS.map(() => 0) };
    tallies = [...tallies.filter((one) => one.hour > hour - 24), tally];
    return tally;
  };
  return {
    onEvent: (event) => {
      if (event.type === "wallet.called") {
        const { counts, durations } = tallyOf(event);
        counts[event.outcome] += 1;
        const bucket = BOUNDS.findIndex((bound) => event.durationMs <= bound);
        const nth = bucket === -1 ? BOUNDS.length - 1 : bucket;
        durations[nth] = (durations[nth] ?? 0) + 1;
      }
      next?.onEvent(event);
    },
    read: () => {
      const recent = tallies.filter(({ hour }) => hour > hourNow() - 24);
      const kinds = new Map<string, Tally[]>();
      for (const tally of recent) {
        const kind = `${tally.payChannel} ${tally.call}`;
        kinds.set(kind, [...(kinds.get(kind) ?? []), tally]);
      }
      return [...kinds.values()].map(rowOf).sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
    },
  };
}

const keyOf = ({ payChannel, call }: WalletCallRow): string => `${payChannel} ${call}`;

function rowOf(tallies: readonly Tally[]): WalletCallRow {
  const [first] = tallies;
  if (first === undefined) throw new Error("A kind of call has at least one tally.");
  const { payChannel, call } = first;
  const sum = (outcome: WalletCalled["outcome"]) =>
    tallies.reduce((total, { counts }) => total + counts[outcome], 0);
  const counts = { ok: sum("ok"), rejected: sum("rejected"), unknown: sum("unknown") };
  const durations = BOUNDS.map((_, nth) =>
    tallies.reduce((total, tally) => total + (tally.durations[nth] ?? 0), 0),
  );
  return { payChannel, call, ...counts, p95: percentile95(durations) };
}

/** Returns the upper bound of the bucket that contains the 95th percentile. */
function percentile95(durations: readonly number[]): number {
  const needed = durations.reduce((total, count) => total + count, 0) * 0.95;
  let passed = 0;
  const bucket = durations.findIndex((count) => {
    passed += count;
    return passed >= needed;
  });
  return BOUNDS[bucket] ?? 0;
}
