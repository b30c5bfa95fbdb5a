import type { ResultAsync } from "neverthrow";
import type { FlowEntry, FlowTotals } from "./fund-flow.js";
import type { BillEntry, BillTotals } from "./wallet-bill.js";
import type { PaySource } from "./pay-source.js";
import type { Prepayment } from "./prepayment.js";
import type { PayChannel, WalletAccount } from "../pay-tools/pay-tool.js";
import type { MessageHeaders } from "../shared/message-headers.js";

/** The wallet said no. */
export interface WalletRejected {
  readonly name: "wallet.rejected";
  /**
   * `paid` and `closed` say why an order takes no payment; `conflict` that its number is in use with other parameters; `absent` that the wallet has
   * nothing of the number; `not-ready` that the wallet has not made the bill yet. `payer-address`: the payment needs the
   * customer's IP address, and the adapter has none that the wallet would take; nothing was sent. `funds`: the merchant's
   * balance is too small, so that the same call succeeds after a top-up.
   */
  readonly reason:
    | "paid"
    | "closed"
    | "conflict"
    | "absent"
    | "configuration"
    | "payer-address"
    | "not-ready"
    | "funds"
    | "other";
  /** Whether it is certain: the wallet signed it, or nothing was sent. Any other no tells who asked what to do, and by itself ends nothing. */
  readonly proven: boolean;
  /** The wallet's own code and words, for the operator; never a secret. */
  readonly detail: string;
  /** With `payer-address`: the name under which the host's callers send the address, such as a request header. */
  readonly parameter?: string;
}

/** Whether the wallet did it is not known: ask before anything else. */
export interface WalletUnknown {
  readonly name: "wallet.unknown";
  /**
   * `unverified`: an answer came, but its signature did not prove it. `busy`: this process or the
   * wallet has too much to do. `rate-limited`: the wallet counts the calls and refuses more of them
   * for now; wait longer before the next one.
   */
  readonly cause: "timeout" | "network" | "server-error" | "busy" | "rate-limited" | "unverified";
  readonly detail: string;
}

/** How a call to a wallet fails: with a no, or with an open end. */
export type WalletFailure = WalletRejected | WalletUnknown;

/** What a wallet is asked to take. Everything in it is frozen with the order, so that every repetition is identical. */
export interface PaymentRequest {
  /** `out_trade_no`. */
  readonly outTradeNo: string;
  /** Cents. */
  readonly amount: number;
  readonly goodsTitle: string;
  readonly paySource: PaySource;
  /** The customer's id at the wallet; present exactly if the `paySource` needs one. Never logged. */
  readonly payerId?: string;
  readonly notifyUrl: string;
  /** Where WALLET_B sends a browser afterwards; never proof of payment. */
  readonly returnUrl: string;
  /** Last instant at which the customer may pay, epoch milliseconds. */
  readonly expiresAt: number;
}

/** `data` of an order-creation answer for an app on WALLET_A. Source: payments spec, "WALLET_A payload". */
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

/** `data` of an order-creation answer for an app on WALLET_B. Source: payments spec, "WALLET_B payload". */
export interface WalletBAppPayload {
  readonly app_id: string;
  readonly method: string;
  readonly format: string;
  readonly charset: string;
  readonly sign_type: string;
  readonly sign: string;
  /** `yyyy-MM-dd HH:mm:ss` in China, whatever the zone of the machine. */
  readonly timestamp: string;
  readonly version: string;
  readonly notify_url: string;
  readonly return_url: string;
  /** JSON text, exactly as signed. */
  readonly biz_content: string;
}

/**
 * `data` of an order-creation answer for a mini-program or the in-app browser on WALLET_A.
 *
 * The members are the parameters of WeChat's `wx.requestPayment` and `getBrandWCPayRequest`.
 */
export interface WalletAJsapiPayload {
  readonly appId: string;
  /** Seconds since the epoch, as text. */
  readonly timeStamp: string;
  readonly nonceStr: string;
  /** `prepay_id=` and the number of the prepayment. */
  readonly package: string;
  readonly signType: "RSA";
  readonly paySign: string;
}

/**
 * `data` of an order-creation answer for a mini-program or the in-app browser on WALLET_B.
 *
 * The member is the parameter of Alipay's `my.tradePay` and of `tradePay` of `AlipayJSBridge`.
 */
export interface WalletBJsapiPayload {
  /** The wallet's own number of the trade. */
  readonly tradeNO: string;
}

/** What opens the payment, by channel and `paySource`. Source: payments spec; BEHAVIOUR, "Orders", `paySource`. */
export type PayPayload =
  | WalletAAppPayload
  | WalletBAppPayload
  | WalletAJsapiPayload
  | WalletBJsapiPayload
  | { readonly code_url: string }
  | { readonly qr_code: string }
  | { readonly h5_url: string }
  | { readonly pay_url: string };

/** What a wallet says of an order, verified to come from the wallet. Whether it is our order is for the domain to check. */
export interface WalletOrder {
  /** `REFUNDED`: it was paid, and money went back; at WALLET_A perhaps only a part of it. */
  readonly state: "OPEN" | "PAID" | "CLOSED" | "REFUNDED";
  readonly outTradeNo: string;
  readonly walletAppId: string;
  /** `mchid` / `seller_id`. */
  readonly merchantId: string;
  /** Cents; some wallets leave it out while nothing is paid. */
  readonly amount?: number;
  readonly currency?: string;
  readonly walletTradeNo?: string;
  /** When the money was paid, by the wallet's clock, epoch milliseconds. */
  readonly paidAt?: number;
  /**
   * SHA-256 of the facts as the wallet stated them: equal for repetitions of one message. It covers
   * nothing that the accepted signature does not cover, so that nobody can make one message look
   * like many.
   */
  readonly evidence: string;
}

/** A refund as the wallet takes it. */
export interface WalletRefundRequest {
  readonly outTradeNo: string;
  readonly refundNo: string;
  /** Cents of this refund. */
  readonly amount: number;
  /** Cents of the whole order. */
  readonly orderAmount: number;
  readonly reason: string;
  readonly notifyUrl: string;
}

/**
 * Where the money of an ABNORMAL refund goes instead. The card and the name are used for one call
 * and stored nowhere.
 */
export type RefundPayout =
  | {
      /**
       * To the bank account that the wallet settles the merchant's money to; the merchant then pays
       * the customer.
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
 * What a wallet says of a refund. PROCESSING and ABNORMAL are not final. ABNORMAL: the money left
 * the merchant's account and could not reach the customer; it waits at the wallet until the
 * merchant acts.
 */
export interface WalletRefund {
  readonly state: "PROCESSING" | "ABNORMAL" | "CONFIRMED" | "FAILED";
  readonly outTradeNo: string;
  readonly refundNo: string;
  readonly merchantId: string;
  /** Cents. */
  readonly amount: number;
  readonly walletRefundNo?: string;
  /** The wallet has the number, has not refunded it, and asks for the same call again. Only with PROCESSING. */
  readonly sendAgain?: true;
  /** Present if the money went back to the merchant and not to the customer. */
  readonly toMerchant?: true;
  readonly evidence: string;
}

/** A verified message from the wallet. */
export type WalletEvent =
  | { readonly kind: "payment"; readonly order: WalletOrder }
  | { readonly kind: "refund"; readonly refund: WalletRefund };

/** Why a message from a wallet was not believed. */
export type NotificationRefusal = {
  readonly name: "notification.refused";
  /** `probe` is the wallet testing that we refuse bad signatures: no alarm. */
  readonly reason: "malformed" | "unverified" | "stale" | "probe";
};

/** A notification as it came over HTTP. */
export interface RawNotification {
  readonly headers: MessageHeaders;
  /** The bytes as sent: signatures cover them, not a parsed form. */
  readonly body: Uint8Array;
}

/** What a wallet wants to read after its notification. */
export interface NotificationAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** A certificate or key of an account that ends. */
export interface CredentialExpiry {
  /** The name of the credential, such as `merchantCertificate`. Never a part of its text. */
  readonly name: string;
  /** When it stops working, epoch milliseconds. */
  readonly expiresAt: number;
}

/** How long a call may take, in milliseconds. After it the outcome is `wallet.unknown`, never a rejected promise. */
export interface CallLimits {
  readonly deadline: number;
}

/**
 * One of the two wallets. Proved by `walletContract` in `@tillkit/contract-tests`. Every call has three outcomes: ok, `wallet.rejected` (not done)
 * and `wallet.unknown`. What is ok is proven by the wallet's signature, a rejection says whether it is; a call ends within its deadline, and
 * repeating a call with the same numbers never moves money twice.
 */
export interface Wallet {
  readonly payChannel: PayChannel;
  /** What is wrong with the account's credentials, in words for an operator; empty when they parse, belong together, sign and verify. No network. */
  checkAccount(account: WalletAccount): Promise<readonly string[]>;
  /**
   * When the account's certificates and keys end, those that the adapter downloaded included.
   *
   * At most one entry per name: of several certificates of the wallet, the one that it uses last.
   * Empty if the credentials do not work, or if nothing in them ends. No network.
   */
  credentialExpiries(account: WalletAccount): readonly CredentialExpiry[];
  /** The prepayment of a request that needs no call to the wallet, or `undefined` when the wallet must be asked. */
  localPrepayment(account: WalletAccount, request: PaymentRequest, now: number): Prepayment | undefined;
  /** Makes the wallet take the order. The same request again is the same order at the wallet; a changed one is rejected. */
  prepare(
    account: WalletAccount,
    request: PaymentRequest,
    limits: CallLimits,
  ): ResultAsync<Prepayment, WalletFailure>;
  /**
   * What opens the payment, signed as of `at`. No network. The same arguments give an equal payload, so that everyone who asks
   * about one order at one time is told the same. Another order or another `at` gives another signature and, at WALLET_A, another nonce.
   */
  payload(
    account: WalletAccount,
    request: PaymentRequest,
    prepayment: Prepayment,
    at: number,
  ): ResultAsync<PayPayload, WalletFailure>;
  /** What the wallet knows of the order; `undefined` when it has none with this number (yet). If nothing proves that, it is rejected as `absent`. */
  query(
    account: WalletAccount,
    outTradeNo: string,
    limits: CallLimits,
  ): ResultAsync<WalletOrder | undefined, WalletFailure>;
  /**
   * Makes the order unpayable. `absent`: the wallet never had it; if nothing proves that, it is rejected as `absent`. `paid`: too late, a reason to
   * ask.
   */
  close(
    account: WalletAccount,
    outTradeNo: string,
    limits: CallLimits,
  ): ResultAsync<"closed" | "absent" | "paid", WalletFailure>;
  /** Sends money back. The same `refundNo` refunds once, however often it is asked. */
  refund(
    account: WalletAccount,
    request: WalletRefundRequest,
    limits: CallLimits,
  ): ResultAsync<WalletRefund, WalletFailure>;
  /** What the wallet knows of the refund; `undefined` when it has none with this number. If nothing proves that, it is rejected as `absent`. */
  queryRefund(
    account: WalletAccount,
    request: WalletRefundRequest,
    limits: CallLimits,
  ): ResultAsync<WalletRefund | undefined, WalletFailure>;
  /**
   * Sends the money of an ABNORMAL refund elsewhere. The wallet refuses it for a refund in any
   * other state. `walletRefundNo` is the wallet's own number of the refund. A wallet that has no
   * such call rejects it, proven, with a `detail` that says what to do instead. Neither the card
   * nor the name may appear in an answer or a failure.
   */
  applyAbnormalRefund(
    account: WalletAccount,
    request: WalletRefundRequest & { readonly walletRefundNo: string },
    payout: RefundPayout,
    limits: CallLimits,
  ): ResultAsync<WalletRefund, WalletFailure>;
  /**
   * Reads the account's trade bill of `day` (`YYYY-MM-DD`, a day in China) and hands its lines to `take` in portions, in the wallet's order. Nothing may be concluded
   * from the lines before the whole answer is `ok`: only then is the bill known to be complete and unaltered. A line that cannot be read is handed over as
   * such; the bill is complete if its own count of lines still fits. A day without money is an empty bill. A bill that the wallet has not made yet is
   * `wallet.rejected` with reason "not-ready".
   */
  readBill<E>(
    account: WalletAccount,
    day: string,
    take: (entries: readonly BillEntry[]) => ResultAsync<void, E>,
    limits: CallLimits,
  ): ResultAsync<BillTotals, WalletFailure | E>;
  /**
   * Reads the fund-flow bill of `day`: every change of the balance of the account that the wallet settles with. It works like `readBill`. A merchant whose account
   * may not read it gets `wallet.rejected`.
   */
  readFundFlow<E>(
    account: WalletAccount,
    day: string,
    take: (entries: readonly FlowEntry[]) => ResultAsync<void, E>,
    limits: CallLimits,
  ): ResultAsync<FlowTotals, WalletFailure | E>;
  /** Verifies and reads a notification. `skew` is how far the signed time of a message may be from `now`, in milliseconds, at a
   * wallet that signs one for every attempt (WALLET_A). */
  readNotification(
    account: WalletAccount,
    notification: RawNotification,
    time: { readonly now: number; readonly skew: number },
  ): ResultAsync<WalletEvent, NotificationRefusal>;
  /** The answer that makes the wallet stop (`true`) or try again later (`false`). */
  answer(taken: boolean): NotificationAnswer;
}
