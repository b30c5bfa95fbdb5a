import type { Clock } from "@tillkit/core";
import type { Delivery, DeliveryAnswer } from "../courier.js";
import type { SandboxKeys } from "../keys.js";
import { chinaTime } from "../shared/china-time.js";
import { privateKeyOf, signText } from "../shared/rsa.js";
import { formText, notificationText, type Parameters } from "./sign.js";

/** What a notification of WALLET_B tells. */
export interface WalletBNews {
  /** Stays the same over all repetitions. */
  readonly id: string;
  readonly url: string;
  readonly facts: Parameters;
}

/** Writes and signs a notification as of now, as WALLET_B does for every attempt. */
export async function writeWalletBNotification(
  news: WalletBNews,
  { wallet }: SandboxKeys["walletB"],
  clock: Pick<Clock, "now">,
): Promise<Delivery> {
  const key = privateKeyOf(wallet.privateKey);
  if (key === undefined)
    throw new Error("The sandbox's own key of WALLET_B is no RSA key of 2048 bits or more.");
  const parameters = {
    notify_time: chinaTime(clock.now()),
    notify_type: "trade_status_sync",
    notify_id: news.id,
    charset: "utf-8",
    version: "1.0",
    sign_type: "RSA2",
    ...news.facts,
  };
  const sign = await signText(notificationText(parameters), key);
  return {
    url: news.url,
    headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
    body: formText({ ...parameters, sign }),
  };
}

/** Whether WALLET_B takes the answer for an acknowledgement: only these seven letters. */
export function walletBAcknowledged({ status, body }: DeliveryAnswer): boolean {
  return status === 200 && body === "success";
}
