import type { WalletFailure, WalletRejected } from "@tillkit/core";
import * as z from "zod";
import { readJson } from "../read-json.js";

const envelope = z.object({
  code: z.string().regex(/^[A-Z_]{1,64}$/),
  message: z.string().catch(""),
  detail: z.object({ field: z.string() }).optional().catch(undefined),
});

/** What a refusal means, by WeChat Pay's code without underscores, for it spells its codes with and without. */
const REASONS: Readonly<Record<string, WalletRejected["reason"]>> = {
  ORDERPAID: "paid",
  ORDERCLOSED: "closed",
  OUTTRADENOUSED: "conflict",
  ORDERNOTEXIST: "absent",
  RESOURCENOTEXISTS: "absent",
  SIGNERROR: "configuration",
  NOAUTH: "configuration",
  ACCOUNTERROR: "configuration",
  APPIDMCHIDNOTMATCH: "configuration",
  MCHNOTEXISTS: "configuration",
  OPENIDMISMATCH: "configuration",
  NOSTATEMENTEXIST: "absent",
  STATEMENTCREATING: "not-ready",
  NOTENOUGH: "funds",
};
/** Codes that leave open what happened, whatever the HTTP status beside them. */
const FAILED = new Set(["SYSTEMERROR", "BANKERROR", "SERVICEUNAVAILABLE"]);
const BUSY = new Set(["USERPAYING"]);
const RATE_LIMITED = new Set(["FREQUENCYLIMITED", "FREQUENCYLIMIT", "RATELIMITEXCEEDED", "RATELIMIT"]);
/** How one number used for two orders is put under a code that says nothing. */
const DUPLICATE = "商户订单号重复";

/**
 * What an answer that is no success says. 5xx, 429 and codes of overload or failure leave the outcome open; so does whatever is not in WeChat Pay's own
 * form, such as the page of a proxy. The code decides, where it and the status differ.
 */
export function readRefusal(status: number, body: Uint8Array, signed: boolean): WalletFailure {
  const stated = readJson(envelope, body);
  const code = stated?.code.replaceAll("_", "") ?? "";
  const said = [String(status), stated?.code, stated?.detail?.field, stated?.message];
  const detail = printable(said.filter((part) => part !== undefined && part !== "").join(" "));
  if (status === 429 || RATE_LIMITED.has(code))
    return { name: "wallet.unknown", cause: "rate-limited", detail };
  if (BUSY.has(code)) return { name: "wallet.unknown", cause: "busy", detail };
  if (status >= 500 || FAILED.has(code)) return { name: "wallet.unknown", cause: "server-error", detail };
  if (status < 400 || stated === undefined)
    return { name: "wallet.unknown", cause: "unverified", detail: `${detail}: not an answer of WeChat Pay` };
  const duplicate = code === "INVALIDREQUEST" && stated.message.includes(DUPLICATE);
  const reason = duplicate ? "conflict" : (REASONS[code] ?? "other");
  return { name: "wallet.rejected", reason, proven: signed, detail };
}

/** A no of our own: nothing was sent. */
export function unsent(reason: WalletRejected["reason"], detail: string): WalletRejected {
  return { name: "wallet.rejected", reason, proven: true, detail };
}

const LONGEST = 200;

function printable(text: string): string {
  return [...text.replaceAll(/\p{C}/gu, " ")].slice(0, LONGEST).join("");
}
