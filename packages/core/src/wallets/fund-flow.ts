import type { UnreadableLine } from "./wallet-bill.js";

/** One change of the balance of a merchant's account, from the wallet's daily fund-flow bill. */
export interface FlowLine {
  /** `other` belongs to no payment, for example a withdrawal. */
  readonly kind: "payment" | "refund" | "fee" | "other";
  /** Cents. Negative if the balance decreased. Never 0. */
  readonly amount: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Balance of the account after the change, in cents. Absent if the bill does not state it. */
  readonly balance?: number;
  /** Settlement number, which the line of the trade bill has too. Absent for `other`. */
  readonly settlementNo?: string;
  /** The merchant's number of the order or refund. */
  readonly merchantNo?: string;
}

/** A readable or unreadable line of a fund-flow bill. */
export type FlowEntry = FlowLine | UnreadableLine;

/** Totals of the readable lines of a fund-flow bill. */
export interface FlowTotals {
  readonly lines: number;
  /** Sum of the increases of the balance, in cents. */
  readonly income: number;
  /** Sum of the decreases of the balance, in cents, as a positive number. */
  readonly expense: number;
  /** Number of unreadable lines. Absent if every line was read. */
  readonly unreadable?: number;
}

/** Totals of an empty fund-flow bill. */
export const EMPTY_FLOW: FlowTotals = { lines: 0, income: 0, expense: 0 };

/** Returns `totals` with `entries` added. */
export function tallyFlow(totals: FlowTotals, entries: readonly FlowEntry[]): FlowTotals {
  let { lines, income, expense, unreadable = 0 } = totals;
  for (const entry of entries) {
    if (entry.kind === "unreadable") {
      unreadable += 1;
      continue;
    }
    lines += 1;
    if (entry.amount > 0) income += entry.amount;
    else expense -= entry.amount;
  }
  return { lines, income, expense, ...(unreadable === 0 ? {} : { unreadable }) };
}

/** Returns whether two fund-flow bills have equal totals. */
export function isSameFlow(left: FlowTotals, right: FlowTotals): boolean {
  return (
    left.lines === right.lines &&
    left.income === right.income &&
    left.expense === right.expense &&
    (left.unreadable ?? 0) === (right.unreadable ?? 0)
  );
}
