import type { Delivery, DeliveryAnswer } from "../notification-dispatcher.js";
import type { Forgery } from "../faults.js";
import type { SandboxKeys } from "../keys.js";
import type { WalletCertificate } from "../rotation/rotation.js";
import { chinaTime } from "../shared/china-time.js";
import { ownKey, signText } from "../shared/rsa.js";
import { formText, notificationText, type SignedParameters } from "./sign.js";

/** The contents of an Alipay notification. */
export interface WalletBNotification {
  /** The same in all attempts. */
  readonly id: string;
  readonly url: string;
  readonly facts: SignedParameters;
}

/** How to write an Alipay notification. */
export interface WalletBNotificationOptions {
  readonly keys: SandboxKeys;
  /** The certificate that signs for an app in certificate mode; absent in key mode. */
  readonly certificate?: Pick<WalletCertificate, "name" | "keys"> | undefined;
  readonly as: Forgery | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

const TOO_OLD = 2 * 86_400_000;

/** Writes and signs a notification at the current time, as Alipay does for every attempt. */
export async function writeWalletBNotification(
  notification: WalletBNotification,
  { keys, certificate, as, now }: WalletBNotificationOptions,
): Promise<Delivery> {
  const parameters = {
    notify_time: chinaTime(as === "stale" ? now - TOO_OLD : now),
    notify_type: "trade_status_sync",
    notify_id: notification.id,
    charset: "utf-8",
    version: "1.0",
    sign_type: "RSA2",
    ...(certificate === undefined ? {} : { alipay_cert_sn: certificate.name }),
    ...notification.facts,
  };
  const own = certificate?.keys ?? keys.walletB.wallet;
  const { privateKey } = as === "forged" ? keys.retired : own;
  const sign = await signText(notificationText(parameters), ownKey(privateKey));
  const changed = as === "tampered" ? { total_amount: "0.01" } : {};
  return {
    url: notification.url,
    headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
    body: formText({ ...parameters, ...changed, sign }),
  };
}

/** Returns whether Alipay accepts the response: 200 with exactly the body `success`. */
export function walletBAcknowledged({ status, body }: DeliveryAnswer): boolean {
  return status === 200 && body === "success";
}
