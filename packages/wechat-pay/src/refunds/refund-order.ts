import type { Wallet, WalletAccount, WalletFailure } from "@tillkit/core";
import type { WalletRefund, WalletRefundRequest, WalletRequestText } from "@tillkit/core/ports";
import { walletText } from "@tillkit/wallet-kit";
import { err, ok, type Result } from "neverthrow";
import type { ReadCredentials } from "../credentials/credentials-cache.js";
import type { FundsAccount } from "../credentials/parse-credentials.js";
import type { CallGateway } from "../gateway/call-gateway.js";
import { isAbsent } from "../orders/query-order.js";
import { unreadableResponse } from "../gateway/unreadable-response.js";
import { readRefundAnswer } from "./read-refund.js";
import { signingAccount, subMerchant } from "../credentials/signing-account.js";

const PATH = "/v3/refund/domestic/refunds";
/** In UTF-8 bytes. */
const MAX_REASON = 80;

/**
 * Creates the function that requests a refund from WeChat Pay.
 *
 * Success means that WeChat Pay accepted the refund, not that the customer has the money.
 *
 * Some merchants have two accounts. WeChat Pay takes refunds from unsettled payments, unless the
 * request names the available balance. So if the money is not enough and the pay tool names no
 * account, every second retry names the available balance. Two requests about one order must be a
 * minute apart, so one call never tries both.
 */
export function refundOrder(call: CallGateway, readCredentials: ReadCredentials): Wallet["refund"] {
  return (account, request, limits) => {
    const named = namedFunds(readCredentials, account);
    const tried = named ?? ((request.fundsRetry ?? 0) % 2 === 1 ? "AVAILABLE" : undefined);
    const body = refundBody(request, subMerchant(account), tried);
    return call(account, { method: "POST", path: PATH, body, movesMoney: true }, limits)
      .andThen((answer) => statedRefund(answer, account))
      .mapErr((failure) => withRemedy(failure, named, tried));
  };
}

/** Adds to a refusal what can make the refund succeed: another account, or a top-up. */
function withRemedy(
  failure: WalletFailure,
  named: FundsAccount | undefined,
  tried: FundsAccount | undefined,
): WalletFailure {
  if (failure.name === "wallet.unknown") return failure;
  if (named !== undefined)
    return failure.reason === "funds" ? { ...failure, remedy: "named-account" } : failure;
  if (tried === undefined)
    return failure.reason === "funds" ? { ...failure, remedy: "other-account" } : failure;
  // WeChat Pay refuses a named account if the merchant has only one. This must not end the refund.
  return { ...failure, reason: "funds" };
}

/**
 * Creates the function that returns the request of a refund for an operator.
 *
 * It is the first request: retries for lack of money may name another account. The text does not
 * contain the merchant's signature, which is in a header.
 */
export function describeRefund(
  readCredentials: ReadCredentials,
): (account: WalletAccount, request: WalletRefundRequest) => WalletRequestText {
  return (account, request) => {
    const body = refundBody(request, subMerchant(account), namedFunds(readCredentials, account));
    return { operation: `POST ${PATH}`, body };
  };
}

/** Returns the account that the pay tool names for refunds. */
function namedFunds(readCredentials: ReadCredentials, account: WalletAccount): FundsAccount | undefined {
  return readCredentials(signingAccount(account))
    .map(({ fundsAccount }) => fundsAccount)
    .unwrapOr(undefined);
}

function refundBody(request: WalletRefundRequest, merchant: object, fundsAccount?: FundsAccount): string {
  const { outTradeNo, refundNo, amount, orderAmount, reason, notifyUrl } = request;
  return JSON.stringify({
    ...merchant,
    out_trade_no: outTradeNo,
    out_refund_no: refundNo,
    reason: walletText(reason, { maxBytes: MAX_REASON, fallback: refundNo }),
    ...(notifyUrl === "" ? {} : { notify_url: notifyUrl }),
    ...(fundsAccount === undefined ? {} : { funds_account: fundsAccount }),
    amount: { refund: amount, total: orderAmount, currency: "CNY" },
  });
}

/** Creates the function that queries the state of a refund at WeChat Pay. */
export function queryRefund(call: CallGateway): Wallet["queryRefund"] {
  return (account, { refundNo }, limits) => {
    const query = new URLSearchParams(subMerchant(account)).toString();
    const path = `${PATH}/${encodeURIComponent(refundNo)}${query === "" ? "" : `?${query}`}`;
    return call(account, { method: "GET", path, body: "" }, limits)
      .andThen((answer): Result<WalletRefund | undefined, WalletFailure> => statedRefund(answer, account))
      .orElse((failure) => (isAbsent(failure) ? ok(undefined) : err(failure)));
  };
}

/** Reads a refund from a signed response. */
export function statedRefund(
  answer: Uint8Array,
  account: WalletAccount,
): Result<WalletRefund, WalletFailure> {
  const refund = readRefundAnswer(answer, account);
  return refund === undefined ? err(unreadableResponse("refund")) : ok(refund);
}
