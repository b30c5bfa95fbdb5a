import type { ResultAsync } from "neverthrow";
import type { AccountProblem } from "../pay-tools/account-problem.js";
import type { FlowEntry, FlowTotals } from "./fund-flow.js";
import type { BillEntry, BillTotals } from "./wallet-bill.js";
import type { PaySource } from "./pay-source.js";
import type { AccessToken, AccessTokenRefused, ShipmentAnswer, WalletShipment } from "./shipments.js";
import type { Prepayment } from "./prepayment.js";
import type { PayChannel, WalletAccount } from "../pay-tools/pay-tool.js";
import type { WalletOptions } from "../pay-tools/wallet-options.js";
import type { MessageHeaders } from "../shared/message-headers.js";

/** Every {@link FundsRemedy}. */
export const FUNDS_REMEDIES = ["top-up", "other-account", "named-account", "repair-account", "wait"] as const;

/**
 * What ends the wait of a refund that the wallet cannot pay yet.
 *
 * - `top-up`: more money in the merchant's account.
 * - `other-account`: the next retry takes the money from another account of the merchant. If the
 *   refund still waits then, a top-up.
 * - `named-account`: more money in the account that the pay tool names, or another account.
 * - `repair-account`: a repair. The account that pays refunds does not exist or is blocked.
 * - `wait`: only time. The wallet asks for the same call later.
 */
export type FundsRemedy = (typeof FUNDS_REMEDIES)[number];

/** The wallet refused the call, or the adapter refused to send it. */
export interface WalletRejected {
  readonly name: "wallet.rejected";
  /**
   * Why the call was refused.
   *
   * - `paid`, `closed`: the order cannot be paid any more.
   * - `conflict`: the number is in use with other parameters.
   * - `absent`: the wallet has no record of the number.
   * - `configuration`: the account or the adapter is not set up for the call.
   * - `payer-address`: the payment needs the customer's IP address, and the adapter has no
   *   acceptable one. Nothing was sent.
   * - `not-ready`: the wallet has not created the bill yet, or cannot take the report of a shipment
   *   yet.
   * - `no-bill`: the wallet has no bill of the day. The day may still have had payments.
   * - `funds`: the wallet cannot pay the refund yet, usually because the merchant's balance is too
   *   small. The same call succeeds after the `remedy`.
   */
  readonly reason:
    | "paid"
    | "closed"
    | "conflict"
    | "absent"
    | "configuration"
    | "payer-address"
    | "not-ready"
    | "no-bill"
    | "funds"
    | "other";
  /**
   * Whether the refusal is certain: the wallet signed it, or nothing was sent.
   *
   * An unsigned refusal is returned to the caller, but by itself it does not end an order or
   * refund.
   *
   * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/unsigned-refusals.md |
   *   An unsigned refusal takes effect only after a delay}
   */
  readonly trusted: boolean;
  /** The wallet's own code and message, for operators. Contains no secrets. */
  readonly detail: string;
  /**
   * With `payer-address`: the name under which the host's callers send the address.
   *
   * For example the name of a request header.
   */
  readonly parameter?: string;
  /** With `funds`: what ends the wait. Defaults to `top-up`. */
  readonly remedy?: FundsRemedy;
}

/** The outcome of the call is unknown. Query the wallet before any further step. */
export interface WalletUnknown {
  readonly name: "wallet.unknown";
  /**
   * Why the outcome is unknown.
   *
   * - `unverified`: a response arrived, but its signature is not valid.
   * - `busy`: this process or the wallet is overloaded.
   * - `rate-limited`: the wallet refuses further calls for now. Wait longer before the next one.
   */
  readonly cause: "timeout" | "network" | "server-error" | "busy" | "rate-limited" | "unverified";
  readonly detail: string;
}

/** How a call to a wallet fails: refused, or with an unknown outcome. */
export type WalletFailure = WalletRejected | WalletUnknown;

/**
 * The request to prepare a payment at the wallet.
 *
 * All values are stored with the order, so every repetition of the request is identical.
 */
export interface PaymentRequest {
  /** The order's `id`, sent as `out_trade_no`. */
  readonly outTradeNo: string;
  /** Cents. */
  readonly amount: number;
  readonly goodsTitle: string;
  readonly paySource: PaySource;
  /** The customer's id at the wallet. Present only if the `paySource` needs one. Never logged. */
  readonly payerId?: string;
  readonly notifyUrl: string;
  /** Where Alipay sends the browser afterwards. A visit there does not prove a payment. */
  readonly returnUrl: string;
  /** The end of the time in which the customer may pay, epoch milliseconds. */
  readonly expiresAt: number;
  /** Options of the order's own wallet, for its `paySource`. Absent if there are none. */
  readonly options?: WalletOptions;
}

/** `data` of a creation response for an app on WALLET_A. */
export interface WalletAAppPayload {
  readonly appid: string;
  readonly partnerid: string;
  readonly prepayid: string;
  readonly noncestr: string;
  readonly package: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly sign: string;
}

/** `data` of a creation response for an app on WALLET_B. */
export interface WalletBAppPayload {
  readonly app_id: string;
  readonly method: string;
  readonly format: string;
  readonly charset: string;
  readonly sign_type: string;
  readonly sign: string;
  /** `yyyy-MM-dd HH:mm:ss` in China's time zone. */
  readonly timestamp: string;
  readonly version: string;
  readonly notify_url: string;
  readonly return_url: string;
  /** JSON text, exactly as signed. */
  readonly biz_content: string;
  /** The merchant's authorisation of its service provider. Absent without a provider. */
  readonly app_auth_token?: string;
}

/**
 * `data` of a creation response for a mini-program or the in-app browser on WALLET_A.
 *
 * The members are the parameters of WeChat's `wx.requestPayment` and `getBrandWCPayRequest`.
 */
export interface WalletAJsapiPayload {
  readonly appId: string;
  /** Seconds since the epoch, as text. */
  readonly timeStamp: string;
  readonly nonceStr: string;
  /** `prepay_id=` followed by the id of the prepayment. */
  readonly package: string;
  readonly signType: "RSA";
  readonly paySign: string;
}

/**
 * `data` of a creation response for a mini-program or the in-app browser on WALLET_B.
 *
 * The member is the parameter of Alipay's `my.tradePay` and of `tradePay` of `AlipayJSBridge`.
 */
export interface WalletBJsapiPayload {
  /** The wallet's own number of the trade. */
  readonly tradeNO: string;
}

/**
 * The data that opens a payment. Its form depends on the channel and the `paySource`.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/payment-payloads.md |
 *   Payloads outside an app use the wallets' own names}
 */
export type PayPayload =
  | WalletAAppPayload
  | WalletBAppPayload
  | WalletAJsapiPayload
  | WalletBJsapiPayload
  | { readonly code_url: string }
  | { readonly qr_code: string }
  | { readonly h5_url: string }
  | { readonly pay_url: string };

/**
 * A wallet's verified statement about an order.
 *
 * The adapter verifies that the wallet made the statement. The caller checks that the statement
 * matches the stored order.
 */
export interface WalletOrder {
  /** `REFUNDED`: paid, and money was refunded. At WeChat Pay also after a partial refund. */
  readonly state: "OPEN" | "PAID" | "CLOSED" | "REFUNDED";
  readonly outTradeNo: string;
  readonly walletAppId: string;
  /** `mchid` or `sub_mchid` at WeChat Pay, `seller_id` at Alipay. */
  readonly merchantId: string;
  /** The `accountId` of the service provider. Absent if the merchant works without one. */
  readonly providerId?: string;
  /** Cents. Some wallets omit it while nothing is paid. */
  readonly amount?: number;
  readonly currency?: string;
  readonly walletTradeNo?: string;
  /** When the customer paid, by the wallet's clock, epoch milliseconds. */
  readonly paidAt?: number;
  /**
   * The number of the refund that a message is about.
   *
   * Only Alipay's notifications of refunds have it: they state the order after the refund.
   */
  readonly refundNo?: string;
  /**
   * SHA-256 of the stated facts. Equal for repetitions of one message.
   *
   * It covers only signed facts, so that a change of unsigned parts cannot make one message look
   * like many.
   */
  readonly evidence: string;
}

/** A refund request, or a query about that refund. */
export interface WalletRefundRequest {
  readonly outTradeNo: string;
  readonly refundNo: string;
  /** Cents of this refund. */
  readonly amount: number;
  /** Cents of the whole order. */
  readonly orderAmount: number;
  readonly reason: string;
  /** Empty for an imported order: the wallet then gets no URL for the refund. */
  readonly notifyUrl: string;
  /**
   * A number that increases with each scheduled retry of a WAITING_FOR_FUNDS refund.
   *
   * Absent for any other refund. If a merchant has two accounts, the adapter uses the number to
   * alternate between them.
   */
  readonly fundsRetry?: number;
}

/** Where the money of an ABNORMAL refund goes. Used for one call and never stored. */
export type RefundPayout =
  | {
      /**
       * To the merchant's settlement account at the wallet. The merchant then pays the customer.
       */
      readonly to: "merchant";
    }
  | {
      /** To a debit card of the customer. */
      readonly to: "customer";
      /** The wallet's code of the bank, such as `CMB_DEBIT`. */
      readonly bankType: string;
      readonly bankAccount: string;
      readonly realName: string;
    };

/**
 * A wallet's verified statement about a refund. PROCESSING and ABNORMAL are not final.
 *
 * `ABNORMAL`: the money left the merchant's account and could not reach the customer. The wallet
 * keeps the money until the merchant acts.
 */
export interface WalletRefund {
  readonly state: "PROCESSING" | "ABNORMAL" | "CONFIRMED" | "FAILED";
  readonly outTradeNo: string;
  readonly refundNo: string;
  readonly merchantId: string;
  /** As in {@link WalletOrder}. */
  readonly providerId?: string;
  /** Cents. */
  readonly amount: number;
  readonly walletRefundNo?: string;
  /** The wallet's number of the payment that the refund returns. Not every message has it. */
  readonly walletTradeNo?: string;
  /**
   * The wallet knows the number, has not made the refund, and asks for the same call again.
   *
   * Only with PROCESSING.
   */
  readonly sendAgain?: true;
  /** When the money moved, by the wallet's clock, epoch milliseconds. Not every message has it. */
  readonly refundedAt?: number;
  /** Present if the wallet returned the money to the merchant instead of the customer. */
  readonly toMerchant?: true;
  readonly evidence: string;
}

/** A verified message from the wallet. */
export type WalletEvent =
  | { readonly kind: "payment"; readonly order: WalletOrder }
  | { readonly kind: "refund"; readonly refund: WalletRefund };

/** A notification that failed verification, with the reason. */
export type NotificationRefusal = {
  readonly name: "notification.refused";
  /**
   * `stale`: the signed time differs too much from the current time.
   *
   * `probe`: the wallet tests that the host refuses bad signatures, so it is not an alarm.
   */
  readonly reason: "malformed" | "unverified" | "stale" | "probe";
};

/** A notification as received over HTTP. */
export interface RawNotification {
  readonly headers: MessageHeaders;
  /** The bytes as received. The signature covers them, not a parsed form. */
  readonly body: Uint8Array;
}

/** The HTTP response that the wallet expects to a notification. */
export interface NotificationAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** A certificate or key of an account that expires. */
export interface CredentialExpiry {
  /**
   * The name of the credential, such as `merchantCertificate`. Contains no part of the credential.
   */
  readonly name: string;
  /** When the credential stops working, epoch milliseconds. */
  readonly expiresAt: number;
}

/** A certificate or key of a pay tool, and when it expires. */
export interface PayToolCredentialExpiry extends CredentialExpiry {
  readonly payToolId: string;
  readonly appId: string;
  readonly payChannel: PayChannel;
}

/** The request that a wallet would get, for an operator to read. Contains no secret. */
export interface WalletRequestText {
  /** The wallet's name of the call, such as `alipay.trade.refund`. */
  readonly operation: string;
  /** The body as the adapter would send it, without a signature. */
  readonly body: string;
}

/**
 * Limits of one call to a wallet.
 *
 * `deadline` is in milliseconds. After the deadline, the call fails with `wallet.unknown`. The
 * promise never rejects.
 */
export interface CallLimits {
  readonly deadline: number;
}

/**
 * The part of a wallet's adapter that reports the delivery of goods.
 *
 * Absent if the wallet needs no reports. The calls have access tokens instead of signatures, so
 * `trusted` of their refusals is false.
 */
export interface WalletShipments {
  /** Returns whether the account has switched reports on for orders of this `paySource`. */
  isReported(account: WalletAccount, paySource: PaySource): boolean;
  /** Requests an access token of the account. */
  requestAccessToken(account: WalletAccount, limits: CallLimits): ResultAsync<AccessToken, WalletFailure>;
  /**
   * Reports that the customer has got the goods. A repeated report changes nothing.
   *
   * A refusal has one of the following reasons:
   *
   * - `absent`: the wallet does not know the payment yet.
   * - `not-ready`: the wallet cannot take the report yet.
   * - `configuration`: the account or the wallet's settings are wrong.
   */
  report(
    account: WalletAccount,
    shipment: WalletShipment,
    token: string,
    limits: CallLimits,
  ): ResultAsync<ShipmentAnswer, WalletFailure | AccessTokenRefused>;
}

/**
 * An adapter of one wallet.
 *
 * A call succeeds, fails with `wallet.rejected` (refused) or fails with `wallet.unknown`. The
 * wallet signed every successful result. For a refusal, `trusted` states whether it is certain.
 * Every call ends within its deadline. Repeating a call with the same numbers never moves money
 * twice. `walletContract` of `@tillkit/contract-tests` tests an implementation.
 */
export interface Wallet {
  readonly payChannel: PayChannel;
  /** The names that `credentials` of an account may have, in the order of a form. */
  readonly credentialNames: readonly string[];
  /**
   * Checks the account's credentials. No network access.
   *
   * Returns the problems for operators: empty if the credentials parse, belong together, sign and
   * verify.
   */
  checkAccount(account: WalletAccount): Promise<readonly AccountProblem[]>;
  /**
   * Returns when the account's certificates and keys expire. No network access.
   *
   * Includes certificates that the adapter downloaded. At most one entry per name: of several
   * certificates of the wallet, the last one to expire. Empty if the credentials do not work, or if
   * none of them expires.
   */
  credentialExpiries(account: WalletAccount): readonly CredentialExpiry[];
  /**
   * Returns the prepayment if the request needs no call to the wallet, and `undefined` otherwise.
   */
  localPrepayment(
    account: WalletAccount,
    request: Pick<PaymentRequest, "paySource" | "expiresAt">,
    now: number,
  ): Prepayment | undefined;
  /**
   * Registers the order at the wallet and returns the prepayment.
   *
   * Repeating an equal request refers to the same order at the wallet. A changed request is
   * refused.
   */
  prepare(
    account: WalletAccount,
    request: PaymentRequest,
    limits: CallLimits,
  ): ResultAsync<Prepayment, WalletFailure>;
  /**
   * Signs the payload that opens the payment. No network access.
   *
   * Equal arguments produce an equal payload. Another order or another `at` produces another
   * signature and, at WeChat Pay, another nonce.
   *
   * @param at - time of the signature, epoch milliseconds.
   */
  payload(
    account: WalletAccount,
    request: PaymentRequest,
    prepayment: Prepayment,
    at: number,
  ): ResultAsync<PayPayload, WalletFailure>;
  /**
   * Returns the wallet's statement about the order.
   *
   * Returns `undefined` if the wallet signed that it has no order with this number yet. Without a
   * signature, this answer is `wallet.rejected` with the reason `absent`.
   */
  query(
    account: WalletAccount,
    outTradeNo: string,
    limits: CallLimits,
  ): ResultAsync<WalletOrder | undefined, WalletFailure>;
  /**
   * Closes the order at the wallet, so that it cannot be paid.
   *
   * Returns `absent` if the wallet signed that it has no such order. Without a signature, this
   * answer is `wallet.rejected` with the reason `absent`. Returns `paid` if the customer has
   * already paid: query the order then.
   */
  close(
    account: WalletAccount,
    outTradeNo: string,
    limits: CallLimits,
  ): ResultAsync<"closed" | "absent" | "paid", WalletFailure>;
  /** Refunds money. Repeated calls with the same `refundNo` refund once. */
  refund(
    account: WalletAccount,
    request: WalletRefundRequest,
    limits: CallLimits,
  ): ResultAsync<WalletRefund, WalletFailure>;
  /**
   * Returns what `refund` would send for the account, without sending it. No network access.
   *
   * Absent if the adapter cannot show its requests.
   */
  describeRefund?(account: WalletAccount, request: WalletRefundRequest): WalletRequestText;
  /**
   * Returns the wallet's statement about the refund.
   *
   * Returns `undefined` if the wallet signed that it has no refund with this number. Without a
   * signature, this answer is `wallet.rejected` with the reason `absent`.
   */
  queryRefund(
    account: WalletAccount,
    request: WalletRefundRequest,
    limits: CallLimits,
  ): ResultAsync<WalletRefund | undefined, WalletFailure>;
  /**
   * Pays an ABNORMAL refund out to another account. The wallet refuses a refund in any other state.
   *
   * An adapter whose wallet has no such call returns a `trusted` refusal, and `detail` describes
   * the alternative. Neither the card number nor the name may appear in a result or failure.
   *
   * @param request - the refund, with `walletRefundNo`, the wallet's own number of it.
   */
  applyAbnormalRefund(
    account: WalletAccount,
    request: WalletRefundRequest & { readonly walletRefundNo: string },
    payout: RefundPayout,
    limits: CallLimits,
  ): ResultAsync<WalletRefund, WalletFailure>;
  /**
   * Reads the account's trade bill of a day and passes its lines to `take` in batches.
   *
   * The lines come as in the wallet's file. They count only if the call succeeds: only then is the
   * bill complete and unaltered. An unreadable line is passed on as such. A bill with unreadable
   * lines is complete if its own line count still matches. A day without payments has an empty
   * bill. If the wallet has not created the bill yet, the call fails with `wallet.rejected` and the
   * reason `not-ready`. If the wallet states that it has no bill, but not that the day had no
   * payments, the reason is `no-bill`.
   *
   * @param day - `YYYY-MM-DD`, a day in China.
   */
  readBill<E>(
    account: WalletAccount,
    day: string,
    take: (entries: readonly BillEntry[]) => ResultAsync<void, E>,
    limits: CallLimits,
  ): ResultAsync<BillTotals, WalletFailure | E>;
  /**
   * Reads the fund-flow bill of a day: every change of the balance of the settlement account.
   *
   * Works like `readBill`. Fails with `wallet.rejected` if the account has no right to read this
   * bill.
   *
   * @param day - `YYYY-MM-DD`, a day in China.
   */
  readFundFlow<E>(
    account: WalletAccount,
    day: string,
    take: (entries: readonly FlowEntry[]) => ResultAsync<void, E>,
    limits: CallLimits,
  ): ResultAsync<FlowTotals, WalletFailure | E>;
  /**
   * Verifies and parses a notification.
   *
   * `skew` is the largest allowed difference, in milliseconds, between `now` and the signed time of
   * the message. Only WeChat Pay signs a time for each attempt.
   */
  readNotification(
    account: WalletAccount,
    notification: RawNotification,
    time: { readonly now: number; readonly skew: number },
  ): ResultAsync<WalletEvent, NotificationRefusal>;
  /** Reports the delivery of goods. Absent if the wallet needs no such reports. */
  readonly shipments?: WalletShipments;
  /**
   * Returns the response that ends the wallet's repetitions (`true`) or requests another (`false`).
   */
  answer(taken: boolean): NotificationAnswer;
}
