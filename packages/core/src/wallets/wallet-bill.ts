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

/** How the wallet settles a line of its trade bill with the merchant. */
export interface LineSettlement {
  /** The number under which the fund-flow bill of the merchant's account books the line. */
  readonly no: string;
  /** Cents that the account receives before fees; negative for a refund. Coupons of the merchant reduce it. */
  readonly received: number;
  /** Cents that the wallet keeps as its fee; negative if it returns a fee. */
  readonly fee: number;
}

/** A line of a trade bill that was read, with its settlement if the bill states one. */
export interface StatedLine extends BillLine {
  readonly settlement?: LineSettlement;
}

/** The numbers of a line, as far as they can be read. */
export interface LineNumbers {
  readonly outTradeNo?: string;
  readonly refundNo?: string;
  readonly walletTradeNo?: string;
}

/** A line of a bill that cannot be read. It holds nothing of the line's text: that may name a person. */
export interface UnreadableLine extends LineNumbers {
  readonly kind: "unreadable";
  /** What the line states, if that is certain. Lines of a fund-flow bill have none. */
  readonly lineKind?: BillLine["kind"];
  /** The number of the line in its file, from 1. */
  readonly at: number;
  /** SHA-256 of the line's text, hexadecimal. It tells two lines apart. */
  readonly digest: string;
  /** What is wrong with it, without any of its text. */
  readonly problem: string;
}

/** A line of a trade bill, read or not. */
export type BillEntry = StatedLine | UnreadableLine;

/** The lines that could not be read, and the money that the bill's own totals leave for them. */
export interface UnreadableTotals {
  readonly lines: number;
  /** Cents: the stated total of payments less the payments that were read. Absent if the bill states no such total. */
  readonly paymentAmount?: number;
  /** Cents, likewise of refunds. */
  readonly refundAmount?: number;
}

/** A whole bill: how much its readable lines hold. */
export interface BillTotals {
  readonly payments: number;
  readonly paymentAmount: number;
  readonly refunds: number;
  readonly refundAmount: number;
  /** Cents of fees by the bill's own total, returned fees deducted. Absent if the bill states no total. */
  readonly fees?: number;
  /** Absent if every line was read. */
  readonly unreadable?: UnreadableTotals;
}
