import type { FlowEntry, FlowLine } from "../wallets/fund-flow.js";

/** The result of following the balances of a fund-flow bill. */
export interface BalanceFindings {
  /**
   * Cents before the first movement and after the last one.
   *
   * Absent if there is no movement, or if a line states no balance.
   */
  readonly opening?: number;
  readonly closing?: number;
  /**
   * Whether each movement, except the first, starts at a balance at which another movement ended.
   */
  readonly isConnected: boolean;
}

/** Follows the balances of a fund-flow bill line by line. */
export interface BalanceChain {
  add(entries: readonly FlowEntry[]): void;
  findings(): BalanceFindings;
}

/**
 * The maximum number of unmatched balances in memory. With more, the bill counts as not connected.
 *
 * At the end of a correct bill, at most two balances are unmatched.
 */
const MOST_ENDS = 10_000;

/**
 * Creates an empty chain.
 *
 * The order of the lines does not matter, because two movements may have the same time. Each
 * balance after a movement cancels an equal balance before another movement. The balances that
 * remain are the opening and the closing balance, and two more for each gap.
 */
export function balanceChain(): BalanceChain {
  const ends = new Map<number, number>();
  let first: FlowLine | undefined;
  let last: FlowLine | undefined;
  let [isStated, isBounded] = [true, true];
  const count = (balance: number, by: number) => {
    const rest = (ends.get(balance) ?? 0) + by;
    if (rest === 0) ends.delete(balance);
    else ends.set(balance, rest);
  };
  const follow = (line: FlowLine) => {
    const { balance, amount, at } = line;
    if (balance === undefined) {
      isStated = false;
      return;
    }
    if (first === undefined || at < first.at) first = line;
    if (last === undefined || at >= last.at) last = line;
    if (!isBounded) return;
    count(balance, 1);
    count(balance - amount, -1);
    isBounded = ends.size <= MOST_ENDS;
    if (!isBounded) ends.clear();
  };
  return {
    add: (entries) => {
      for (const entry of entries) if (entry.kind !== "unreadable") follow(entry);
    },
    findings: () => {
      if (!isStated || first?.balance === undefined || last?.balance === undefined)
        return { isConnected: true };
      const left = [...ends];
      const opening = left.find(([, by]) => by < 0);
      const closing = left.find(([, by]) => by > 0);
      const isConnected = isBounded && left.every(([, by]) => Math.abs(by) === 1) && left.length <= 2;
      if (isConnected && opening !== undefined && closing !== undefined)
        return { opening: opening[0], closing: closing[0], isConnected };
      // Opening and closing balance are equal, or there are too many unmatched balances to identify
      // them.
      const before = first.balance - first.amount;
      return { opening: before, closing: isConnected ? before : last.balance, isConnected };
    },
  };
}
