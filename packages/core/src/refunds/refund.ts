import type { Order, OrderKey } from "../orders/order.js";

/**
 * The statuses of a refund. Only an open refund is ever sent to the wallet.
 *
 * | status | meaning |
 * |---|---|
 * | REQUESTED | stored; the wallet has not been called yet |
 * | SENT | sent to the wallet, which has not reported the end |
 * | WAITING_FOR_FUNDS | the merchant's balance is too small; the refund continues after a top-up |
 * | ABNORMAL | the money left the merchant and cannot reach the customer until the merchant acts |
 * | CONFIRMED | final: the wallet has refunded it |
 * | FAILED | final: the wallet refused or closed it; its amount is free again |
 * | SETTLED | final: an operator recorded that the merchant paid the customer by other means |
 */
export const REFUND_STATUSES = [
  "REQUESTED",
  "SENT",
  "WAITING_FOR_FUNDS",
  "ABNORMAL",
  "CONFIRMED",
  "FAILED",
  "SETTLED",
] as const;
/** The status of a refund. */
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** The statuses of a refund that has not ended: its amount is reserved, and it is pursued. */
export const OPEN_REFUND_STATUSES = [
  "REQUESTED",
  "SENT",
  "WAITING_FOR_FUNDS",
  "ABNORMAL",
] as const satisfies readonly RefundStatus[];
/** The status of a refund that has not ended. */
export type OpenRefundStatus = (typeof OPEN_REFUND_STATUSES)[number];

/** Returns whether a refund has not ended. */
export function isOpenRefund(refund: Refund): refund is OpenRefund {
  const open: readonly RefundStatus[] = OPEN_REFUND_STATUSES;
  return open.includes(refund.status);
}

/** Money on its way back to the customer. Written before the wallet is called. Source: BEHAVIOUR, "Orders", refunds. */
export interface Refund extends OrderKey {
  /** What its caller called it: one number is one refund of the order, however often it is asked for. */
  readonly refundNo: string;
  /** Cents. */
  readonly amount: number;
  readonly reason: string;
  readonly operator: string;
  readonly status: RefundStatus;
  /** The wallet's own number, once the wallet has stated it: from then on the wallet has accepted the refund. */
  readonly walletRefundNo?: string;
  /** When it is to be pursued next; absent when it is final. */
  readonly nextTryAt?: number;
  readonly gmtCreate: number;
  /** When the refund entered its present status. */
  readonly gmtModified: number;
}

/** A refund that has not ended. */
export type OpenRefund = Refund & { readonly status: OpenRefundStatus };

/**
 * The number both wallets know a refund by (`out_refund_no`, `out_request_no`): every retry uses it, so that money moves at most once. At a wallet
 * numbers are the whole merchant's, so the order's own, which is unique there and holds no `-`, stands before the caller's.
 */
export function outRefundNo({ id }: Pick<Order, "id">, { refundNo }: Pick<Refund, "refundNo">): string {
  return `${id}-${refundNo}`;
}
