import type { WalletOrder } from "@tillkit/core/ports";
import { readJson } from "@tillkit/wallet-kit";
import * as z from "zod";
import { evidenceDigest } from "../evidence-digest.js";
import { instantOf } from "../times.js";

const facts = z.object({
  out_trade_no: z.string(),
  trade_state: z.string(),
  transaction_id: z.string().optional(),
  success_time: z.string().optional(),
  // `total` is the amount of the order. `payer_total` is less if the customer used a coupon, and
  // Tillkit ignores it. Merchants in China can only receive CNY, and WeChat Pay may omit the
  // currency.
  amount: z.object({ total: z.int().nonnegative(), currency: z.string().default("CNY") }).optional(),
});
const transaction = z.union([
  facts.extend({ mchid: z.string(), appid: z.string() }),
  facts.extend({
    sp_mchid: z.string(),
    sp_appid: z.string(),
    sub_mchid: z.string(),
    sub_appid: z.string().optional(),
  }),
]);

/**
 * Reads an order from a query response or a notification.
 *
 * @returns `undefined` if the text is not an order.
 */
export function readTransaction(text: string | Uint8Array): WalletOrder | undefined {
  const stated = readJson(transaction, text);
  if (stated === undefined) return undefined;
  const { out_trade_no: outTradeNo, trade_state: tradeState } = stated;
  const owner = ownerOf(stated);
  const { transaction_id: walletTradeNo, success_time: successTime, amount } = stated;
  const paidAt = successTime === undefined ? undefined : instantOf(successTime);
  return {
    state: stateOf(tradeState),
    outTradeNo,
    ...owner,
    ...(amount === undefined ? {} : { amount: amount.total, currency: amount.currency }),
    ...(walletTradeNo === undefined ? {} : { walletTradeNo }),
    ...(paidAt === undefined ? {} : { paidAt }),
    evidence: evidenceDigest([
      owner.merchantId,
      owner.walletAppId,
      outTradeNo,
      tradeState,
      walletTradeNo,
      successTime,
      amount?.total,
      amount?.currency,
      ...(owner.providerId === undefined ? [] : [owner.providerId]),
    ]),
  };
}

/** Returns the merchant, the app in which the customer paid, and the service provider if any. */
function ownerOf(
  stated: z.infer<typeof transaction>,
): Pick<WalletOrder, "merchantId" | "walletAppId" | "providerId"> {
  if ("mchid" in stated) return { merchantId: stated.mchid, walletAppId: stated.appid };
  const { sp_mchid, sp_appid, sub_mchid, sub_appid } = stated;
  // WeChat Pay writes an empty text if the order names no app of the merchant.
  const walletAppId = sub_appid === undefined || sub_appid === "" ? sp_appid : sub_appid;
  return { merchantId: sub_mchid, walletAppId, providerId: sp_mchid };
}

// WeChat Pay states REFUND after a partial refund, too, so it only proves that the order was paid.
// The order becomes REFUND if `isRefundedInFull` returns true. All other states are not final:
// USERPAYING, PAYERROR, or a state that WeChat Pay adds later.
function stateOf(tradeState: string): WalletOrder["state"] {
  if (tradeState === "SUCCESS") return "PAID";
  if (tradeState === "REFUND") return "REFUNDED";
  return tradeState === "CLOSED" || tradeState === "REVOKED" ? "CLOSED" : "OPEN";
}
