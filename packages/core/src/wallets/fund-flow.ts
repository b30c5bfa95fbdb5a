import type { UnreadableLine } from "./wallet-bill.js";

/** One change of the balance of a merchant's account, as the wallet's fund-flow bill of a day states it. */
export interface FlowLine {
  /** OTHER: whatever belongs to no payment, for example a withdrawal. */
  readonly kind: "payment" | "refund" | "fee" | "other";
  /** Cents; negative if the balance decreased. Never 0. */
  readonly amount: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Cents that the account held afterwards. Absent if the bill does not state it. */
  readonly balance?: number;
  /** The number that the trade bill's line has as its settlement number. Absent for OTHER. */
  readonly settlementNo?: string;
  /** The merchant's own number: of the order, or of the refund. */
  readonly merchantNo?: string;
}

/** A line of a fund-flow bill, read or not. */
export type FlowEntry = FlowLine | UnreadableLine;

/** A whole fund-flow bill: how much its readable lines hold. */
export interface FlowTotals {
  readonly lines: number;
  /** Cents that increased the balance. */
  readonly income: number;
  /** Cents that decreased the balance, positive. */
  readonly expense: number;
  /** How many lines could not be read. Absent if every line was read. */
  readonly unreadable?: number;
}

/** The totals of a fund-flow bill without lines. */
export const EMPTY_FLOW: FlowTotals = { lines: 0, income: 0, expense: 0 };

/** `totals` with `entries` added. */
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

/** Whether two fund-flow bills hold as much. */
export function isSameFlow(left: FlowTotals, right: FlowTotals): boolean {
  return (
    left.lines === right.lines &&
    left.income === right.income &&
    left.expense === right.expense &&
    (left.unreadable ?? 0) === (right.unreadable ?? 0)
  );
}
