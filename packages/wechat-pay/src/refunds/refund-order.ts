import type {
  Wallet,
  WalletFailure,
  WalletRefund,
  WalletRefundRequest,
  WalletRequestText,
} from "@tillkit/core";
import { walletText } from "@tillkit/wallet-kit";
import { err, ok, type Result } from "neverthrow";
import type { CallGateway } from "../gateway/call-gateway.js";
import { isAbsent } from "../orders/query-order.js";
import { unreadableResponse } from "../gateway/unreadable-response.js";
import { readRefundAnswer } from "./read-refund.js";

const PATH = "/v3/refund/domestic/refunds";
/** In UTF-8 bytes. */
const MAX_REASON = 80;

/**
 * Creates the function that requests a refund from WeChat Pay.
 *
 * Success means that WeChat Pay accepted the refund, not that the customer has the money.
 */
export function refundOrder(call: CallGateway): Wallet["refund"] {
  return (account, request, limits) =>
    call(
      account,
      { method: "POST", path: PATH, body: refundBody(request), movesMoney: true },
      limits,
    ).andThen((answer) => statedRefund(answer, account.accountId));
}

/** Returns the request of a refund for an operator. WeChat Pay's signature is in a header. */
export function describeRefund(request: WalletRefundRequest): WalletRequestText {
  return { operation: `POST ${PATH}`, body: refundBody(request) };
}

function refundBody(request: WalletRefundRequest): string {
  const { outTradeNo, refundNo, amount, orderAmount, reason, notifyUrl } = request;
  return JSON.stringify({
    out_trade_no: outTradeNo,
    out_refund_no: refundNo,
    reason: walletText(reason, { maxBytes: MAX_REASON, fallback: refundNo }),
    ...(notifyUrl === "" ? {} : { notify_url: notifyUrl }),
    amount: { refund: amount, total: orderAmount, currency: "CNY" },
  });
}

/** Creates the function that queries the state of a refund at WeChat Pay. */
export function queryRefund(call: CallGateway): Wallet["queryRefund"] {
  return (account, { refundNo }, limits) => {
    const path = `${PATH}/${encodeURIComponent(refundNo)}`;
    return call(account, { method: "GET", path, body: "" }, limits)
      .andThen((answer): Result<WalletRefund | undefined, WalletFailure> =>
        statedRefund(answer, account.accountId),
      )
      .orElse((failure) => (isAbsent(failure) ? ok(undefined) : err(failure)));
  };
}

/** Reads a refund from a signed response. */
export function statedRefund(answer: Uint8Array, merchantId: string): Result<WalletRefund, WalletFailure> {
  const refund = readRefundAnswer(answer, merchantId);
  return refund === undefined ? err(unreadableResponse("refund")) : ok(refund);
}
