import { err, ok, type Result } from "neverthrow";
import type { WalletAMerchant } from "../merchant.js";
import { publicKeyOf, verifyBytes } from "../shared/rsa.js";
import type { WireRequest } from "../wire/serve.js";
import type { WalletARefusal } from "./answers.js";

const SCHEME = "WECHATPAY2-SHA256-RSA2048";
/** The largest difference between a request's time and the wallet's time, in milliseconds. */
const SKEW = 300_000;
const PARTS = ["mchid", "nonce_str", "signature", "timestamp", "serial_no"] as const;

/**
 * Returns the bytes that a merchant signs in a request to WeChat Pay.
 *
 * These are the method, the path with query, the time, the nonce and the raw body, each followed by
 * a line feed.
 */
export function requestBytes(
  { method, target, body }: Pick<WireRequest, "method" | "target" | "body">,
  timestamp: string,
  nonce: string,
): Uint8Array {
  return Buffer.concat([
    Buffer.from(`${method}\n${target}\n${timestamp}\n${nonce}\n`),
    body,
    Buffer.from("\n"),
  ]);
}

/**
 * Verifies that the merchant signed exactly this request, with a time at most five minutes off.
 *
 * Runs before any other use of the request.
 */
export function authorize(
  request: WireRequest,
  known: Pick<WalletAMerchant, "mchid" | "merchantSerialNo"> & { readonly merchantPublicKey: string },
  now: number,
): Result<void, WalletARefusal> {
  const header = request.headers.get("authorization") ?? "";
  if (!header.startsWith(`${SCHEME} `)) return refused("authorization", `the scheme is not ${SCHEME}`);
  const parts = partsOf(header.slice(SCHEME.length + 1));
  for (const part of PARTS) if (!parts.has(part)) return refused(part, "absent, given twice, or not quoted");
  const part = (name: (typeof PARTS)[number]) => parts.get(name) ?? "";
  if (part("mchid") !== known.mchid) return refused("mchid", "no such merchant");
  if (part("serial_no") !== known.merchantSerialNo)
    return refused("serial_no", "no certificate of this merchant has it");
  const [timestamp, nonce] = [part("timestamp"), part("nonce_str")];
  if (!/^\d{1,12}$/.test(timestamp)) return refused("timestamp", "not seconds since the epoch");
  if (Math.abs(now - Number(timestamp) * 1000) > SKEW) return refused("timestamp", "more than 5 minutes off");
  if (!/^[0-9A-Za-z]{1,32}$/.test(nonce)) return refused("nonce_str", "not 1 to 32 letters and digits");
  const key = publicKeyOf(known.merchantPublicKey);
  const trusted =
    key !== undefined && verifyBytes(requestBytes(request, timestamp, nonce), part("signature"), key);
  return trusted ? ok(undefined) : refused("signature", "not the merchant's over exactly this request");
}

// A part that appears twice counts as absent.
function partsOf(text: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  const twice = new Set<string>();
  for (const pair of text.split(",")) {
    const [, name, value] = /^\s*(\w+)="([^"]*)"\s*$/.exec(pair) ?? [];
    if (name === undefined || value === undefined) return new Map();
    if (parts.has(name)) twice.add(name);
    parts.set(name, value);
  }
  for (const name of twice) parts.delete(name);
  return parts;
}

function refused(field: string, issue: string) {
  return err<never, WalletARefusal>({
    code: "SIGN_ERROR",
    detail: { field, issue, location: "authorization" },
  });
}
