/** What tells whether the wallet knows a refund. */
interface RefundAtWallet {
  /** A status of a refund. */
  readonly status: string;
  /** The wallet's own number, once the wallet has stated it. */
  readonly walletRefundNo?: string;
}

/**
 * Returns whether the wallet has none of this refund as far as the record goes: it refused the
 * refund, also if the merchant has paid the customer since.
 */
export function isUnknownToWallet({ status, walletRefundNo }: RefundAtWallet): boolean {
  return status === "FAILED" || (status === "SETTLED" && walletRefundNo === undefined);
}
