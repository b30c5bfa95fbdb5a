import { z } from "zod";
import { TRADE_WAYS } from "./trade-way.js";

/** How a refund ends. The money of an ABNORMAL one waits at the wallet; that of a CLOSED one is the merchant's again. */
export const REFUND_OUTCOMES = ["SUCCESS", "ABNORMAL", "CLOSED"] as const;
/** The end of a refund. */
export type RefundOutcome = (typeof REFUND_OUTCOMES)[number];

/** Alipay's words for what the customer's bank does with a refund: in progress, succeeded, failed. */
export const DEPOSIT_BACKS = ["P", "S", "F"] as const;

const terms = z
  .object({
    /** `mchid` / `seller_id`. */
    merchantId: z.string(),
    /** `appid` / `app_id`. */
    walletAppId: z.string(),
    outTradeNo: z.string(),
    /** Cents. */
    amount: z.int(),
    goodsTitle: z.string(),
    paySource: z.enum(TRADE_WAYS),
    /** The wallet's id of the customer if the merchant named one; otherwise empty. */
    payerId: z.string().default(""),
    notifyUrl: z.string(),
    /** Last instant at which the customer may pay, epoch milliseconds. */
    expiresAt: z.int(),
    /** Everything that may not change in a repetition, as one text. */
    frozen: z.string(),
    /** What comes back in answers and notifications as it was sent, by the wallet's own names. */
    echoed: z.record(z.string(), z.string()).readonly(),
  })
  .readonly();
/** What a wallet freezes when it takes an order: the request, and whose it is. */
export type Terms = z.infer<typeof terms>;

const prepayment = z
  .object({
    token: z.string(),
    issuedAt: z.int(),
    validUntil: z.int(),
    /** Whether the answer with it arrived, as far as the wallet knows. */
    heard: z.boolean(),
  })
  .readonly();
/** What a wallet handed out for opening a payment. Times are epoch milliseconds. */
export type LedgerPrepayment = z.infer<typeof prepayment>;

const refund = z
  .object({
    refundNo: z.string(),
    /** Cents. */
    amount: z.int(),
    walletRefundNo: z.string(),
    /** Where the wallet reports. */
    notifyUrl: z.string(),
    /** When the wallet accepted it, epoch milliseconds. */
    at: z.int(),
    /** How it ends. */
    outcome: z.enum(REFUND_OUTCOMES).default("SUCCESS"),
    /** When it ends, epoch milliseconds; `null` while nothing but a control call ends it. */
    settlesAt: z.int().nullable().default(0),
    /** Alipay: how far the customer's bank is with the money: in progress, done or failed; `null` if no bank takes part. */
    depositBack: z.enum(DEPOSIT_BACKS).nullable().default(null),
  })
  .readonly();
/** Money that a wallet sends back. */
export type LedgerRefund = z.infer<typeof refund>;

/** A refund as of a moment. */
export type RefundState = RefundOutcome | "PROCESSING";

/** An order as a wallet keeps it. */
export const ledgerOrder = z
  .object({
    terms,
    state: z.enum(["NOTPAY", "PAID", "CLOSED", "REFUNDED"]),
    /** Whether the customer has opened the payment: only from then on WALLET_B has a trade. */
    opened: z.boolean(),
    /** When the customer opened it first, epoch milliseconds; `null` if that was not noted. */
    openedAt: z.int().nullable().default(null),
    prepayments: z.array(prepayment).readonly(),
    walletTradeNo: z.string(),
    /** Epoch milliseconds; `null` while nothing is paid. */
    paidAt: z.int().nullable(),
    /** When it was closed by a call, epoch milliseconds; `null` while it was not. */
    closedAt: z.int().nullable(),
    refunds: z.array(refund).readonly(),
  })
  .readonly();
/** A wallet's record of one order, with its terms, prepayments and refunds. */
export type LedgerOrder = z.infer<typeof ledgerOrder>;

/** The state of a refund at `now` (epoch milliseconds). */
export function refundState({ outcome, settlesAt }: LedgerRefund, now: number): RefundState {
  return settlesAt === null || now < settlesAt ? "PROCESSING" : outcome;
}

/** When a refund was done, epoch milliseconds. A record of an earlier version has no time of its end. */
export function doneAt({ at, settlesAt }: LedgerRefund): number {
  return Math.max(at, settlesAt ?? at);
}

/** The cents that left the merchant for the customer: those of every refund that is not CLOSED at `now`. */
export function withheldAmount({ refunds }: LedgerOrder, now: number): number {
  return sumOf(refunds.filter((refund) => refundState(refund, now) !== "CLOSED"));
}

/** The cents that reached the customer by `now`. */
export function refundedAmount({ refunds }: LedgerOrder, now: number): number {
  return sumOf(refunds.filter((refund) => refundState(refund, now) === "SUCCESS"));
}

function sumOf(refunds: readonly LedgerRefund[]): number {
  return refunds.reduce((sum, { amount }) => sum + amount, 0);
}

/** Whether two requests are the same in everything the wallet freezes. */
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
