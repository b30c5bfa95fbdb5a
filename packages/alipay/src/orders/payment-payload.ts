import type { PayPayload, Prepayment, WalletAccount, WalletFailure } from "@tillkit/core";
import type { PaymentRequest } from "@tillkit/core/ports";
import { ok, type Result, ResultAsync } from "neverthrow";
import { refusedOutcome } from "../gateway/classify-result.js";
import { type GatewayDependencies, requireCredentials } from "../gateway/call-gateway.js";
import { signedParameters } from "../signing/signed-parameters.js";
import { orderRequest } from "./biz-content.js";
import { formText } from "../signing/signed-texts.js";

/**
 * Returns the payload that opens a payment.
 *
 * For APP, H5 and PC, the function signs the order, and the customer's device sends it to Alipay.
 * For NATIVE and JSAPI, the payload comes from the prepayment. {@link orderRequest} returns the
 * members of `biz_content`, and {@link signedParameters} adds the `timestamp` and the signature.
 */
export function paymentPayload(
  gateway: Pick<GatewayDependencies, "readCredentials" | "addresses">,
  account: WalletAccount,
  request: PaymentRequest,
  { values }: Prepayment,
  at: number,
): ResultAsync<PayPayload, WalletFailure> {
  if (request.paySource === "NATIVE" || request.paySource === "JSAPI")
    return new ResultAsync(Promise.resolve(preparedPayload(request.paySource, values)));
  return requireCredentials(gateway, account).asyncMap(async (credentials): Promise<PayPayload> => {
    const { notifyUrl, returnUrl } = request;
    const call = { returnUrl, ...orderRequest(request, account, credentials) };
    const parameters = await signedParameters(at, account, credentials, call);
    if (request.paySource === "APP")
      return Object.assign(parameters, { notify_url: notifyUrl, return_url: returnUrl });
    return { pay_url: `${gateway.addresses[account.appEnv]}?${formText(parameters)}` };
  });
}

function preparedPayload(
  paySource: "NATIVE" | "JSAPI",
  { qr_code, trade_no }: Prepayment["values"],
): Result<PayPayload, WalletFailure> {
  if (paySource === "NATIVE" && qr_code !== undefined) return ok({ qr_code });
  if (paySource === "JSAPI" && trade_no !== undefined) return ok({ tradeNO: trade_no });
  return refusedOutcome("other", "the prepayment does not belong to the paySource of this order");
}
