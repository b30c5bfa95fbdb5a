import { centsOfYuan, type WalletOrder, type WalletRefund, yuanText } from "@tillkit/core";
import { z } from "zod";
import { type LedgerOrder, type LedgerRefund, refundedAmount } from "../ledger-order.js";
import { chinaTime, instantOfChinaTime } from "../shared/china-time.js";
import { sha256 } from "../shared/sha256.js";
import type { Parameters } from "./sign.js";

const TRADE_STATUSES = {
  NOTPAY: "WAIT_BUYER_PAY",
  PAID: "TRADE_SUCCESS",
  CLOSED: "TRADE_CLOSED",
  REFUNDED: "TRADE_CLOSED",
} as const;

/** What WALLET_B calls the state of a trade: closed unpaid and wholly refunded have one word. */
export function tradeStatus({ state }: LedgerOrder): string {
  return TRADE_STATUSES[state];
}

/** An order in WALLET_B's words: the facts of a notification, and of the answer to a query. */
export function tradeFacts(order: LedgerOrder): Parameters {
  const { terms, state, walletTradeNo, paidAt, refunds } = order;
  const total = yuanText(terms.amount);
  const last = refunds.at(-1);
  return {
    app_id: terms.walletAppId,
    seller_id: terms.merchantId,
    out_trade_no: terms.outTradeNo,
    trade_no: walletTradeNo,
    trade_status: tradeStatus(order),
    subject: terms.goodsTitle,
    total_amount: total,
    ...terms.echoed,
    ...(paidAt === null
      ? {}
      : { receipt_amount: total, buyer_pay_amount: total, gmt_payment: chinaTime(paidAt) }),
    ...(last === undefined
      ? {}
      : {
          out_biz_no: last.refundNo,
          refund_fee: yuanText(refundedAmount(order)),
          gmt_refund: chinaTime(last.at),
        }),
    ...(state === "CLOSED" ? { gmt_close: chinaTime(order.closedAt ?? terms.expiresAt) } : {}),
  };
}

const trade = z.object({
  app_id: z.string(),
  seller_id: z.string(),
  out_trade_no: z.string(),
  trade_no: z.string().optional(),
  trade_status: z.enum(["WAIT_BUYER_PAY", "TRADE_SUCCESS", "TRADE_FINISHED", "TRADE_CLOSED"]),
  total_amount: z.string(),
  gmt_payment: z.string().optional(),
  refund_fee: z.string().optional(),
  gmt_refund: z.string().optional(),
});

/** What differs between repetitions of one message. */
const PER_ATTEMPT = new Set(["notify_time", "sign", "sign_type"]);

/** Reads an order in WALLET_B's words; `undefined` when they are none. A partial refund leaves it PAID. */
export function readTrade(parameters: Parameters): WalletOrder | undefined {
  const parsed = trade.safeParse(parameters);
  if (!parsed.success) return undefined;
  const stated = parsed.data;
  const amount = centsOfYuan(stated.total_amount);
  if (amount === undefined) return undefined;
  const paidAt = instantOfChinaTime(stated.gmt_payment ?? "");
  const facts = Object.entries(parameters).filter(([name]) => !PER_ATTEMPT.has(name));
  return {
    state: stateOf(stated),
    outTradeNo: stated.out_trade_no,
    walletAppId: stated.app_id,
    merchantId: stated.seller_id,
    amount,
    // WALLET_B states no currency: its amounts are yuan.
    currency: "CNY",
    ...(stated.trade_no === undefined ? {} : { walletTradeNo: stated.trade_no }),
    ...(paidAt === undefined ? {} : { paidAt }),
    evidence: sha256(JSON.stringify(facts.sort())),
  };
}

function stateOf({ trade_status, refund_fee, gmt_refund }: z.infer<typeof trade>): WalletOrder["state"] {
  if (trade_status === "WAIT_BUYER_PAY") return "OPEN";
  if (trade_status !== "TRADE_CLOSED") return "PAID";
  // One word for two ends: closed unpaid, and wholly refunded.
  const refunded = (centsOfYuan(refund_fee ?? "") ?? 0) > 0 || gmt_refund !== undefined;
  return refunded ? "REFUNDED" : "CLOSED";
}

/** What WALLET_B says of a refund when it is asked. */
export function refundFact({ terms }: LedgerOrder, refund: LedgerRefund): WalletRefund {
  const { refundNo, amount, walletRefundNo } = refund;
  const { outTradeNo, merchantId } = terms;
  const fact = { state: "CONFIRMED", outTradeNo, refundNo, merchantId, amount, walletRefundNo } as const;
  return { ...fact, evidence: sha256(JSON.stringify(fact)) };
}
