import { sign } from "node:crypto";
import { promisify } from "node:util";
import { numbersOf, type PendingOrders } from "./fill-pending-orders.js";
import { WALLET_B, type WalletBShop } from "./open-wallet-b-shop.js";
import { signAll } from "./sign-all.js";

const signAsync = promisify(sign);
/** A notification as WALLET_B sends it, and its signed text. */
export interface SignedNotification {
  /** The part of the notification address that names the order. */
  readonly ref: string;
  /** The form body. */
  readonly body: string;
  readonly text: string;
  readonly signature: string;
}

/** Signs WALLET_B's payment notifications of the orders with the wallet's key. */
export async function signNotifications(
  { walletKey }: Pick<WalletBShop, "walletKey">,
  orders: Pick<PendingOrders, "name" | "first" | "last">,
): Promise<readonly SignedNotification[]> {
  return signAll(orders, notification);

  async function notification(n: number): Promise<SignedNotification> {
    const { bizNo, outTradeNo } = numbersOf(orders, n);
    const facts = {
      app_id: WALLET_B.walletAppId,
      auth_app_id: WALLET_B.walletAppId,
      buyer_id: "2088102116773037",
      buyer_pay_amount: "6.00",
      charset: "utf-8",
      fund_bill_list: '[{"amount":"6.00","fundChannel":"ALIPAYACCOUNT"}]',
      gmt_create: "2026-11-20 20:30:01",
      gmt_payment: "2026-11-20 20:30:05",
      invoice_amount: "6.00",
      notify_id: `n${outTradeNo}`,
      notify_time: "2026-11-20 20:30:06",
      notify_type: "trade_status_sync",
      out_trade_no: outTradeNo,
      point_amount: "0.00",
      receipt_amount: "6.00",
      seller_id: WALLET_B.accountId,
      subject: "One month",
      total_amount: "6.00",
      trade_no: `2026${outTradeNo}`,
      trade_status: "TRADE_SUCCESS",
      version: "1.0",
    };
    // The fields above are in the order of the signed text.
    const text = Object.entries(facts)
      .map(([name, value]) => `${name}=${value}`)
      .join("&");
    const signature = (await signAsync("RSA-SHA256", Buffer.from(text), walletKey)).toString("base64");
    const body = new URLSearchParams({ ...facts, sign: signature, sign_type: "RSA2" }).toString();
    return { ref: Buffer.from(bizNo).toString("base64url"), body, text, signature };
  }
}
