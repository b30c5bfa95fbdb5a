import { createCipheriv, sign } from "node:crypto";
import { promisify } from "node:util";
import { numbersOf, type PendingOrders } from "./fill-pending-orders.js";
import { WALLET_A, type WalletAShop } from "./open-wallet-a-shop.js";
import { signAll } from "./sign-all.js";

const signAsync = promisify(sign);
const NONCE = "0123456789ab";
const ASSOCIATED_DATA = "transaction";

/** A notification as WeChat Pay sends it: a JSON body, and the headers with its signature. */
export interface SignedNotificationA {
  /** The part of the notification address that names the order. */
  readonly ref: string;
  readonly body: string;
  readonly timestamp: string;
  readonly signature: string;
  /** The text that the wallet signs. */
  readonly text: string;
}

/** The headers of a {@link SignedNotificationA}, with placeholders for its members. */
export const HEADERS_A = {
  "content-type": "application/json",
  "wechatpay-serial": WALLET_A.keyId,
  "wechatpay-signature-type": "WECHATPAY2-SHA256-RSA2048",
  "wechatpay-nonce": NONCE,
  "wechatpay-timestamp": "{timestamp}",
  "wechatpay-signature": "{signature}",
} as const;

/**
 * Signs WeChat Pay's payment notifications of the orders with the wallet's key.
 *
 * They are valid for five minutes.
 */
export function signNotificationsA(
  { walletKey, apiV3Key }: Pick<WalletAShop, "walletKey" | "apiV3Key">,
  orders: Pick<PendingOrders, "name" | "first" | "last">,
): Promise<readonly SignedNotificationA[]> {
  return signAll(orders, async (n) => {
    const { bizNo, outTradeNo } = numbersOf(orders, n);
    const body = JSON.stringify({
      id: `EV-${outTradeNo}`,
      create_time: "2026-11-20T20:30:06+08:00",
      resource_type: "encrypt-resource",
      event_type: "TRANSACTION.SUCCESS",
      summary: "支付成功",
      resource: {
        original_type: ASSOCIATED_DATA,
        algorithm: "AEAD_AES_256_GCM",
        ciphertext: sealed(apiV3Key, JSON.stringify(transactionOf(outTradeNo))),
        associated_data: ASSOCIATED_DATA,
        nonce: NONCE,
      },
    });
    const timestamp = `${Math.floor(Date.now() / 1_000)}`;
    const text = `${timestamp}\n${NONCE}\n${body}\n`;
    const signature = (await signAsync("RSA-SHA256", Buffer.from(text), walletKey)).toString("base64");
    return { ref: Buffer.from(bizNo).toString("base64url"), body, timestamp, signature, text };
  });
}

function transactionOf(outTradeNo: string) {
  return {
    mchid: WALLET_A.accountId,
    appid: WALLET_A.walletAppId,
    out_trade_no: outTradeNo,
    transaction_id: `42000${outTradeNo}`,
    trade_type: "APP",
    trade_state: "SUCCESS",
    trade_state_desc: "支付成功",
    bank_type: "OTHERS",
    attach: "",
    success_time: "2026-11-20T20:30:05+08:00",
    payer: { openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" },
    amount: { total: 600, payer_total: 600, currency: "CNY", payer_currency: "CNY" },
  };
}

function sealed(apiV3Key: string, text: string): string {
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(apiV3Key), Buffer.from(NONCE));
  cipher.setAAD(Buffer.from(ASSOCIATED_DATA));
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString("base64");
}
