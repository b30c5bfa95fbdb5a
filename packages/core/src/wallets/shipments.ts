/** The facts of a paid and delivered order that its wallet needs. */
export interface WalletShipment {
  readonly outTradeNo: string;
  /** The wallet's own number of the payment. */
  readonly walletTradeNo?: string;
  /** The customer's id at the wallet. It never appears in a result or failure. */
  readonly payerId: string;
  readonly goodsTitle: string;
  /**
   * When the customer paid, epoch milliseconds. Every report of the order states this time, so that
   * the wallet can tell a repeated report from a changed one.
   */
  readonly paidAt: number;
}

/** A token for calls to a wallet. Calls with it need no signature, so it is a secret. */
export interface AccessToken {
  readonly token: string;
  /** When the token must be replaced, epoch milliseconds. */
  readonly expiresAt: number;
}

/**
 * The wallet's answer to a report.
 *
 * - `reported`: the wallet has stored the report.
 * - `already-reported`: the wallet had a report before, by Tillkit or by another program.
 * - `refunded`: the payment is refunded in full, so there is nothing to report.
 */
export type ShipmentAnswer = "reported" | "already-reported" | "refunded";

/** The wallet does not accept the token any more. Another one may work. */
export interface AccessTokenRefused {
  readonly name: "access-token.refused";
}
