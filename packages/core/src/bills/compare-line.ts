import type { Order } from "../orders/order.js";
import { isUnknownToWallet } from "../orders/is-unknown-to-wallet.js";
import type { Refund } from "../refunds/refund.js";
import type { BillExceptionKind } from "./bill-exception.js";
import type { BillLine } from "../wallets/wallet-bill.js";

/** What a bill covers: whose orders, and from when until before when they were paid or refunded. */
export interface BillScope {
  readonly payToolIds: ReadonlySet<string>;
  /** Epoch milliseconds. */
  readonly from: number;
  readonly until: number;
}

/** What the record has under the number of a line. */
export interface Counterpart {
  readonly order?: Order | undefined;
  /** For the line of a refund. */
  readonly refund?: Refund | undefined;
}

/** What became of one line. */
export interface ComparedLine {
  /** How it differs from the record; absent when it does not. */
  readonly kind?: BillExceptionKind;
  /**
   * Whether the record does not have it on the bill's day, although it has it: on another day, or not yet. That other day's bill will not
   * have it, and must not be blamed.
   */
  readonly elsewhere: boolean;
}

/** Compares a line of a bill with what the record has under its number, whatever the day. It decides nothing by the order of lines. */
export function compareLine(line: BillLine, found: Counterpart, scope: BillScope): ComparedLine {
  return line.kind === "payment" ? comparePayment(line, found, scope) : compareRefund(line, found, scope);
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
  if (order === undefined || refund === undefined || !scope.payToolIds.has(order.payToolId)) {
    return { kind: "REFUND_NOT_HERE", elsewhere: false };
  }
  const isConfirmed = refund.status === "CONFIRMED";
  const elsewhere = !isConfirmed || !isWithin(scope, refund.gmtModified);
  // A refund that was under way when the bill was written may be so here as well; one that failed here is not.
  const isKnown = state === "DONE" ? isConfirmed : !isUnknownToWallet(refund);
  if (!isKnown) return { kind: "REFUND_NOT_HERE", elsewhere };
  return refund.amount === amount ? { elsewhere } : { kind: "REFUND_AMOUNT", elsewhere };
}

function isWithin({ from, until }: BillScope, at: number | undefined): boolean {
  return at !== undefined && from <= at && at < until;
}
