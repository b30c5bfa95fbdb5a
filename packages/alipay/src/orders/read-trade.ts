import { createHash } from "node:crypto";
import { centsOfYuan, type WalletOrder } from "@tillkit/core";
import * as z from "zod";
import { instantOfBeijingTime } from "../times.js";

const trade = z.object({
  app_id: z.string().min(1),
  seller_id: z.string().min(1),
  out_trade_no: z.string().min(1),
  trade_no: z.string().optional(),
  trade_status: z.enum(["WAIT_BUYER_PAY", "TRADE_SUCCESS", "TRADE_FINISHED", "TRADE_CLOSED"]),
  total_amount: z.string(),
  /** When it was paid: the first in notifications, the second in answers. */
  gmt_payment: z.string().optional(),
  send_pay_date: z.string().optional(),
  refund_fee: z.string().optional(),
  gmt_refund: z.string().optional(),
});

/** The names of the members from which an order is read. */
export const TRADE_FACTS: ReadonlySet<string> = new Set(Object.keys(trade.shape));

/** Reads an order in the wallet's words, of which `proof` is the evidence; `undefined` when they are none. A partial refund leaves it PAID. */
export function readTrade(facts: Readonly<Record<string, unknown>>, proof = facts): WalletOrder | undefined {
  const parsed = trade.safeParse(facts);
  if (!parsed.success) return undefined;
  const stated = parsed.data;
  const amount = centsOfYuan(stated.total_amount);
  if (amount === undefined) return undefined;
  const paidAt = instantOfBeijingTime(stated.gmt_payment ?? stated.send_pay_date ?? "");
  return {
    state: stateOf(stated),
    outTradeNo: stated.out_trade_no,
    walletAppId: stated.app_id,
    merchantId: stated.seller_id,
    amount,
    // The wallet states no currency: its amounts are yuan.
    currency: "CNY",
    ...(stated.trade_no === undefined || stated.trade_no === "" ? {} : { walletTradeNo: stated.trade_no }),
    ...(paidAt === undefined ? {} : { paidAt }),
    evidence: evidenceOf(proof),
  };
}

/** SHA-256 of facts, whatever the order they are stated in. */
export function evidenceOf(facts: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(facts).sort(([left], [right]) => (left < right ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
}

/**
 * TRADE_CLOSED is one word for two ends: never paid, and wholly refunded. Only a trade that was paid has a time of payment, and only one that
 * was refunded has a refund.
 */
function stateOf(stated: z.infer<typeof trade>): WalletOrder["state"] {
  if (stated.trade_status === "WAIT_BUYER_PAY") return "OPEN";
  if (stated.trade_status !== "TRADE_CLOSED") return "PAID";
  const { gmt_payment, send_pay_date, gmt_refund } = stated;
  const moments = [gmt_payment, send_pay_date, gmt_refund].some((text) => text !== undefined && text !== "");
  const refunded = (centsOfYuan(stated.refund_fee ?? "") ?? 0) > 0;
  return moments || refunded ? "REFUNDED" : "CLOSED";
}
