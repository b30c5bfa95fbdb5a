import type {
  Clock,
  PayChannel,
  Ports,
  RawNotification,
  SmsFailure,
  SmsMessage,
  SmsSender,
  Wallet,
  WalletFailure,
} from "@tillkit/core";
import type { WalletOrder, WalletRefund } from "@tillkit/core/ports";

/** A notification whose headers can be listed, so that a test can send it. */
export interface TestNotification extends RawNotification {
  readonly headers: Headers;
}

/** A wallet with methods that act as the wallet and the customer. Accepts any credentials. */
export interface TestWallet extends Wallet {
  /**
   * Pays an order as the customer, in time or late, without a notification.
   *
   * Throws if the wallet does not know the order or has closed it.
   */
  pay(outTradeNo: string): void;
  /** Makes the next call of this kind fail. `after` executes the call before it fails. */
  failNext(
    call: keyof Pick<
      Wallet,
      "prepare" | "query" | "close" | "refund" | "queryRefund" | "applyAbnormalRefund"
    >,
    failure: WalletFailure,
    when?: "before" | "after",
  ): void;
  /** Returns how often `prepare` was called for the order, including failed calls. */
  prepareCount(outTradeNo: string): number;
  /** Returns a signed notification of the current state of an order, with `changes`. */
  notificationFor(outTradeNo: string, changes?: Partial<WalletOrder>): TestNotification;
  /** Returns the balance of all merchants in cents: payments less refunds. */
  balance(): number;
  /** Keeps the next refund in PROCESSING until `endRefund`. */
  holdNextRefund(): void;
  /** Moves a PROCESSING refund to a final state or to ABNORMAL, without a notification. */
  endRefund(outTradeNo: string, refundNo: string, state: "CONFIRMED" | "FAILED" | "ABNORMAL"): void;
  /** Sets whether the wallet refuses new refunds for lack of funds. */
  setOutOfFunds(isOutOfFunds: boolean): void;
  /**
   * Returns the signed notification of a refund.
   *
   * For WALLET_A it contains the refund with `changes`. For WALLET_B it contains the order after
   * the refund.
   */
  refundNotificationFor(
    outTradeNo: string,
    refundNo: string,
    changes?: Partial<WalletRefund>,
  ): TestNotification;
}

/** An SMS carrier whose messages a test can read. */
export interface TestSmsSender extends SmsSender {
  /** The accepted messages, oldest first. */
  readonly messages: readonly SmsMessage[];
  /** The messages that failed, oldest first. */
  readonly failed: readonly SmsMessage[];
  /** Makes the next message fail. */
  failNext(failure: SmsFailure): void;
}

/**
 * The ports of a service, with methods that control time, wallets and SMS.
 *
 * The stores are empty. The clock moves only by `advance`.
 */
export interface TestHost extends Ports {
  readonly clock: Clock & { advance(ms: number): void };
  readonly wallets: Readonly<Record<PayChannel, TestWallet>>;
  readonly smsSender: TestSmsSender;
}
