import { type PaymentRequest, PAY_SOURCES } from "@tillkit/core";
import { z } from "zod";

/** What a wallet freezes when it takes an order: the request, and whose it is. */
export interface Terms extends PaymentRequest {
  /** `mchid` / `seller_id`. */
  readonly merchantId: string;
  /** `appid` / `app_id`. */
  readonly walletAppId: string;
}

const terms: z.ZodType<Terms> = z.object({
  outTradeNo: z.string(),
  amount: z.int(),
  goodsTitle: z.string(),
  paySource: z.enum(PAY_SOURCES),
  notifyUrl: z.string(),
  returnUrl: z.string(),
  expiresAt: z.int(),
  merchantId: z.string(),
  walletAppId: z.string(),
});

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
    refunds: z.array(refund).readonly(),
  })
  .readonly();
/** A wallet's record of one order, with its terms, prepayments and refunds. */
export type LedgerOrder = z.infer<typeof ledgerOrder>;

/** The cents that went back to the customer. */
export function refundedAmount({ refunds }: LedgerOrder): number {
  return refunds.reduce((sum, { amount }) => sum + amount, 0);
}

/** Whether two requests are the same down to the last member. */
export function sameTerms(left: Terms, right: Terms): boolean {
  return TERMS.every((name) => left[name] === right[name]);
}

const TERMS = [
  "outTradeNo",
  "amount",
  "goodsTitle",
  "paySource",
  "notifyUrl",
  "returnUrl",
  "expiresAt",
  "merchantId",
  "walletAppId",
] as const satisfies readonly (keyof Terms)[];
