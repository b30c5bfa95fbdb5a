import { centsOfYuan, type WalletAccount, type WalletFailure, yuanText } from "@tillkit/core";
import type { WalletRefund, WalletRefundRequest, WalletRequestText } from "@tillkit/core/ports";
import { instantOfBeijingTime } from "@tillkit/wallet-kit";
import { ok, okAsync, type Result, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { classifyResult, refusedOutcome, unknownOutcome } from "../gateway/classify-result.js";
import type { CallGateway } from "../gateway/call-gateway.js";
import { queryOrder } from "../orders/query-order.js";
import type { GatewayResponse } from "../gateway/read-response.js";
import { reasonText } from "./reason-text.js";
import { businessContent, type GatewayRequest } from "../signing/signed-parameters.js";
import { isUnknownTrade } from "../orders/is-unknown-trade.js";
import { evidenceDigest } from "../evidence-digest.js";

/**
 * Requests a refund from Alipay.
 *
 * The request does not contain the order amount, so the function first queries the trade and
 * compares its amount. The code 10000 means only that Alipay received the request. If `fund_change`
 * confirms that this call moved money, the refund is CONFIRMED. Otherwise the function queries the
 * refund.
 *
 * @param call - fails if a response is about another merchant.
 */
export function refundOrder(
  call: CallGateway,
  account: WalletAccount,
  request: WalletRefundRequest,
): ResultAsync<WalletRefund, WalletFailure> {
  const { outTradeNo, amount, orderAmount } = request;
  return queryOrder(call, account, outTradeNo)
    .andThen((trade) => {
      if (trade === undefined) return refusedOutcome("other", "the wallet has no such trade");
      return trade.amount === orderAmount && trade.currency === "CNY"
        ? ok(trade)
        : refusedOutcome("other", "the trade has another amount or currency");
    })
    .andThen(() => call(refundCall(request)))
    .andThen(classifyResult)
    .andThen((answer) =>
      answer["fund_change"] === "Y"
        ? okAsync(refundFact(account, request, "CONFIRMED", amount))
        : queryRefund(call, account, request).map(
            (known) => known ?? refundFact(account, request, "PROCESSING", amount),
          ),
    );
}

/**
 * Returns the request of a refund for an operator: its business content.
 *
 * The text leaves out the other parameters. They name the account, and one of them,
 * `app_auth_token`, is a secret.
 */
export function describeRefund(_account: WalletAccount, request: WalletRefundRequest): WalletRequestText {
  const call = refundCall(request);
  return { operation: call.method, body: businessContent(call) };
}

function refundCall({ outTradeNo, refundNo, amount, reason }: WalletRefundRequest): GatewayRequest {
  const refund_reason = reasonText(reason, refundNo);
  const content = { refund_amount: yuanText(amount), out_request_no: refundNo, refund_reason };
  return { method: "alipay.trade.refund", outTradeNo, content };
}

const statedRefund = z.object({
  out_request_no: z.string().optional(),
  trade_no: z.string().optional(),
  refund_amount: z.string().optional(),
  refund_status: z.string().optional(),
  gmt_refund_pay: z.string().optional(),
});

/**
 * Queries the state of a refund at Alipay.
 *
 * A response with an amount but without a status means that the refund did not succeed. Alipay then
 * expects the same refund call again, with the same number and amount (`sendAgain`).
 *
 * @param call - fails if a response is about another merchant.
 * @returns `undefined` if Alipay does not know the refund.
 */
export function queryRefund(
  call: CallGateway,
  account: WalletAccount,
  request: WalletRefundRequest,
): ResultAsync<WalletRefund | undefined, WalletFailure> {
  const { outTradeNo, refundNo } = request;
  const content = { out_request_no: refundNo, query_options: ["gmt_refund_pay"] };
  return call({ method: "alipay.trade.fastpay.refund.query", outTradeNo, content }).andThen((answer) =>
    isUnknownTrade(answer)
      ? ok(undefined)
      : classifyResult(answer).andThen((taken) => statedFact(account, request, taken)),
  );
}

function statedFact(
  account: WalletAccount,
  request: WalletRefundRequest,
  answer: GatewayResponse,
): Result<WalletRefund | undefined, WalletFailure> {
  const stated = statedRefund.safeParse(answer).data;
  if (stated === undefined)
    return unknownOutcome("server-error", "the refund does not have the documented format");
  if (stated.out_request_no !== undefined && stated.out_request_no !== request.refundNo)
    return unknownOutcome("unverified", "the response is about another refund");
  const settled = stated.refund_status === "REFUND_SUCCESS" || (stated.gmt_refund_pay ?? "") !== "";
  if (!settled && stated.refund_amount === undefined) return ok(undefined);
  const amount = centsOfYuan(stated.refund_amount ?? "");
  if (amount === undefined) return unknownOutcome("server-error", "the refund has no amount");
  const fact = refundFact(account, request, settled ? "CONFIRMED" : "PROCESSING", amount);
  const refundedAt = instantOfBeijingTime(stated.gmt_refund_pay ?? "");
  const { trade_no: walletTradeNo = "" } = stated;
  const known = {
    ...fact,
    ...(walletTradeNo === "" ? {} : { walletTradeNo }),
    ...(refundedAt === undefined ? {} : { refundedAt }),
  };
  return ok(settled ? known : { ...fact, sendAgain: true });
}

/** Returns a refund. Alipay returns neither its own refund number nor the merchant. */
function refundFact(
  { accountId: merchantId, provider }: WalletAccount,
  { outTradeNo, refundNo }: WalletRefundRequest,
  state: WalletRefund["state"],
  amount: number,
): WalletRefund {
  const provided = provider === undefined ? {} : { providerId: provider.accountId };
  const fact = { state, outTradeNo, refundNo, merchantId, ...provided, amount };
  return { ...fact, evidence: evidenceDigest(fact) };
}
