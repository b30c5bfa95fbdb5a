import type { NotificationRefusal, RawNotification, Wallet, WalletEvent } from "@tillkit/core";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import { z } from "zod";
import type { ReadCredentials } from "../credentials/credentials-cache.js";
import type { WechatPayCredentials } from "../credentials/parse-credentials.js";
import { readTransaction } from "../orders/read-transaction.js";
import { readJson } from "../read-json.js";
import { readRefundResource } from "../refunds/read-refund.js";
import { openResource } from "../signing/open-resource.js";
import { type Freshness, type Unproven, verifyMessage } from "../signing/verify-message.js";

const envelope = z.object({
  event_type: z.enum(["TRANSACTION.SUCCESS", "REFUND.SUCCESS", "REFUND.ABNORMAL", "REFUND.CLOSED"]),
  resource: z.object({
    algorithm: z.literal("AEAD_AES_256_GCM"),
    ciphertext: z.string(),
    nonce: z.string(),
    associated_data: z.string().default(""),
  }),
});

const REFUSALS: Readonly<Record<Unproven, NotificationRefusal["reason"]>> = {
  unsigned: "malformed",
  malformed: "malformed",
  probe: "probe",
  stale: "stale",
  forged: "unverified",
  "unknown-key": "unverified",
};

/** Proves a notification on its raw bytes, by signature, time and encryption tag, and only then reads it. Takes any bytes. */
export function notificationReader(readCredentials: ReadCredentials): Wallet["readNotification"] {
  return (account, notification, time) =>
    new ResultAsync(
      Promise.resolve(
        readCredentials(account)
          .mapErr(() => refusal("unverified"))
          .andThen((credentials) => eventOf(credentials, notification, time)),
      ),
    );
}

function eventOf(
  { platformKeys, apiV3Key }: WechatPayCredentials,
  { headers, body }: RawNotification,
  time: Freshness,
): Result<WalletEvent, NotificationRefusal> {
  const proof = verifyMessage(platformKeys, headers, body, time);
  if (proof.isErr()) return err(refusal(REFUSALS[proof.error]));
  const message = readJson(envelope, body);
  if (message === undefined) return err(refusal("malformed"));
  const text = openResource(apiV3Key, message.resource);
  if (text === undefined) return err(refusal("unverified"));
  return message.event_type === "TRANSACTION.SUCCESS" ? paymentIn(text) : refundIn(text);
}

function paymentIn(text: string): Result<WalletEvent, NotificationRefusal> {
  const order = readTransaction(text);
  return order === undefined ? err(refusal("malformed")) : ok({ kind: "payment", order });
}

function refundIn(text: string): Result<WalletEvent, NotificationRefusal> {
  const refund = readRefundResource(text);
  return refund === undefined ? err(refusal("malformed")) : ok({ kind: "refund", refund });
}

function refusal(reason: NotificationRefusal["reason"]): NotificationRefusal {
  return { name: "notification.refused", reason };
}
