import type { KeyObject } from "node:crypto";
import type { MessageHeaders } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import { verifyBytes } from "./rsa.js";
import { messageBytes } from "./texts.js";

/** Why an answer or a notification does not prove that WeChat Pay sent it. `probe` is its test that bad signatures are refused. */
export type Unproven = "unsigned" | "probe" | "malformed" | "unknown-key" | "forged" | "stale";

/** The time to judge a message by, epoch milliseconds, and how far the signed time may be from it, in milliseconds. */
export interface Freshness {
  readonly now: number;
  readonly skew: number;
}

/** The keys that may have signed a message, by the name beside the signature. */
export interface KeysByName {
  get(name: string): KeyObject | undefined;
}

const PROBE = "WECHATPAY/SIGNTEST/";
const SIGNATURE_TYPE = "WECHATPAY2-SHA256-RSA2048";

/** The name of the key that a message says it is signed with; empty if it names none. */
export function signerOf(headers: MessageHeaders): string {
  return headers.get("wechatpay-serial") ?? "";
}

/** Proves a message by the signature over its raw bytes. The serial number beside the signature picks the key. */
export function verifyMessage(
  platformKeys: KeysByName,
  headers: MessageHeaders,
  body: Uint8Array,
  { now, skew }: Freshness,
): Result<void, Unproven> {
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
  if (!verifyBytes(messageBytes(timestamp, nonce, body), signature, key)) return err("forged");
  return Math.abs(now - Number(timestamp) * 1000) > skew ? err("stale") : ok(undefined);
}
