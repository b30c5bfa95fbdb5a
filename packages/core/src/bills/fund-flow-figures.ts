import type { FlowEntry, FlowLine } from "../wallets/fund-flow.js";

/** The sums of a fund-flow bill of one day. Amounts are cents. */
export interface FundFlowFigures {
  /** The number of movements that are payments. */
  readonly payments: number;
  readonly paymentAmount: number;
  /** The number of movements that are refunds. */
  readonly refunds: number;
  /** The amount that left the account, positive. */
  readonly refundAmount: number;
  /** Fees that the account paid, less returned fees. */
  readonly fees: number;
  readonly otherIncome: number;
  /** The amount that left the account otherwise, for example by a withdrawal. Positive. */
  readonly otherExpense: number;
  /** Net settlement of the day: payments less refunds less fees. */
  readonly net: number;
  /** The balance before the first movement. Absent if the bill has no movement or no balances. */
  readonly openingBalance?: number;
  /** The balance after the last movement. Absent if the bill has no movement or no balances. */
  readonly closingBalance?: number;
  /**
   * The number of unreadable lines, which no other figure includes. Absent if every line was read.
   */
  readonly unreadable?: number;
}

/** The figures of a day without movements. */
export const NO_FIGURES: FundFlowFigures = {
  payments: 0,
  paymentAmount: 0,
  refunds: 0,
  refundAmount: 0,
  fees: 0,
  otherIncome: 0,
  otherExpense: 0,
  net: 0,
};

/** Adds `entries` to `figures`. The result contains no balances. */
export function tallyFigures(figures: FundFlowFigures, entries: readonly FlowEntry[]): FundFlowFigures {
  let { payments, paymentAmount, refunds, refundAmount, fees, otherIncome, otherExpense } = figures;
  let { unreadable = 0 } = figures;
  const add: Readonly<Record<FlowLine["kind"], (amount: number) => void>> = {
    payment: (amount) => {
      payments += 1;
      paymentAmount += amount;
    },
    refund: (amount) => {
      refunds += 1;
      refundAmount -= amount;
    },
    fee: (amount) => {
      fees -= amount;
    },
    other: (amount) => {
      if (amount > 0) otherIncome += amount;
      else otherExpense -= amount;
    },
  };
  for (const entry of entries) {
    if (entry.kind === "unreadable") unreadable += 1;
    else add[entry.kind](entry.amount);
  }
  return {
    payments,
    paymentAmount,
    refunds,
    refundAmount,
    fees,
    otherIncome,
    otherExpense,
    net: paymentAmount - refundAmount - fees,
    ...(unreadable === 0 ? {} : { unreadable }),
  };
}
