import { yuanText } from "@tillkit/core";
import { type LedgerOrder, refundedAmount } from "../ledger-order.js";
import { chinaTime } from "../shared/china-time.js";
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

/** An order in WALLET_B's words: the facts of a notification. */
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
