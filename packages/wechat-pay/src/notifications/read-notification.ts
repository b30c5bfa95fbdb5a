import type { RawNotification, Wallet, WalletAccount } from "@tillkit/core";
import type { NotificationRefusal, WalletEvent } from "@tillkit/core/ports";
import { abortAfter, readJson } from "@tillkit/wallet-kit";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import * as z from "zod";
import type { PlatformCertificates } from "../certificates/platform-certificates.js";
import type { ReadCredentials } from "../credentials/credentials-cache.js";
import type { WechatPayCredentials } from "../credentials/parse-credentials.js";
import { readTransaction } from "../orders/read-transaction.js";
import { readRefundResource } from "../refunds/read-refund.js";
import { associatedData, decryptResource } from "../signing/decrypt-resource.js";
import { type Freshness, signerOf, type Unverified, verifyMessage } from "../signing/verify-message.js";
import { signingAccount } from "../credentials/signing-account.js";

const envelope = z.object({
  event_type: z.enum(["TRANSACTION.SUCCESS", "REFUND.SUCCESS", "REFUND.ABNORMAL", "REFUND.CLOSED"]),
  resource: z.object({
    algorithm: z.literal("AEAD_AES_256_GCM"),
    ciphertext: z.string(),
    nonce: z.string(),
    associated_data: associatedData,
  }),
});

const REFUSALS: Readonly<Record<Unverified, NotificationRefusal["reason"]>> = {
  unsigned: "malformed",
  malformed: "malformed",
  probe: "probe",
  stale: "stale",
  forged: "unverified",
  "unknown-key": "unverified",
};

/** Timeout of a download. WeChat Pay waits 5 seconds for the response to a notification. */
const DOWNLOAD_DEADLINE = 3_000;

/**
 * Creates the function that verifies a notification and then reads it.
 *
 * It verifies the signature over the raw bytes, the signed time, and the encryption tag. The body
 * may contain any bytes.
 */
export function notificationReader(
  readCredentials: ReadCredentials,
  platform: Pick<PlatformCertificates, "keys" | "downloadMissing">,
): Wallet["readNotification"] {
  return (merchant, notification, time) => {
    const account = signingAccount(merchant);
    return readCredentials(account)
      .mapErr(() => refusal("unverified"))
      .asyncAndThen((credentials) => verifiedEvent(platform, account, credentials, notification, time));
  };
}

function verifiedEvent(
  platform: Pick<PlatformCertificates, "keys" | "downloadMissing">,
  account: WalletAccount,
  credentials: WechatPayCredentials,
  notification: RawNotification,
  time: Freshness,
): ResultAsync<WalletEvent, NotificationRefusal> {
  const { headers, body } = notification;
  const { apiV3Key } = credentials;
  const keys = platform.keys(account, credentials);
  const verify = () => verifyMessage(keys, headers, body, time);
  const attempt = async () => {
    const verified = await verifyOrDownload();
    return verified.isErr() ? err(refusal(REFUSALS[verified.error])) : eventIn(apiV3Key, body);
  };
  const verifyOrDownload = async () => {
    const result = verify();
    if (result.isOk() || result.error !== "unknown-key") return result;
    // Anyone can name an unknown key, but only the owner of the APIv3 key can encrypt the resource.
    // So other messages do not start a download.
    const message = readJson(envelope, body);
    if (message === undefined || decryptResource(apiV3Key, message.resource) === undefined) return result;
    const signal = abortAfter(DOWNLOAD_DEADLINE);
    return (await platform.downloadMissing(account, credentials, signerOf(headers), signal))
      ? verify()
      : result;
  };
  return new ResultAsync(attempt());
}

function eventIn(
  apiV3Key: WechatPayCredentials["apiV3Key"],
  body: Uint8Array,
): Result<WalletEvent, NotificationRefusal> {
  const message = readJson(envelope, body);
  if (message === undefined) return err(refusal("malformed"));
  const text = decryptResource(apiV3Key, message.resource);
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
