import type { BillLine, BillTotals } from "./wallet-bill.js";

/** The totals of a bill without lines. */
export const EMPTY_BILL: BillTotals = { payments: 0, paymentAmount: 0, refunds: 0, refundAmount: 0 };

/** `totals` with `lines` added. */
export function tallyLines(totals: BillTotals, lines: readonly BillLine[]): BillTotals {
  let { payments, paymentAmount, refunds, refundAmount } = totals;
  for (const { kind, amount } of lines) {
    if (kind === "payment") {
      payments += 1;
      paymentAmount += amount;
    } else {
      refunds += 1;
      refundAmount += amount;
    }
  }
  return { payments, paymentAmount, refunds, refundAmount };
}

/** Whether two bills hold as much. */
export function isSameTally(left: BillTotals, right: BillTotals): boolean {
  return (
    left.payments === right.payments &&
    left.paymentAmount === right.paymentAmount &&
    left.refunds === right.refunds &&
    left.refundAmount === right.refundAmount
  );
}
