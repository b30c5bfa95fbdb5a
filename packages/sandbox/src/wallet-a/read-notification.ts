import type { NotificationRefusal, RawNotification, WalletEvent } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { readJson } from "../shared/json.js";
import { verifyBytes } from "../shared/rsa.js";
import type { WalletAKeys } from "./credentials.js";
import { readRefund, readTransaction } from "./facts.js";
import { messageBytes, unseal } from "./sign.js";

/** Signatures that begin like this are the wallet's test that bad signatures are refused. */
const PROBE = "WECHATPAY/SIGNTEST/";

const notification = z.object({
  event_type: z.string(),
  resource: z.object({
    algorithm: z.literal("AEAD_AES_256_GCM"),
    ciphertext: z.string(),
    nonce: z.string(),
    associated_data: z.string().default(""),
  }),
});

/** Proves a notification of WALLET_A on its raw bytes, by signature, time and encryption tag, and only then reads it. */
export function readWalletANotification(
  keys: WalletAKeys,
  { headers, body }: RawNotification,
  { now, skew }: { readonly now: number; readonly skew: number },
): Result<WalletEvent, NotificationRefusal> {
  const timestamp = headers["wechatpay-timestamp"] ?? "";
  const nonce = headers["wechatpay-nonce"] ?? "";
  const signature = headers["wechatpay-signature"] ?? "";
  const serial = headers["wechatpay-serial"] ?? "";
  if (signature.startsWith(PROBE)) return refused("probe");
  if (!/^\d{1,12}$/.test(timestamp) || nonce === "" || signature === "" || serial === "")
    return refused("malformed");
  const key = keys.walletKeys.get(serial);
  if (key === undefined || !verifyBytes(messageBytes(timestamp, nonce, body), signature, key)) {
    return refused("unverified");
  }
  if (Math.abs(now - Number(timestamp) * 1000) > skew) return refused("stale");
  const message = readJson(notification, body);
  if (message === undefined) return refused("malformed");
  const text = unseal(keys.apiV3Key, message.resource);
  if (text === undefined) return refused("unverified");
  return message.event_type.startsWith("REFUND.") ? refundEvent(text) : paymentEvent(text);
}

function paymentEvent(text: string): Result<WalletEvent, NotificationRefusal> {
  const order = readTransaction(text);
  return order === undefined ? refused("malformed") : ok({ kind: "payment", order });
}

function refundEvent(text: string): Result<WalletEvent, NotificationRefusal> {
  const refund = readRefund(text);
  return refund === undefined ? refused("malformed") : ok({ kind: "refund", refund });
}

function refused(reason: NotificationRefusal["reason"]) {
  return err<never, NotificationRefusal>({ name: "notification.refused", reason });
}
