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
  WalletOrder,
  WalletRefund,
} from "@tillkit/core";

/** A notification whose headers can all be named, as one has to who posts it. */
export interface SignedNotification extends RawNotification {
  readonly headers: Headers;
}

/** A wallet with what a test does at its other end. It takes any credentials for an account. */
export interface TestWallet extends Wallet {
  /** The customer pays the order, in time or late. Nobody is notified. Throws when the wallet never heard of it or has closed it. */
  pay(outTradeNo: string): void;
  /** Makes the next call of this kind fail so; `after` says that the wallet had done what it was asked before. */
  failNext(
    call: keyof Pick<
      Wallet,
      "prepare" | "query" | "close" | "refund" | "queryRefund" | "applyAbnormalRefund"
    >,
    failure: WalletFailure,
    when?: "before" | "after",
  ): void;
  /** How often `prepare` was called for the order, failed calls included. */
  prepareCount(outTradeNo: string): number;
  /** The wallet's notification of the order as it is there now, validly signed; `changes` make the wallet state something else. */
  notificationFor(outTradeNo: string, changes?: Partial<WalletOrder>): SignedNotification;
  /** Cents that the merchants have at the wallet: payments less refunds. */
  balance(): number;
  /** Makes the next refund PROCESSING at first, until `endRefund`. */
  holdNextRefund(): void;
  /** Ends a refund that is PROCESSING, or makes it ABNORMAL. Nobody is notified. */
  endRefund(outTradeNo: string, refundNo: string, state: "CONFIRMED" | "FAILED" | "ABNORMAL"): void;
  /**
   * Empties the merchants' balance: new refunds are refused for lack of money until it is `false`.
   */
  setOutOfFunds(isOutOfFunds: boolean): void;
  /**
   * The wallet's notification of a refund it made, validly signed: WALLET_A tells of the refund, and `changes` make it state something else;
   * WALLET_B tells how the order stands after it.
   */
  refundNotificationFor(
    outTradeNo: string,
    refundNo: string,
    changes?: Partial<WalletRefund>,
  ): SignedNotification;
}

/** An SMS carrier whose messages a test reads. */
export interface TestSmsSender extends SmsSender {
  /** What it accepted, oldest first. */
  readonly messages: readonly SmsMessage[];
  /** Makes the next message fail so. */
  failNext(failure: SmsFailure): void;
}

/**
 * All ports of a service, and what happens outside of the service: time passes, customers pay, messages arrive. The stores are empty, and the clock stands
 * still until it is moved.
 */
export interface TestHost extends Ports {
  readonly clock: Clock & { advance(ms: number): void };
  readonly wallets: Readonly<Record<PayChannel, TestWallet>>;
  readonly smsSender: TestSmsSender;
}
