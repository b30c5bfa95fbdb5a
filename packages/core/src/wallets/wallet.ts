import type { ResultAsync } from "neverthrow";
import type { BillLine, BillTotals } from "../bills/wallet-bill.js";
import type { PaySource, Prepayment } from "../orders/order.js";
import type { PayChannel, WalletAccount } from "../pay-tools/pay-tool.js";
import type { MessageHeaders } from "../shared/message-headers.js";

/** The wallet said no. */
export interface WalletRejected {
  readonly name: "wallet.rejected";
  /**
   * `paid` and `closed` say why an order takes no payment; `conflict` that its number is in use with other parameters; `absent` that the wallet has
   * nothing of the number; `not-ready` that the wallet has not made the bill yet.
   */
  readonly reason: "paid" | "closed" | "conflict" | "absent" | "configuration" | "not-ready" | "other";
  /** Whether it is certain: the wallet signed it, or nothing was sent. Any other no tells who asked what to do, and by itself ends nothing. */
  readonly proven: boolean;
  /** The wallet's own code and words, for the operator; never a secret. */
  readonly detail: string;
}

/** Whether the wallet did it is not known: ask before anything else. */
export interface WalletUnknown {
  readonly name: "wallet.unknown";
  /** `unverified`: an answer came, but its signature did not prove it. */
  readonly cause: "timeout" | "network" | "server-error" | "busy" | "unverified";
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

/** What opens the payment, by channel and `paySource`. Source: payments spec; BEHAVIOUR, "Orders", `paySource`. */
export type PayPayload =
  | WalletAAppPayload
  | WalletBAppPayload
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

/** What a wallet says of a refund. PROCESSING is not final. */
export interface WalletRefund {
  readonly state: "PROCESSING" | "CONFIRMED" | "FAILED";
  readonly outTradeNo: string;
  readonly refundNo: string;
  readonly merchantId: string;
  /** Cents. */
  readonly amount: number;
  readonly walletRefundNo?: string;
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
   * about one order at one time is told the same.
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
   * Reads the account's bill of `day` (`YYYY-MM-DD`, a day in China) and hands its lines to `take` in portions, in the wallet's order. Nothing
   * may be concluded from the lines before the whole answer is `ok`: only then is the bill known to be complete and unaltered. A day without
   * money is an empty bill. A bill that the wallet has not made yet is `wallet.rejected` with reason "not-ready".
   */
  readBill<E>(
    account: WalletAccount,
    day: string,
    take: (lines: readonly BillLine[]) => ResultAsync<void, E>,
    limits: CallLimits,
  ): ResultAsync<BillTotals, WalletFailure | E>;
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
