import { randomBytes } from "node:crypto";
import type { Delivery, DeliveryAnswer } from "../notification-dispatcher.js";
import type { Forgery } from "../faults.js";
import type { SandboxKeys } from "../keys.js";
import { rfc3339 } from "../shared/china-time.js";
import { seal } from "./sign.js";
import { signedHeaders, type Signing } from "./signed-headers.js";

/** The events that WeChat Pay reports, with their summaries. */
const EVENTS = {
  "TRANSACTION.SUCCESS": { about: "transaction", summary: "支付成功" },
  "REFUND.SUCCESS": { about: "refund", summary: "退款成功" },
  "REFUND.ABNORMAL": { about: "refund", summary: "退款异常" },
  "REFUND.CLOSED": { about: "refund", summary: "退款关闭" },
} as const;

/** The contents of a WeChat Pay notification. */
export interface WalletANotification {
  /** The same in all attempts. */
  readonly id: string;
  readonly url: string;
  readonly event: keyof typeof EVENTS;
  /** The JSON text of the transaction or the refund. */
  readonly text: string;
}

/** How to write a WeChat Pay notification. */
export interface WalletANotificationOptions {
  readonly keys: SandboxKeys;
  readonly signing: "certificate" | "public-key";
  readonly as: Forgery | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A signature with this prefix is WeChat Pay's test that bad signatures are refused. */
const PROBE = "WECHATPAY/SIGNTEST/";
const TOO_OLD = 10 * 60_000;

/** Encrypts and signs a notification at the current time, as WeChat Pay does for every attempt. */
export async function writeWalletANotification(
  notification: WalletANotification,
  writing: WalletANotificationOptions,
): Promise<Delivery> {
  const { keys, as } = writing;
  const now = as === "stale" ? writing.now - TOO_OLD : writing.now;
  const { about, summary } = EVENTS[notification.event];
  const sealingNonce = randomBytes(6).toString("hex");
  const body = JSON.stringify({
    id: notification.id,
    create_time: rfc3339(now),
    resource_type: "encrypt-resource",
    event_type: notification.event,
    summary,
    resource: {
      original_type: about,
      algorithm: "AEAD_AES_256_GCM",
      ciphertext: seal(keys.walletA.apiV3Key, sealingNonce, about, notification.text),
      associated_data: about,
      nonce: sealingNonce,
    },
  });
  const signing: Signing = as === "forged" ? `forged-${writing.signing}` : writing.signing;
  const signed = await signedHeaders(body, { keys, signing, now });
  const probed = { ...signed, "wechatpay-signature": `${PROBE}${signed["wechatpay-signature"]}` };
  return {
    url: notification.url,
    headers: { "content-type": "application/json", ...(as === "probe" ? probed : signed) },
    // One unsigned byte that does not change the JSON value.
    body: as === "tampered" ? `${body} ` : body,
  };
}

/** Returns whether WeChat Pay accepts the response as an acknowledgement. */
export function walletAAcknowledged({ status }: DeliveryAnswer): boolean {
  return status === 200 || status === 204;
}
