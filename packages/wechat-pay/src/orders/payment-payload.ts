import { createHash } from "node:crypto";
import type { PayPayload, Wallet, WalletAccount, WalletFailure } from "@tillkit/core";
import { signText } from "@tillkit/runtime";
import { err, errAsync, ok, okAsync, type Result, ResultAsync } from "neverthrow";
import type { ReadCredentials } from "../credentials/credentials-cache.js";
import { problemsText } from "../credentials/problems-text.js";
import { unsent } from "../gateway/read-refusal.js";
import { appPayloadText } from "../signing/texts.js";

/** What opens the payment with a prepayment. For an app it is signed anew each time: the prepayment itself has no signature of ours. */
export function paymentPayload(readCredentials: ReadCredentials): Wallet["payload"] {
  return (account, { paySource }, { values }, at) => {
    const { prepay_id, code_url, h5_url } = values;
    if (paySource === "APP" && prepay_id !== undefined)
      return new ResultAsync(appPayload(readCredentials, account, prepay_id, at));
    if (paySource === "NATIVE" && code_url !== undefined) return okAsync({ code_url });
    if (paySource === "H5" && h5_url !== undefined) return okAsync({ h5_url });
    return errAsync(unsent("other", "the prepayment is not one of this order's paySource"));
  };
}

async function appPayload(
  readCredentials: ReadCredentials,
  account: WalletAccount,
  prepayid: string,
  at: number,
): Promise<Result<PayPayload, WalletFailure>> {
  const read = readCredentials(account);
  if (read.isErr()) return err(unsent("configuration", problemsText(read.error)));
  const { walletAppId: appid, accountId: partnerid } = account;
  const timestamp = Math.floor(at / 1000);
  // Made of what it stands beside, so that everyone who asks at one time is told the same.
  const noncestr = createHash("sha256").update(`${prepayid}\n${at}`).digest("hex").slice(0, 32);
  const sign = await signText(appPayloadText(appid, timestamp, noncestr, prepayid), read.value.merchantKey);
  return ok({ appid, partnerid, prepayid, noncestr, package: "Sign=WXPay", timestamp, sign });
}
