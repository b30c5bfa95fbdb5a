import type { FlowEntry, FlowLine } from "../wallets/fund-flow.js";

/** What the balances of a fund-flow bill say of the day. */
export interface BalanceFindings {
  /** Cents before the first movement and after the last one. Absent if there is none, or if a line states no balance. */
  readonly opening?: number;
  readonly closing?: number;
  /** Whether every movement begins with a balance at which another ended, the first one of the day excepted. */
  readonly isConnected: boolean;
}

/** Follows the balances of a fund-flow bill line by line. */
export interface BalanceChain {
  add(entries: readonly FlowEntry[]): void;
  findings(): BalanceFindings;
}

/** Loose ends that are kept. A bill in order has two; one with more than this many is not connected. */
const MOST_ENDS = 10_000;

/**
 * Starts a chain. The order of the lines does not matter, because wallets sort by time and two movements may have one time: each balance after a movement cancels an
 * equal balance before another. What is left over are the ends: the opening and the closing balance, and two more for each gap.
 */
export function balanceChain(): BalanceChain {
  const ends = new Map<number, number>();
  let first: FlowLine | undefined;
  let last: FlowLine | undefined;
  let [isStated, isBounded] = [true, true];
  const count = (balance: number, by: number) => {
    const left = (ends.get(balance) ?? 0) + by;
    if (left === 0) ends.delete(balance);
    else ends.set(balance, left);
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
      // The account holds as much as before, or the ends are too many to tell which is which.
      const before = first.balance - first.amount;
      return { opening: before, closing: isConnected ? before : last.balance, isConnected };
    },
  };
}
