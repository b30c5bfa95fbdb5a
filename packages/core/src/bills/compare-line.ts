import type { Order } from "../orders/order.js";
import { isRefundUnknownToWallet } from "../orders/is-refund-unknown-to-wallet.js";
import type { Refund } from "../refunds/refund.js";
import type { BillExceptionKind } from "../orders/bill-exception-kind.js";
import type { BillLine } from "../wallets/wallet-bill.js";

/** What a bill covers: the pay tools, and the period of payments and refunds. */
export interface BillScope {
  readonly payToolIds: ReadonlySet<string>;
  /** Start (inclusive) and end (exclusive) of the period, epoch milliseconds. */
  readonly from: number;
  readonly until: number;
}

/** The stored order and refund that have the number of a line. */
export interface Counterpart {
  readonly order?: Order | undefined;
  /** Only for the line of a refund. */
  readonly refund?: Refund | undefined;
}

/** The result of comparing one line. */
export interface ComparedLine {
  /** How the line differs from the stored order or refund. Absent if it does not differ. */
  readonly kind?: BillExceptionKind;
  /**
   * Whether Tillkit has the payment or refund on another day, or has not confirmed it yet.
   *
   * The bill of that other day will not list it, so the comparison of that day must not report it
   * as missing.
   */
  readonly elsewhere: boolean;
}

/**
 * Compares a line of a bill with the order or refund of its number, on any day.
 *
 * The result does not depend on the order of the lines.
 */
export function compareLine(line: BillLine, counterpart: Counterpart, scope: BillScope): ComparedLine {
  return line.kind === "payment"
    ? comparePayment(line, counterpart, scope)
    : compareRefund(line, counterpart, scope);
}

function comparePayment({ amount }: BillLine, { order }: Counterpart, scope: BillScope): ComparedLine {
  if (order === undefined || !scope.payToolIds.has(order.payToolId)) {
    return { kind: "PAYMENT_NOT_HERE", elsewhere: false };
  }
  const isPaid = order.paymentStatus === "PAID" || order.paymentStatus === "REFUND";
  const elsewhere = !isPaid || !isWithin(scope, order.pmtDt);
  if (!isPaid) return { kind: "PAYMENT_NOT_HERE", elsewhere };
  return order.amount === amount ? { elsewhere } : { kind: "PAYMENT_AMOUNT", elsewhere };
}

function compareRefund(
  { amount, state }: BillLine,
  { order, refund }: Counterpart,
  scope: BillScope,
): ComparedLine {
  const isOurs = order !== undefined && scope.payToolIds.has(order.payToolId);
  if (!isOurs) return { kind: "REFUND_NOT_HERE", elsewhere: false };
  // Tillkit stores the refund now, so on a day after the day of the bill.
  if (refund === undefined) return { kind: "REFUND_NOT_HERE", elsewhere: true };
  const isConfirmed = refund.status === "CONFIRMED";
  const elsewhere = !isConfirmed || !isWithin(scope, refund.gmtModified);
  // A refund that is OPEN in the bill may also be open in Tillkit, but not failed.
  const isKnown = state === "DONE" ? isConfirmed : !isRefundUnknownToWallet(refund);
  if (!isKnown) return { kind: "REFUND_NOT_HERE", elsewhere };
  return refund.amount === amount ? { elsewhere } : { kind: "REFUND_AMOUNT", elsewhere };
}

function isWithin({ from, until }: BillScope, at: number | undefined): boolean {
  return at !== undefined && from <= at && at < until;
}
