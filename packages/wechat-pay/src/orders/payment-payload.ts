import { createHash } from "node:crypto";
import type { PayPayload, Wallet, WalletAccount, WalletFailure } from "@tillkit/core";
import { signText } from "@tillkit/wallet-kit";
import { err, errAsync, ok, okAsync, type Result, ResultAsync } from "neverthrow";
import type { ReadCredentials } from "../credentials/credentials-cache.js";
import { problemsText } from "../credentials/credential-problem.js";
import { notSentRefusal } from "../gateway/read-refusal.js";
import { payloadText } from "../signing/signed-texts.js";
import { signingAccount } from "../credentials/signing-account.js";
import { withRedirect } from "./request-options.js";

/**
 * Creates the function that returns the payload of a prepayment, which opens the payment.
 *
 * For APP and JSAPI the payload is signed on each call, because the prepayment does not contain a
 * signature of the merchant.
 */
export function paymentPayload(readCredentials: ReadCredentials): Wallet["payload"] {
  return (account, request, { values }, at) => {
    const { paySource } = request;
    const { prepay_id, code_url, h5_url } = values;
    if (paySource === "APP" && prepay_id !== undefined)
      return new ResultAsync(appPayload(readCredentials, account, prepay_id, at));
    if (paySource === "JSAPI" && prepay_id !== undefined)
      return new ResultAsync(jsapiPayload(readCredentials, account, prepay_id, at));
    if (paySource === "NATIVE" && code_url !== undefined) return okAsync({ code_url });
    if (paySource === "H5" && h5_url !== undefined) return okAsync({ h5_url: withRedirect(h5_url, request) });
    return errAsync(notSentRefusal("other", "the prepayment does not belong to the paySource of this order"));
  };
}

async function appPayload(
  readCredentials: ReadCredentials,
  account: WalletAccount,
  prepayid: string,
  at: number,
): Promise<Result<PayPayload, WalletFailure>> {
  const read = readCredentials(signingAccount(account));
  if (read.isErr()) return err(notSentRefusal("configuration", problemsText(read.error)));
  const { walletAppId: appid, accountId: partnerid } = account;
  const timestamp = Math.floor(at / 1000);
  const noncestr = nonceOf(prepayid, at);
  const sign = await signText(payloadText(appid, timestamp, noncestr, prepayid), read.value.merchantKey);
  return ok({ appid, partnerid, prepayid, noncestr, package: "Sign=WXPay", timestamp, sign });
}

async function jsapiPayload(
  readCredentials: ReadCredentials,
  account: WalletAccount,
  prepayId: string,
  at: number,
): Promise<Result<PayPayload, WalletFailure>> {
  const read = readCredentials(signingAccount(account));
  if (read.isErr()) return err(notSentRefusal("configuration", problemsText(read.error)));
  const { walletAppId: appId } = account;
  const seconds = Math.floor(at / 1000);
  const nonceStr = nonceOf(prepayId, at);
  const opener = `prepay_id=${prepayId}`;
  const paySign = await signText(payloadText(appId, seconds, nonceStr, opener), read.value.merchantKey);
  return ok({ appId, timeStamp: String(seconds), nonceStr, package: opener, signType: "RSA", paySign });
}

// Derived from the prepayment and the time, so that concurrent calls return equal payloads.
function nonceOf(prepayId: string, at: number): string {
  return createHash("sha256").update(`${prepayId}\n${at}`).digest("hex").slice(0, 32);
}
