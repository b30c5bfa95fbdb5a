import type { BillEntry, BillTotals } from "../wallets/wallet-bill.js";

/** The totals of a bill without lines. */
export const EMPTY_BILL: BillTotals = { payments: 0, paymentAmount: 0, refunds: 0, refundAmount: 0 };

/** Adds `entries` to `totals`. Unreadable lines only add to `unreadable.lines`. */
export function tallyLines(totals: BillTotals, entries: readonly BillEntry[]): BillTotals {
  let { payments, paymentAmount, refunds, refundAmount } = totals;
  let lines = totals.unreadable?.lines ?? 0;
  for (const entry of entries) {
    if (entry.kind === "unreadable") {
      lines += 1;
    } else if (entry.kind === "payment") {
      payments += 1;
      paymentAmount += entry.amount;
    } else {
      refunds += 1;
      refundAmount += entry.amount;
    }
  }
  const sums = { payments, paymentAmount, refunds, refundAmount };
  return lines === 0 ? sums : { ...sums, unreadable: { lines } };
}

/** Returns whether two bills have equal counts, sums and numbers of unreadable lines. */
export function isSameTally(left: BillTotals, right: BillTotals): boolean {
  return (
    left.payments === right.payments &&
    left.paymentAmount === right.paymentAmount &&
    left.refunds === right.refunds &&
    left.refundAmount === right.refundAmount &&
    (left.unreadable?.lines ?? 0) === (right.unreadable?.lines ?? 0)
  );
}
