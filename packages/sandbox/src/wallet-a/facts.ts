import type { WalletOrder, WalletRefund } from "@tillkit/core";
import { z } from "zod";
import type { LedgerOrder, LedgerRefund } from "../ledger-order.js";
import { instantOfRfc3339, rfc3339 } from "../shared/china-time.js";
import { readJson } from "../shared/json.js";
import { sha256 } from "../shared/sha256.js";

const TRADE_STATES = {
  NOTPAY: { state: "NOTPAY", desc: "订单未支付" },
  PAID: { state: "SUCCESS", desc: "支付成功" },
  CLOSED: { state: "CLOSED", desc: "订单已关闭" },
  REFUNDED: { state: "REFUND", desc: "转入退款" },
} as const;
const TRADE_TYPES = { APP: "APP", NATIVE: "NATIVE", H5: "MWEB" } as const;

/** An order in WALLET_A's words: the same in the answer to a query and inside a notification. Refunded in part is REFUND already. */
export function transactionText({ terms, state, walletTradeNo, paidAt, refunds }: LedgerOrder): string {
  const { merchantId, walletAppId, outTradeNo, amount, paySource, echoed } = terms;
  const said = TRADE_STATES[refunds.length > 0 ? "REFUNDED" : state];
  const payment =
    paidAt === null
      ? {}
      : {
          transaction_id: walletTradeNo,
          bank_type: "OTHERS",
          success_time: rfc3339(paidAt),
          payer: { openid: `o${sha256(walletTradeNo).slice(0, 27)}` },
        };
  return JSON.stringify({
    mchid: merchantId,
    appid: walletAppId,
    out_trade_no: outTradeNo,
    trade_type: TRADE_TYPES[paySource],
    trade_state: said.state,
    trade_state_desc: said.desc,
    ...echoed,
    ...payment,
    amount: {
      total: amount,
      currency: "CNY",
      ...(paidAt === null ? {} : { payer_total: amount, payer_currency: "CNY" }),
    },
  });
}

const transaction = z.object({
  mchid: z.string(),
  appid: z.string(),
  out_trade_no: z.string(),
  trade_state: z.string(),
  transaction_id: z.string().optional(),
  success_time: z.string().optional(),
  amount: z.object({ total: z.int(), currency: z.string().default("CNY") }).optional(),
});

/** Reads an order in WALLET_A's words; `undefined` when the text is none. */
export function readTransaction(text: string): WalletOrder | undefined {
  const stated = readJson(transaction, text);
  if (stated === undefined) return undefined;
  const paidAt = stated.success_time === undefined ? undefined : instantOfRfc3339(stated.success_time);
  return {
    state: stateOf(stated.trade_state),
    outTradeNo: stated.out_trade_no,
    walletAppId: stated.appid,
    merchantId: stated.mchid,
    ...(stated.amount === undefined ? {} : { amount: stated.amount.total, currency: stated.amount.currency }),
    ...(stated.transaction_id === undefined ? {} : { walletTradeNo: stated.transaction_id }),
    ...(paidAt === undefined ? {} : { paidAt }),
    evidence: sha256(text),
  };
}

function stateOf(tradeState: string): WalletOrder["state"] {
  if (tradeState === "SUCCESS") return "PAID";
  if (tradeState === "REFUND") return "REFUNDED";
  return tradeState === "CLOSED" || tradeState === "REVOKED" ? "CLOSED" : "OPEN";
}

/** A refund in WALLET_A's words. */
export function refundText({ terms, walletTradeNo }: LedgerOrder, refund: LedgerRefund): string {
  return JSON.stringify({
    mchid: terms.merchantId,
    out_trade_no: terms.outTradeNo,
    transaction_id: walletTradeNo,
    out_refund_no: refund.refundNo,
    refund_id: refund.walletRefundNo,
    refund_status: "SUCCESS",
    success_time: rfc3339(refund.at),
    user_received_account: "sandbox",
    amount: {
      total: terms.amount,
      refund: refund.amount,
      payer_total: terms.amount,
      payer_refund: refund.amount,
    },
  });
}

/** A refund as WALLET_A answers for it: `status` here is `refund_status` in a notification. */
export function refundStatusText(
  { terms, walletTradeNo }: LedgerOrder,
  refund: LedgerRefund,
  settled: boolean,
): string {
  const { amount } = terms;
  return JSON.stringify({
    refund_id: refund.walletRefundNo,
    out_refund_no: refund.refundNo,
    transaction_id: walletTradeNo,
    out_trade_no: terms.outTradeNo,
    channel: "ORIGINAL",
    user_received_account: "sandbox",
    ...(settled ? { success_time: rfc3339(refund.at) } : {}),
    create_time: rfc3339(refund.at),
    status: settled ? "SUCCESS" : "PROCESSING",
    funds_account: "AVAILABLE",
    amount: {
      total: amount,
      refund: refund.amount,
      payer_total: amount,
      payer_refund: refund.amount,
      settlement_refund: refund.amount,
      settlement_total: amount,
      discount_refund: 0,
      currency: "CNY",
    },
  });
}

const refundResource = z.object({
  mchid: z.string(),
  out_trade_no: z.string(),
  out_refund_no: z.string(),
  refund_id: z.string(),
  refund_status: z.string(),
  amount: z.object({ refund: z.int() }),
});

/** Reads a refund in WALLET_A's words; `undefined` when the text is none. */
export function readRefund(text: string): WalletRefund | undefined {
  const stated = readJson(refundResource, text);
  if (stated === undefined) return undefined;
  const { refund_status: status } = stated;
  return {
    // ABNORMAL needs a person at the wallet and is not the end.
    state: status === "SUCCESS" ? "CONFIRMED" : status === "CLOSED" ? "FAILED" : "PROCESSING",
    outTradeNo: stated.out_trade_no,
    refundNo: stated.out_refund_no,
    merchantId: stated.mchid,
    amount: stated.amount.refund,
    walletRefundNo: stated.refund_id,
    evidence: sha256(text),
  };
}
