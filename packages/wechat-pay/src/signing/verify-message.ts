import type { KeyObject } from "node:crypto";
import type { MessageHeaders } from "@tillkit/core/ports";
import { verifySignature } from "@tillkit/wallet-kit";
import { err, ok, type Result } from "neverthrow";
import { messageBytes } from "./signed-texts.js";

/**
 * Why a response or notification could not be verified.
 *
 * WeChat Pay sends a `probe` with an invalid signature to test that the merchant verifies
 * signatures.
 */
export type Unverified = "unsigned" | "probe" | "malformed" | "unknown-key" | "forged" | "stale";

/** The current time in epoch milliseconds, and the maximum clock difference in milliseconds. */
export interface Freshness {
  readonly now: number;
  readonly skew: number;
}

/** Returns the key with this name, if it may sign messages. */
export interface KeysByName {
  get(name: string): KeyObject | undefined;
}

/**
 * The maximum clock difference of a response in milliseconds, from WeChat Pay's documentation.
 *
 * For notifications, `policy.notificationSkew` applies.
 */
export const MAX_RESPONSE_SKEW = 300_000;

const PROBE = "WECHATPAY/SIGNTEST/";
const SIGNATURE_TYPE = "WECHATPAY2-SHA256-RSA2048";

/** Returns the name of the key that signed a message, or the empty text if there is none. */
export function signerOf(headers: MessageHeaders): string {
  return headers.get("wechatpay-serial") ?? "";
}

/**
 * Verifies the signature over the raw bytes of a message, and the signed time.
 *
 * The `Wechatpay-Serial` header selects the key.
 */
export function verifyMessage(
  platformKeys: KeysByName,
  headers: MessageHeaders,
  body: Uint8Array,
  { now, skew }: Freshness,
): Result<void, Unverified> {
  const signature = headers.get("wechatpay-signature") ?? "";
  const serial = signerOf(headers);
  const timestamp = headers.get("wechatpay-timestamp") ?? "";
  const nonce = headers.get("wechatpay-nonce") ?? "";
  if (signature === "") return err("unsigned");
  if (signature.startsWith(PROBE)) return err("probe");
  const type = headers.get("wechatpay-signature-type") ?? SIGNATURE_TYPE;
  if (serial === "" || nonce === "" || !/^\d{1,12}$/.test(timestamp) || type !== SIGNATURE_TYPE)
    return err("malformed");
  const key = platformKeys.get(serial);
  if (key === undefined) return err("unknown-key");
  if (!verifySignature(messageBytes(timestamp, nonce, body), signature, key)) return err("forged");
  return Math.abs(now - Number(timestamp) * 1000) > skew ? err("stale") : ok(undefined);
}
