import { z } from "zod";

const playedSource = z.enum(["APP", "H5", "NATIVE"]);
/** A `paySource` that the sandbox plays. */
export type PlayedSource = z.infer<typeof playedSource>;

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
    paySource: playedSource,
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
    /** Epoch milliseconds. */
    at: z.int(),
  })
  .readonly();
/** Money that a wallet sent back. */
export type LedgerRefund = z.infer<typeof refund>;

/** An order as a wallet keeps it. */
export const ledgerOrder = z
  .object({
    terms,
    state: z.enum(["NOTPAY", "PAID", "CLOSED", "REFUNDED"]),
    /** Whether the customer has opened the payment: only from then on WALLET_B has a trade. */
    opened: z.boolean(),
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

/** The cents that went back to the customer. */
export function refundedAmount({ refunds }: LedgerOrder): number {
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
