import type { Order, OrderKey } from "../orders/order.js";

/** REQUESTED: written, the wallet not yet called. SENT: called, no definite answer yet. The other two are final. */
export const REFUND_STATUSES = ["REQUESTED", "SENT", "CONFIRMED", "FAILED"] as const;
/** The state of a refund. */
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** Money on its way back to the customer. Written before the wallet is called. Source: BEHAVIOUR, "Orders", refunds. */
export interface Refund extends OrderKey {
  /** What its caller called it: one number is one refund of the order, however often it is asked for. */
  readonly refundNo: string;
  /** Cents. */
  readonly amount: number;
  readonly reason: string;
  readonly operator: string;
  readonly status: RefundStatus;
  /** The wallet's own number. */
  readonly walletRefundNo?: string;
  /** When it is to be pursued next; absent when it is final. */
  readonly nextTryAt?: number;
  readonly gmtCreate: number;
  readonly gmtModified: number;
}

/**
 * The number both wallets know a refund by (`out_refund_no`, `out_request_no`): every retry uses it, so that money moves at most once. At a wallet
 * numbers are the whole merchant's, so the order's own, which is unique there and holds no `-`, stands before the caller's.
 */
export function outRefundNo({ id }: Pick<Order, "id">, { refundNo }: Pick<Refund, "refundNo">): string {
  return `${id}-${refundNo}`;
}
