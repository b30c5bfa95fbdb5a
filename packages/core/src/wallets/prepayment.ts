/** What a wallet gave for opening the payment. Its `values` mean something to the wallet's adapter only. */
export interface Prepayment {
  /** When the wallet gave it, epoch milliseconds. */
  readonly issuedAt: number;
  /** Until when a payment can be opened with it, epoch milliseconds. */
  readonly validUntil: number;
  readonly values: Readonly<Record<string, string>>;
}
