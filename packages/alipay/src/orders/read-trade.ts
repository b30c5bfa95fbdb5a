import { centsOfYuan, type WalletAccount } from "@tillkit/core";
import type { WalletOrder } from "@tillkit/core/ports";
import { instantOfBeijingTime } from "@tillkit/wallet-kit";
import * as z from "zod";
import { evidenceDigest } from "../evidence-digest.js";

const trade = z.object({
  app_id: z.string().min(1),
  /** The merchant's app. It differs from `app_id` if a service provider acts for the merchant. */
  auth_app_id: z.string().optional(),
  seller_id: z.string().min(1),
  out_trade_no: z.string().min(1),
  trade_no: z.string().optional(),
  trade_status: z.enum(["WAIT_BUYER_PAY", "TRADE_SUCCESS", "TRADE_FINISHED", "TRADE_CLOSED"]),
  total_amount: z.string(),
  /** When the customer paid: `gmt_payment` in notifications, `send_pay_date` in query responses. */
  gmt_payment: z.string().optional(),
  send_pay_date: z.string().optional(),
  refund_fee: z.string().optional(),
  /** The `out_request_no` of the refund that a notification is about. */
  out_biz_no: z.string().optional(),
  gmt_refund: z.string().optional(),
  trans_currency: z.string().optional(),
});

/** The names of the members from which an order is read. */
export const TRADE_FACTS: ReadonlySet<string> = new Set(Object.keys(trade.shape));

/**
 * Reads an order from a query response or notification. A partial refund leaves the order PAID.
 *
 * @param proof - The facts that the evidence digest covers.
 * @returns `undefined` if the facts are not an order.
 */
export function readTrade(
  facts: Readonly<Record<string, unknown>>,
  { provider }: Pick<WalletAccount, "provider"> = {},
  proof = facts,
): WalletOrder | undefined {
  const parsed = trade.safeParse(facts);
  if (!parsed.success) return undefined;
  const stated = parsed.data;
  const amount = centsOfYuan(stated.total_amount);
  if (amount === undefined) return undefined;
  const refunded = (centsOfYuan(stated.refund_fee ?? "") ?? 0) > 0;
  const refundNo = refunded ? (stated.out_biz_no ?? "") : "";
  const paidAt = instantOfBeijingTime(stated.gmt_payment ?? stated.send_pay_date ?? "");
  return {
    state: stateOf(stated),
    outTradeNo: stated.out_trade_no,
    ...ownerOf(stated, provider),
    amount,
    // Alipay states a currency only for trades across borders. Other amounts are in yuan.
    currency:
      stated.trans_currency === undefined || stated.trans_currency === "" ? "CNY" : stated.trans_currency,
    ...(stated.trade_no === undefined || stated.trade_no === "" ? {} : { walletTradeNo: stated.trade_no }),
    ...(paidAt === undefined ? {} : { paidAt }),
    ...(refundNo === "" ? {} : { refundNo }),
    evidence: evidenceDigest(proof),
  };
}

/**
 * Returns the merchant and its app, and the service provider if the message names one.
 *
 * Alipay names a provider by its app. If that is the app of `provider`, `providerId` is the
 * `accountId` of `provider`.
 */
function ownerOf(
  { app_id: appId, auth_app_id: authAppId, seller_id: merchantId }: z.infer<typeof trade>,
  provider: WalletAccount | undefined,
): Pick<WalletOrder, "walletAppId" | "merchantId" | "providerId"> {
  const walletAppId = authAppId === undefined || authAppId === "" ? appId : authAppId;
  if (provider === undefined)
    return { walletAppId, merchantId, ...(walletAppId === appId ? {} : { providerId: appId }) };
  const providerId = appId === provider.walletAppId ? provider.accountId : appId;
  return { walletAppId, merchantId, providerId };
}

/**
 * Returns the state of a trade.
 *
 * TRADE_CLOSED means that the trade was never paid, or that it was fully refunded. A payment time,
 * a refund time or a refunded amount shows that it was refunded.
 */
function stateOf(stated: z.infer<typeof trade>): WalletOrder["state"] {
  if (stated.trade_status === "WAIT_BUYER_PAY") return "OPEN";
  if (stated.trade_status !== "TRADE_CLOSED") return "PAID";
  const { gmt_payment, send_pay_date, gmt_refund } = stated;
  const moments = [gmt_payment, send_pay_date, gmt_refund].some((text) => text !== undefined && text !== "");
  const refunded = (centsOfYuan(stated.refund_fee ?? "") ?? 0) > 0;
  return moments || refunded ? "REFUNDED" : "CLOSED";
}
