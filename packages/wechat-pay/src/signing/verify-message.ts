import type { KeyObject } from "node:crypto";
import { err, ok, type Result } from "neverthrow";
import { verifyBytes } from "./rsa.js";
import { messageBytes } from "./texts.js";

/** Why an answer or a notification does not prove that WeChat Pay sent it. `probe` is its test that bad signatures are refused. */
export type Unproven = "unsigned" | "probe" | "malformed" | "unknown-key" | "forged" | "stale";

/** HTTP headers, names in lower case. */
export type MessageHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The time to judge a message by, epoch milliseconds, and how far the signed time may be from it, in milliseconds. */
export interface Freshness {
  readonly now: number;
  readonly skew: number;
}

const PROBE = "WECHATPAY/SIGNTEST/";
const SIGNATURE_TYPE = "WECHATPAY2-SHA256-RSA2048";

/** Proves a message by the signature over its raw bytes. The serial number beside the signature picks the key. */
export function verifyMessage(
  platformKeys: ReadonlyMap<string, KeyObject>,
  headers: MessageHeaders,
  body: Uint8Array,
  { now, skew }: Freshness,
): Result<void, Unproven> {
  const signature = textOf(headers["wechatpay-signature"]);
  const serial = textOf(headers["wechatpay-serial"]);
  const timestamp = textOf(headers["wechatpay-timestamp"]);
  const nonce = textOf(headers["wechatpay-nonce"]);
  if (signature === "") return err("unsigned");
  if (signature.startsWith(PROBE)) return err("probe");
  const type = textOf(headers["wechatpay-signature-type"] ?? SIGNATURE_TYPE);
  if (serial === "" || nonce === "" || !/^\d{1,12}$/.test(timestamp) || type !== SIGNATURE_TYPE)
    return err("malformed");
  const key = platformKeys.get(serial);
  if (key === undefined) return err("unknown-key");
  if (!verifyBytes(messageBytes(timestamp, nonce, body), signature, key)) return err("forged");
  return Math.abs(now - Number(timestamp) * 1000) > skew ? err("stale") : ok(undefined);
}

function textOf(value: string | readonly string[] | undefined): string {
  return typeof value === "string" ? value : "";
}
