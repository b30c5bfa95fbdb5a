import type { PayPayload, RawNotification, Wallet, WalletAccount } from "@tillkit/core";

/** A call that a wallet can be made to spoil. A stage that cannot tell `queryRefund` from `query` spoils both. */
export type SpoiltCall =
  "prepare" | "query" | "close" | "refund" | "queryRefund" | "readBill" | "readFundFlow";

/**
 * How a call is spoilt. `timeout`: the wallet does it, but its answer does not arrive; `hang`: it does nothing and never answers, so that only the
 * deadline ends the call; `server-error`: it fails without doing it; `reject`: it says no; `unsigned`: it does it and answers, and nothing proves the answer.
 */
export type SpoiltHow = "timeout" | "hang" | "server-error" | "reject" | "unsigned";

/** A wallet adapter, and the hands of the wallet and of the customer behind it: a simulator in process, or one on the wire. */
export interface WalletStage extends Wallet {
  /** An account whose credentials the wallet knows. */
  readonly account: WalletAccount;
  /**
   * For a double that has no cryptography: the reason, in words, why it works with any credentials. The contract then proves that it does
   * instead of what it refuses. An adapter of a real wallet never sets it.
   */
  readonly takesAnyCredentials?: string;
  /** The wallet's clock, epoch milliseconds. */
  now(): number;
  /** The customer opens the payment with what they were given, without paying. */
  openPayment(outTradeNo: string, payload: PayPayload): Promise<void>;
  /** The customer pays with what they were given; `false` when the wallet refuses. Notifications follow. */
  pay(outTradeNo: string, payload: PayPayload): Promise<boolean>;
  /** Cents that the merchant has at the wallet: payments less refunds. */
  balance(): Promise<number>;
  /** Spoils a call from now on; `null` mends it. */
  spoil(call: SpoiltCall, how: SpoiltHow | null): Promise<void>;
  /** The notifications sent so far, of payments and of refunds, oldest first, as they arrived. */
  notifications(): Promise<readonly RawNotification[]>;
  /** The notification with a signature that is not the wallet's, but in every other way as it should be. */
  forge(notification: RawNotification): Promise<RawNotification>;
  /** The notification as the wallet sends it to test that bad signatures are refused; `undefined` at a wallet that sends no such tests. */
  probe(notification: RawNotification): Promise<RawNotification | undefined>;
}
