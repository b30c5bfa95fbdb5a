import { createHmac, timingSafeEqual } from "node:crypto";
import type {
  NotificationAnswer,
  NotificationRefusal,
  PayChannel,
  RawNotification,
  WalletAccount,
  WalletEvent,
} from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";

const TIMESTAMP = "x-memory-wallet-timestamp";
const SIGNATURE = "x-memory-wallet-signature";
/** Signatures of WALLET_A that begin like this are the wallet's test that bad signatures are refused. */
const PROBE = "MEMORY-WALLET/SIGNTEST/";

/** A notification whose headers can all be named, as one has to who posts it. */
export interface SignedNotification extends RawNotification {
  readonly headers: Headers;
}

/** How a memory wallet writes notifications and reads them back. */
export interface WalletPost {
  /** A signed notification of `event` to the merchant, as it would arrive over HTTP. */
  write(merchantId: string, event: WalletEvent, now: number): SignedNotification;
  /** The message as the wallet would send it to test that bad signatures are refused. */
  probe(notification: RawNotification): RawNotification;
  read(
    account: WalletAccount,
    notification: RawNotification,
    time: { readonly now: number; readonly skew: number },
  ): Result<WalletEvent, NotificationRefusal>;
}

/**
 * The post of one wallet. A message is JSON, signed with HMAC-SHA-256 over its time and body under a key of the channel and the
 * merchant, so a changed one, or one to another merchant, is not believed. WALLET_B's messages do not grow stale: it repeats them for a day.
 */
export function walletPost(payChannel: PayChannel): WalletPost {
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

/** What each wallet wants to read: WALLET_A no content or an error, WALLET_B one of two words. */
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
