import type { LedgerOrder, LedgerRefund } from "../ledger-order.js";

/** What a wallet charges, in thousandths. */
const RATE = 6;

/** The fee of an amount in cents, rounded to the cent. */
export function feeOf(cents: number): number {
  return Math.round((cents * RATE) / 1_000);
}

/** The part of a payment's fee that goes back with one of its refunds, in cents: all of it has gone back once all of the money has. */
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
