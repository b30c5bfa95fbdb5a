/** The wallet's permission to open a payment. Only the wallet's adapter interprets `values`. */
export interface Prepayment {
  /** When the prepayment was issued, epoch milliseconds. */
  readonly issuedAt: number;
  /** When the prepayment stops working, epoch milliseconds. */
  readonly validUntil: number;
  readonly values: Readonly<Record<string, string>>;
}
