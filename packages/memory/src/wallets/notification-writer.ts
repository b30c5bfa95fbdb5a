import { createHmac, timingSafeEqual } from "node:crypto";
import type { PayChannel, RawNotification, WalletAccount } from "@tillkit/core";
import type { NotificationAnswer, NotificationRefusal, WalletEvent } from "@tillkit/core/ports";
import { err, ok, type Result } from "neverthrow";

const TIMESTAMP = "x-memory-wallet-timestamp";
const SIGNATURE = "x-memory-wallet-signature";
/** Prefix of the invalid signature of a probe, like `WECHATPAY/SIGNTEST/` at WeChat Pay. */
const PROBE = "MEMORY-WALLET/SIGNTEST/";

/** A notification with complete `Headers`, so that a test can send it over HTTP. */
export interface SignedNotification extends RawNotification {
  readonly headers: Headers;
}

/** Writes and reads the notifications of a memory wallet. */
export interface NotificationWriter {
  /** Returns a signed notification of `event` for the merchant, as it arrives over HTTP. */
  write(merchantId: string, event: WalletEvent, now: number): SignedNotification;
  /** Returns the notification, signed with a foreign key. */
  forge(notification: SignedNotification): SignedNotification;
  /** Returns the notification as a probe: WeChat Pay tests receivers with invalid signatures. */
  probe(notification: RawNotification): RawNotification;
  read(
    account: WalletAccount,
    notification: RawNotification,
    time: { readonly now: number; readonly skew: number },
  ): Result<WalletEvent, NotificationRefusal>;
}

/**
 * Creates the notification writer and reader of one wallet.
 *
 * A message is JSON, signed with HMAC-SHA-256 over its timestamp and body. The key depends on the
 * channel and the merchant, so a changed message and a message for another merchant are refused.
 * A message of WeChat Pay is also refused if it is too old. Alipay repeats a message for a day, so
 * its messages have no age limit.
 */
export function notificationWriter(payChannel: PayChannel): NotificationWriter {
  const sent = new Map<string, WalletEvent>();
  const signature = (merchantId: string, timestamp: string, body: Uint8Array): string =>
    createHmac("sha256", `memory wallet ${payChannel} ${merchantId}`)
      .update(`${timestamp}\n`)
      .update(body)
      .digest("hex");
  return {
    write: (merchantId, event, now) => {
      const body = new TextEncoder().encode(JSON.stringify(event));
      const sign = signature(merchantId, String(now), body);
      sent.set(sign, event);
      return {
        headers: new Headers({
          "content-type": "application/json",
          [TIMESTAMP]: String(now),
          [SIGNATURE]: sign,
        }),
        body,
      };
    },
    forge: ({ headers, body }) => {
      const forged = new Headers(headers);
      const sign = createHmac("sha256", "a foreign key").update(body).digest("hex");
      forged.set(SIGNATURE, sign);
      return { headers: forged, body };
    },
    probe: ({ headers, body }) => ({
      headers: { get: (name) => (name === SIGNATURE ? `${PROBE}0` : headers.get(name)) },
      body,
    }),
    read: ({ accountId }, { headers, body }, { now, skew }) => {
      const timestamp = headers.get(TIMESTAMP);
      const claimed = headers.get(SIGNATURE);
      if (timestamp === null || claimed === null || !/^\d+$/.test(timestamp)) return refuse("malformed");
      if (payChannel === "WALLET_A" && claimed.startsWith(PROBE)) return refuse("probe");
      const event = sent.get(claimed);
      if (event === undefined || !equal(claimed, signature(accountId, timestamp, body)))
        return refuse("unverified");
      const late = Math.abs(now - Number(timestamp)) > skew;
      return late && payChannel === "WALLET_A" ? refuse("stale") : ok(event);
    },
  };
}

/**
 * Returns the response to a notification. With `taken`, the wallet does not repeat it.
 *
 * WeChat Pay expects 204, or 401 with an error. Alipay expects `success` or `fail`.
 */
export function walletAnswer(payChannel: PayChannel, taken: boolean): NotificationAnswer {
  if (payChannel === "WALLET_B")
    return { status: 200, contentType: "text/plain", body: taken ? "success" : "fail" };
  if (taken) return { status: 204, contentType: "application/json", body: "" };
  const body = JSON.stringify({ code: "FAIL", message: "not taken" });
  return { status: 401, contentType: "application/json", body };
}

function refuse(reason: NotificationRefusal["reason"]) {
  return err<never, NotificationRefusal>({ name: "notification.refused", reason });
}

function equal(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}
