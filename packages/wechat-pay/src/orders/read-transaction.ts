import type { WalletOrder } from "@tillkit/core";
import * as z from "zod";
import { evidenceOf } from "../evidence.js";
import { readJson } from "../read-json.js";
import { instantOf } from "../times.js";

const transaction = z.object({
  mchid: z.string(),
  appid: z.string(),
  out_trade_no: z.string(),
  trade_state: z.string(),
  transaction_id: z.string().optional(),
  success_time: z.string().optional(),
  // `total` is what was ordered; `payer_total` is less when the customer has a coupon, and no business of ours. A merchant in China can take
  // nothing but CNY, and WeChat Pay may leave the currency out.
  amount: z.object({ total: z.int().nonnegative(), currency: z.string().default("CNY") }).optional(),
});

/** Reads an order in WeChat Pay's words, from a query or a notification; `undefined` when it is none. */
export function readTransaction(text: string | Uint8Array): WalletOrder | undefined {
  const stated = readJson(transaction, text);
  if (stated === undefined) return undefined;
  const { mchid, appid, out_trade_no: outTradeNo, trade_state: tradeState } = stated;
  const { transaction_id: walletTradeNo, success_time: successTime, amount } = stated;
  const paidAt = successTime === undefined ? undefined : instantOf(successTime);
  return {
    state: stateOf(tradeState),
    outTradeNo,
    walletAppId: appid,
    merchantId: mchid,
    ...(amount === undefined ? {} : { amount: amount.total, currency: amount.currency }),
    ...(walletTradeNo === undefined ? {} : { walletTradeNo }),
    ...(paidAt === undefined ? {} : { paidAt }),
    evidence: evidenceOf([
      mchid,
      appid,
      outTradeNo,
      tradeState,
      walletTradeNo,
      successTime,
      amount?.total,
      amount?.currency,
    ]),
  };
}

// Whatever else it says is not final: USERPAYING, PAYERROR, or a word to come.
function stateOf(tradeState: string): WalletOrder["state"] {
  if (tradeState === "SUCCESS") return "PAID";
  if (tradeState === "REFUND") return "REFUNDED";
  return tradeState === "CLOSED" || tradeState === "REVOKED" ? "CLOSED" : "OPEN";
}
