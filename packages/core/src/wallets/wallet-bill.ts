/** A payment or refund from the wallet's daily trade bill. */
export interface BillLine {
  readonly kind: "payment" | "refund";
  /**
   * The order's `out_trade_no`, which is its `id`.
   *
   * A line of another system of the merchant may have any text, or an empty one.
   */
  readonly outTradeNo: string;
  /** The refund's number at the wallet. Absent for a payment. */
  readonly refundNo?: string;
  /** Cents that the customer paid or got back. Always positive. */
  readonly amount: number;
  /**
   * `OPEN`: the wallet had not finished the refund when it wrote the bill.
   *
   * A payment is always `DONE`.
   */
  readonly state: "DONE" | "OPEN";
  /** The wallet's own number of the payment. */
  readonly walletTradeNo: string;
}

/** How the wallet settles a line of its trade bill with the merchant. */
export interface LineSettlement {
  /**
   * Settlement number of the line in the fund-flow bill of the merchant's account.
   *
   * Empty if the line has none.
   */
  readonly no: string;
  /**
   * Cents that the account receives before fees. Negative for a refund.
   *
   * The merchant's own coupons reduce it.
   */
  readonly received: number;
  /** Cents of the wallet's fee. Negative if the wallet returns a fee. */
  readonly fee: number;
}

/** A readable line of a trade bill, with its settlement if the bill states its fee. */
export interface StatedLine extends BillLine {
  readonly settlement?: LineSettlement;
}

/** The readable numbers of an unreadable line. */
export interface LineNumbers {
  readonly outTradeNo?: string;
  readonly refundNo?: string;
  readonly walletTradeNo?: string;
}

/**
 * An unreadable line of a bill.
 *
 * It contains none of the line's text, because that may contain a person's name.
 */
export interface UnreadableLine extends LineNumbers {
  readonly kind: "unreadable";
  /** What the line states, if that is certain. Always absent in a fund-flow bill. */
  readonly lineKind?: BillLine["kind"];
  /** Line number in the file, starting at 1. */
  readonly at: number;
  /** SHA-256 of the line's text in hexadecimal, to tell two lines apart. */
  readonly digest: string;
  /** What is wrong with the line, without any of its text. */
  readonly problem: string;
}

/** A readable or unreadable line of a trade bill. */
export type BillEntry = StatedLine | UnreadableLine;

/**
 * The number of unreadable lines, and the amounts that they must contain by the bill's own totals.
 */
export interface UnreadableTotals {
  readonly lines: number;
  /**
   * Cents: the bill's total of payments minus the payments that were read.
   *
   * Absent if the bill states no such total.
   */
  readonly paymentAmount?: number;
  /** Cents: the bill's total of refunds minus the refunds that were read. */
  readonly refundAmount?: number;
}

/** Totals of the readable lines of a trade bill. Amounts are cents. */
export interface BillTotals {
  readonly payments: number;
  readonly paymentAmount: number;
  readonly refunds: number;
  readonly refundAmount: number;
  /**
   * Sum of the fees by the bill's own total, minus returned fees, in cents.
   *
   * Absent if the bill states no total.
   */
  readonly fees?: number;
  /** Absent if every line was read. */
  readonly unreadable?: UnreadableTotals;
}
