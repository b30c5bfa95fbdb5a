import type { LedgerOrder, LedgerRefund } from "../ledger-order.js";

/** The fee of a wallet, in thousandths of the amount. */
const RATE = 6;

/** Returns the fee of an amount in cents, rounded to the cent. */
export function feeOf(cents: number): number {
  return Math.round((cents * RATE) / 1_000);
}

/**
 * Returns the part of a payment's fee that the wallet returns with this refund, in cents.
 *
 * The parts of all refunds add up to the whole fee once the order is completely refunded.
 */
export function returnedFee(order: LedgerOrder, refund: LedgerRefund): number {
  const whole = feeOf(order.terms.amount);
  let [before, sentBack] = [0, 0];
  for (const one of order.refunds) {
    sentBack += one.amount;
    const returned = Math.round((whole * sentBack) / order.terms.amount);
    if (one.refundNo === refund.refundNo) return returned - before;
    before = returned;
  }
  return 0;
}
