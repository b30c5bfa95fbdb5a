import type { PaymentRequest, PayPayload, Prepayment, WalletAccount, WalletFailure } from "@tillkit/core";
import { ok, ResultAsync } from "neverthrow";
import { rejected } from "./classify-answer.js";
import { type Gateway, signedParameters, usableCredentials } from "./gateway.js";
import { orderAsk } from "./order-content.js";
import { formText } from "./sign-text.js";

/** What opens a payment: for an app and a browser it is signed here, and the wallet first hears of the order from its customer. */
export function payloadOf(
  gateway: Pick<Gateway, "readCredentials" | "addresses">,
  account: WalletAccount,
  request: PaymentRequest,
  { values }: Prepayment,
  at: number,
): ResultAsync<PayPayload, WalletFailure> {
  if (request.paySource === "NATIVE") {
    const { qr_code } = values;
    const payload =
      qr_code === undefined
        ? rejected("other", "the prepayment is not one of this wallet's codes")
        : ok({ qr_code });
    return new ResultAsync(Promise.resolve(payload));
  }
  return usableCredentials(gateway, account).asyncMap(async (credentials): Promise<PayPayload> => {
    const { notifyUrl, returnUrl } = request;
    const ask = { ...orderAsk(request), notifyUrl, returnUrl };
    const parameters = await signedParameters(at, account, credentials, ask);
    if (request.paySource === "APP") return { ...parameters, notify_url: notifyUrl, return_url: returnUrl };
    return { pay_url: `${gateway.addresses[account.appEnv]}?${formText(parameters)}` };
  });
}
