import type { FlowEntry, FlowLine } from "../wallets/fund-flow.js";

/** What a fund-flow bill says of a day, in cents. */
export interface FundFlowFigures {
  /** Movements that are payments. */
  readonly payments: number;
  readonly paymentAmount: number;
  /** Movements that are refunds. */
  readonly refunds: number;
  /** Positive: what left the account. */
  readonly refundAmount: number;
  /** Fees that the account paid, returned fees deducted. */
  readonly fees: number;
  readonly otherIncome: number;
  /** Positive: what left the account, for example by a withdrawal. */
  readonly otherExpense: number;
  /** Net settlement of the day: payments less refunds less fees. */
  readonly net: number;
  /** The balance before the first movement. Absent if the bill has no movement, or states no balances. */
  readonly openingBalance?: number;
  /** The balance after the last movement. Absent likewise. */
  readonly closingBalance?: number;
  /** Lines that could not be read, which no other figure includes. Absent if every line was read. */
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

/** `figures` with `entries` added; balances are not its business. */
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
