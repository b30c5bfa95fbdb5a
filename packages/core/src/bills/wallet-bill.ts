/** One movement of money as a wallet's bill of a day states it. */
export interface BillLine {
  readonly kind: "payment" | "refund";
  /** `out_trade_no` of the order. */
  readonly outTradeNo: string;
  /** The refund's number; refunds only. */
  readonly refundNo?: string;
  /** Cents, always positive: paid by the customer, or sent back. */
  readonly amount: number;
  /** OPEN: a refund that the wallet had not finished when it wrote the bill. A payment is always DONE. */
  readonly state: "DONE" | "OPEN";
  /** The wallet's own number of the payment. */
  readonly walletTradeNo: string;
}

/** A whole bill: how much it holds. */
export interface BillTotals {
  readonly payments: number;
  readonly paymentAmount: number;
  readonly refunds: number;
  readonly refundAmount: number;
}
