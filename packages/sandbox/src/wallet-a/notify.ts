import { randomBytes } from "node:crypto";
import type { Clock } from "@tillkit/core";
import type { Delivery, DeliveryAnswer } from "../courier.js";
import { type SandboxKeys, serialNo } from "../keys.js";
import { rfc3339 } from "../shared/china-time.js";
import { privateKeyOf, signBytes } from "../shared/rsa.js";
import { messageBytes, seal } from "./sign.js";

/** What a notification of WALLET_A tells. */
export interface WalletANews {
  /** Stays the same over all repetitions. */
  readonly id: string;
  readonly url: string;
  readonly about: "transaction" | "refund";
  /** The JSON text of the transaction or the refund. */
  readonly text: string;
}

/** Encrypts and signs a notification as of now, as WALLET_A does for every attempt. */
export async function writeWalletANotification(
  news: WalletANews,
  keys: SandboxKeys["walletA"],
  clock: Pick<Clock, "now">,
): Promise<Delivery> {
  const now = clock.now();
  const sealingNonce = randomBytes(6).toString("hex");
  const body = JSON.stringify({
    id: news.id,
    create_time: rfc3339(now),
    resource_type: "encrypt-resource",
    event_type: news.about === "transaction" ? "TRANSACTION.SUCCESS" : "REFUND.SUCCESS",
    summary: news.about === "transaction" ? "支付成功" : "退款成功",
    resource: {
      original_type: news.about,
      algorithm: "AEAD_AES_256_GCM",
      ciphertext: seal(keys.apiV3Key, sealingNonce, news.about, news.text),
      associated_data: news.about,
      nonce: sealingNonce,
    },
  });
  return { url: news.url, headers: await signedHeaders(body, keys, now), body };
}

/** Whether WALLET_A takes the answer for an acknowledgement. */
export function walletAAcknowledged({ status }: DeliveryAnswer): boolean {
  return status === 200 || status === 204;
}

async function signedHeaders(
  body: string,
  { wallet }: SandboxKeys["walletA"],
  now: number,
): Promise<Record<string, string>> {
  const key = privateKeyOf(wallet.privateKey);
  if (key === undefined)
    throw new Error("The sandbox's own key of WALLET_A is no RSA key of 2048 bits or more.");
  const timestamp = String(Math.floor(now / 1000));
  const nonce = randomBytes(16).toString("hex");
  return {
    "content-type": "application/json",
    "wechatpay-timestamp": timestamp,
    "wechatpay-nonce": nonce,
    "wechatpay-signature": await signBytes(messageBytes(timestamp, nonce, Buffer.from(body)), key),
    "wechatpay-signature-type": "WECHATPAY2-SHA256-RSA2048",
    "wechatpay-serial": serialNo(wallet.publicKey),
  };
}
