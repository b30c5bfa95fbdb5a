import type { WalletFailure, WalletRejected } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";

/** What every answer of the wallet says first. */
export interface AnswerCode {
  readonly code: string;
  readonly sub_code?: string | undefined;
}

/** What a `sub_code` of a refused business request means; the others are refusals for a reason of their own. */
const REASONS: Readonly<Record<string, WalletRejected["reason"]>> = {
  "ACQ.TRADE_HAS_SUCCESS": "paid",
  "ACQ.TRADE_HAS_FINISHED": "paid",
  "ACQ.TRADE_HAS_CLOSE": "closed",
  "ACQ.CONTEXT_INCONSISTENT": "conflict",
  "ACQ.TRADE_BUYER_NOT_MATCH": "conflict",
  "ACQ.DISCORDANT_REPEAT_REQUEST": "conflict",
  "ACQ.ACCESS_FORBIDDEN": "configuration",
  "ACQ.PARTNER_ERROR": "configuration",
  "ACQ.SELLER_BALANCE_NOT_ENOUGH": "funds",
  "ACQ.REFUND_CHARGE_ERROR": "funds",
};

/** Requests refused before anybody looked at the order: authorisation, missing and invalid parameters, permission. */
const REFUSED_REQUEST = new Set(["20001", "40001", "40002", "40003", "40006"]);

/**
 * What a verified answer means: done, refused for good, or open. Whatever is not known for a definite no is open, for asking again costs
 * a call and a wrong no costs money.
 */
export function classifyAnswer<T extends AnswerCode>(answer: T): Result<T, WalletFailure> {
  const { code, sub_code: subCode = "" } = answer;
  const detail = detailOf(answer);
  if (code === "10000") return ok(answer);
  if (code === "20000" || /(^|[._])SYSTEM_ERROR$/i.test(subCode) || /^(isp|aop)\.unknow/.test(subCode))
    return unknown("server-error", detail);
  if (code === "40005" || /-call-limited$/.test(subCode)) return unknown("rate-limited", detail);
  if (code === "10003") return unknown("busy", detail);
  if (code === "40004") return rejected(REASONS[subCode] ?? "other", detail);
  if (REFUSED_REQUEST.has(code))
    return rejected(subCode === "isv.invalid-parameter" ? "other" : "configuration", detail);
  return unknown("server-error", detail);
}

/** The wallet's codes for an operator. Its sentences are left out: they may quote the request, or name the customer. */
export function detailOf({ code, sub_code: subCode = "" }: AnswerCode): string {
  return ["WALLET_B answered", ...[code, subCode].filter((word) => /^[\w.-]{1,64}$/.test(word))].join(" ");
}

/** An outcome that is not known. */
export function unknown(cause: Extract<WalletFailure, { name: "wallet.unknown" }>["cause"], detail: string) {
  return err<never, WalletFailure>({ name: "wallet.unknown", cause, detail });
}

/** A definite no: signed by the wallet, or nothing was sent. */
export function rejected(reason: WalletRejected["reason"], detail: string) {
  return err<never, WalletFailure>({ name: "wallet.rejected", reason, proven: true, detail });
}
