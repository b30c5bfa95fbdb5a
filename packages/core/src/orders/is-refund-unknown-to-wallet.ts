/** The facts that decide whether the wallet knows a refund. */
interface RefundAtWallet {
  /** One of `REFUND_STATUSES`. */
  readonly status: string;
  /** The wallet's own number of the refund. Absent until the wallet has returned it. */
  readonly walletRefundNo?: string;
}

/**
 * Returns whether, according to storage, the wallet has no record of the refund.
 *
 * True for a FAILED or WITHDRAWN refund, and for a SETTLED refund without a number of the wallet.
 */
export function isRefundUnknownToWallet({ status, walletRefundNo }: RefundAtWallet): boolean {
  return (
    status === "FAILED" || status === "WITHDRAWN" || (status === "SETTLED" && walletRefundNo === undefined)
  );
}
