import * as z from "zod";
import { PAYMENT_METHODS } from "./payment-method.js";

/**
 * The outcomes of a refund.
 *
 * The wallet keeps the money of an ABNORMAL refund. The merchant gets back the money of a CLOSED
 * refund.
 */
export const REFUND_OUTCOMES = ["SUCCESS", "ABNORMAL", "CLOSED"] as const;
/** The outcome of a refund. */
export type RefundOutcome = (typeof REFUND_OUTCOMES)[number];

/** Alipay's states of a refund at the customer's bank: in progress, succeeded, failed. */
export const DEPOSIT_BACKS = ["P", "S", "F"] as const;

/** WeChat Pay's states of an unpaid order whose customer tries to pay: in progress, or failed. */
export const PAY_ATTEMPTS = ["USERPAYING", "PAYERROR"] as const;
/** The state of an attempt to pay. */
export type PayAttempt = (typeof PAY_ATTEMPTS)[number];

const terms = z
  .object({
    /** `mchid` / `seller_id`. */
    merchantId: z.string(),
    /** `appid` / `app_id`. */
    walletAppId: z.string(),
    /** The service provider through which the merchant works, with its own app. */
    provider: z.object({ id: z.string(), appId: z.string() }).readonly().exactOptional(),
    outTradeNo: z.string(),
    /** Cents. */
    amount: z.int(),
    goodsTitle: z.string(),
    paySource: z.enum(PAYMENT_METHODS),
    /** The wallet's id of the customer if the merchant named one; otherwise empty. */
    payerId: z.string(),
    notifyUrl: z.string(),
    /** The last instant at which the customer may pay, in epoch milliseconds. */
    expiresAt: z.int(),
    /** Everything that must be equal in a repeated request, as one text. */
    frozen: z.string(),
    /** Values that responses and notifications return unchanged, by the wallet's names. */
    echoed: z.record(z.string(), z.string()).readonly(),
  })
  .readonly();
/** What a wallet stores when it accepts an order: the parameters and their merchant. */
export type Terms = z.infer<typeof terms>;

const prepayment = z
  .object({
    token: z.string(),
    issuedAt: z.int(),
    validUntil: z.int(),
    /** Whether the response with this prepayment arrived, as far as the wallet knows. */
    heard: z.boolean(),
  })
  .readonly();
/** A prepayment that a wallet handed out. Times are epoch milliseconds. */
export type LedgerPrepayment = z.infer<typeof prepayment>;

const refund = z
  .object({
    refundNo: z.string(),
    /** Cents. */
    amount: z.int(),
    walletRefundNo: z.string(),
    /** The URL that receives the notification. */
    notifyUrl: z.string(),
    /** When the wallet accepted the refund, in epoch milliseconds. */
    at: z.int(),
    /** The outcome that the refund gets at `settlesAt`. */
    outcome: z.enum(REFUND_OUTCOMES),
    /** When the refund ends, in epoch milliseconds; `null` if only a control call ends it. */
    settlesAt: z.int().nullable(),
    /** The state at the customer's bank at Alipay; `null` if no bank takes part. */
    depositBack: z.enum(DEPOSIT_BACKS).nullable(),
  })
  .readonly();
/** A refund as a wallet stores it. */
export type LedgerRefund = z.infer<typeof refund>;

/** The state of a refund at a given time. */
export type RefundState = RefundOutcome | "PROCESSING";

/** The schema of an order as a wallet stores it. */
export const ledgerOrder = z
  .object({
    terms,
    state: z.enum(["NOTPAY", "PAID", "CLOSED", "REFUNDED"]),
    /**
     * Whether the customer has opened the payment. Before that the trade does not exist at Alipay.
     */
    opened: z.boolean(),
    /** When the customer first opened the payment, in epoch milliseconds; `null` before. */
    openedAt: z.int().nullable(),
    prepayments: z.array(prepayment).readonly(),
    walletTradeNo: z.string(),
    /** Epoch milliseconds; `null` if the order is not paid. */
    paidAt: z.int().nullable(),
    /** Cents of the payment that a coupon or red packet of the wallet covered. */
    coupon: z.int(),
    /** The currency that the customer paid in. The order is in CNY. */
    payerCurrency: z.string(),
    /** The last attempt to pay at WeChat Pay; `null` if there is none, or after the payment. */
    attempt: z.enum(PAY_ATTEMPTS).nullable(),
    /** When Alipay ended the time for refunds, in epoch milliseconds; `null` if it has not. */
    finishedAt: z.int().nullable(),
    /** When a call closed the order, in epoch milliseconds; `null` if none did. */
    closedAt: z.int().nullable(),
    refunds: z.array(refund).readonly(),
  })
  .readonly();
/** A wallet's record of one order, with its terms, prepayments and refunds. */
export type LedgerOrder = z.infer<typeof ledgerOrder>;

/** Returns the state of a refund at `now` (epoch milliseconds). */
export function refundState({ outcome, settlesAt }: LedgerRefund, now: number): RefundState {
  return settlesAt === null || now < settlesAt ? "PROCESSING" : outcome;
}

/** Returns when a refund ends, or when it was accepted if it has no end. Epoch milliseconds. */
export function doneAt({ at, settlesAt }: LedgerRefund): number {
  return settlesAt ?? at;
}

/**
 * Returns the cents of a refund that go back to the coupon of the payment.
 *
 * Each refund returns its share. The shares of all refunds add up to the coupon.
 */
export function couponShare(order: LedgerOrder, refund: Pick<LedgerRefund, "refundNo">): number {
  const { amount } = order.terms;
  let [before, sentBack] = [0, 0];
  for (const one of order.refunds) {
    sentBack += one.amount;
    const returned = Math.round((order.coupon * sentBack) / amount);
    if (one.refundNo === refund.refundNo) return returned - before;
    before = returned;
  }
  return 0;
}

/** Returns the cents of every refund that is not CLOSED at `now` (epoch milliseconds). */
export function withheldAmount({ refunds }: LedgerOrder, now: number): number {
  return sumOf(refunds.filter((refund) => refundState(refund, now) !== "CLOSED"));
}

/** Returns the cents that customers received by `now` (epoch milliseconds). */
export function refundedAmount({ refunds }: LedgerOrder, now: number): number {
  return sumOf(refunds.filter((refund) => refundState(refund, now) === "SUCCESS"));
}

function sumOf(refunds: readonly LedgerRefund[]): number {
  return refunds.reduce((sum, { amount }) => sum + amount, 0);
}

/** Returns whether two requests are equal in everything that the wallet compares. */
export function sameTerms(left: Terms, right: Terms): boolean {
  return TERMS.every((name) => left[name] === right[name]);
}

const TERMS = [
  "merchantId",
  "walletAppId",
  "outTradeNo",
  "paySource",
  "frozen",
] as const satisfies readonly (keyof Terms)[];
