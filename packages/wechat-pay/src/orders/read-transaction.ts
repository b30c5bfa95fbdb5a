import type { WalletOrder } from "@tillkit/core";
import { readJson } from "@tillkit/wallet-kit";
import * as z from "zod";
import { evidenceDigest } from "../evidence-digest.js";
import { instantOf } from "../times.js";

const transaction = z.object({
  mchid: z.string(),
  appid: z.string(),
  out_trade_no: z.string(),
  trade_state: z.string(),
  transaction_id: z.string().optional(),
  success_time: z.string().optional(),
  // `total` is the amount of the order. `payer_total` is less if the customer used a coupon, and
  // Tillkit ignores it. Merchants in China can only receive CNY, and WeChat Pay may omit the
  // currency.
  amount: z.object({ total: z.int().nonnegative(), currency: z.string().default("CNY") }).optional(),
});

/**
 * Reads an order from a query response or a notification.
 *
 * @returns `undefined` if the text is not an order.
 */
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
    evidence: evidenceDigest([
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

// All other states are not final: USERPAYING, PAYERROR, or a state that WeChat Pay adds later.
function stateOf(tradeState: string): WalletOrder["state"] {
  if (tradeState === "SUCCESS") return "PAID";
  if (tradeState === "REFUND") return "REFUNDED";
  return tradeState === "CLOSED" || tradeState === "REVOKED" ? "CLOSED" : "OPEN";
}
