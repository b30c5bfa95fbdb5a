import type { WalletFailure, WalletRejected } from "@tillkit/core";
import type { FundsRemedy } from "@tillkit/core/ports";
import { err, ok, type Result } from "neverthrow";

/** The codes of every Alipay response. */
export interface ResultCode {
  readonly code: string;
  readonly sub_code?: string | undefined;
}

/** The reason for each `sub_code` of a refused business request. Any other sub-code is `other`. */
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
  "ACQ.REFUND_ACCOUNT_NOT_EXIST": "funds",
};

/** What must happen before Alipay can pay a refund, by `sub_code`. By default a top-up. */
const REMEDIES: Readonly<Record<string, FundsRemedy>> = {
  // Alipay could not return its fee. The same refund can succeed later.
  "ACQ.REFUND_CHARGE_ERROR": "wait",
  "ACQ.REFUND_ACCOUNT_NOT_EXIST": "repair-account",
};

/**
 * Codes of requests that Alipay refused before it processed the order.
 *
 * They stand for failed authorisation, missing or invalid parameters, and missing permission.
 */
const REFUSED_REQUEST = new Set(["20001", "40001", "40002", "40003", "40006"]);

/**
 * Classifies a verified response as success, refusal, or unknown outcome.
 *
 * An unknown `code` is an unknown outcome, because another call costs less than a wrong refusal.
 * Every response with the code 40004 and without a known temporary `sub_code` is a refusal.
 */
export function classifyResult<T extends ResultCode>(answer: T): Result<T, WalletFailure> {
  const { code, sub_code: subCode = "" } = answer;
  const detail = detailOf(answer);
  if (code === "10000") return ok(answer);
  if (code === "20000" || /(^|[._])SYSTEM_ERROR$/i.test(subCode) || /^(isp|aop)\.unknow/.test(subCode))
    return unknownOutcome("server-error", detail);
  if (code === "40005" || /-call-limited$/.test(subCode)) return unknownOutcome("rate-limited", detail);
  if (code === "10003") return unknownOutcome("busy", detail);
  if (code === "40004") return refusedOutcome(REASONS[subCode] ?? "other", detail, REMEDIES[subCode]);
  if (REFUSED_REQUEST.has(code))
    return refusedOutcome(subCode === "isv.invalid-parameter" ? "other" : "configuration", detail);
  return unknownOutcome("server-error", detail);
}

/**
 * Returns Alipay's codes for an operator.
 *
 * The messages are left out, because they may quote the request or name the customer.
 */
export function detailOf({ code, sub_code: subCode = "" }: ResultCode): string {
  return ["WALLET_B answered", ...[code, subCode].filter((word) => /^[\w.-]{1,64}$/.test(word))].join(" ");
}

/** Returns the failure of an unknown outcome. */
export function unknownOutcome(
  cause: Extract<WalletFailure, { name: "wallet.unknown" }>["cause"],
  detail: string,
) {
  return err<never, WalletFailure>({ name: "wallet.unknown", cause, detail });
}

/** Returns a trusted refusal: Alipay signed it, or nothing was sent. */
export function refusedOutcome(reason: WalletRejected["reason"], detail: string, remedy?: FundsRemedy) {
  return err<never, WalletFailure>({
    name: "wallet.rejected",
    reason,
    trusted: true,
    detail,
    ...(remedy === undefined ? {} : { remedy }),
  });
}
