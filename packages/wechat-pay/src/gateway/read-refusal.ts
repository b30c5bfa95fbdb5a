import type { WalletFailure, WalletRejected } from "@tillkit/core";
import { readJson } from "@tillkit/wallet-kit";
import * as z from "zod";

const envelope = z.object({
  code: z.string().regex(/^[A-Z_]{1,64}$/),
  message: z.string().catch(""),
  detail: z.object({ field: z.string() }).optional().catch(undefined),
});

/**
 * The reason for each refusal code. Codes have no underscores here: WeChat Pay uses both spellings.
 */
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
/** Codes for which the outcome is unknown, whatever the HTTP status. */
const FAILED = new Set(["SYSTEMERROR", "BANKERROR", "SERVICEUNAVAILABLE", "BIZERRNEEDRETRY"]);
const BUSY = new Set(["USERPAYING", "ORDERNOTREADY"]);
/** Matches every spelling of a rate limit, such as `FREQUENCY_LIMIT_EXCEED` and `RATELIMIT`. */
const RATE_LIMITED = /^(FREQUENCY|RATE)LIMIT|^INVALIDREQTOOMUCH$/;
/** The generic code. Only its message shows the reason. */
const UNSPECIFIC = "INVALIDREQUEST";
/** Matches the message of a request that WeChat Pay is still working on. */
const BEING_PROCESSED = /处理中|正在处理|being processed/i;
/** The reason for each message of the generic code. Any other message is `other`. */
const MESSAGES: readonly (readonly [RegExp, WalletRejected["reason"]])[] = [
  [/已支付|already (been )?paid/i, "paid"],
  // The number was used before, or the same number comes again with other parameters.
  [/商户订单号重复|重入|不一致/, "conflict"],
  [/已关闭|已过期|已失效|expired/i, "closed"],
];

/**
 * Converts a response that is not a success into a failure.
 *
 * The outcome is unknown for 5xx, for 429, for codes of overload or failure, and for a body that is
 * not in WeChat Pay's form, such as a proxy page. One sign of an unknown outcome is enough, in the
 * status or in the code. Otherwise the code decides the reason. For `INVALID_REQUEST`, the message
 * decides.
 */
export function readRefusal(status: number, body: Uint8Array, signed: boolean): WalletFailure {
  const stated = readJson(envelope, body);
  const code = stated?.code.replaceAll("_", "") ?? "";
  const parts = [String(status), stated?.code, stated?.detail?.field, stated?.message];
  const detail = printable(parts.filter((part) => part !== undefined && part !== "").join(" "));
  if (status === 429 || RATE_LIMITED.test(code))
    return { name: "wallet.unknown", cause: "rate-limited", detail };
  const message = code === UNSPECIFIC ? (stated?.message ?? "") : "";
  if (BUSY.has(code) || BEING_PROCESSED.test(message))
    return { name: "wallet.unknown", cause: "busy", detail };
  if (status >= 500 || FAILED.has(code)) return { name: "wallet.unknown", cause: "server-error", detail };
  if (status < 400 || stated === undefined)
    return { name: "wallet.unknown", cause: "unverified", detail: `${detail}: not a response of WeChat Pay` };
  const reason = REASONS[code] ?? MESSAGES.find(([text]) => text.test(message))?.[1] ?? "other";
  return { name: "wallet.rejected", reason, trusted: signed, detail };
}

/** Returns a refusal by the adapter itself, which has sent no request. */
export function notSentRefusal(reason: WalletRejected["reason"], detail: string): WalletRejected {
  return { name: "wallet.rejected", reason, trusted: true, detail };
}

const MAX_DETAIL = 200;

function printable(text: string): string {
  return [...text.replaceAll(/\p{C}/gu, " ")].slice(0, MAX_DETAIL).join("");
}
