import type {
  PaymentRequest,
  PayPayload,
  Prepayment,
  Wallet,
  WalletAccount,
  WalletFailure,
} from "@tillkit/core";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { SandboxKeys } from "../keys.js";
import { refusal } from "../faulty.js";
import { ledgerCalls, type WalletSide } from "../ledger-calls.js";
import type { LedgerOrder } from "../ledger-order.js";
import { ownWords } from "../shared/own-words.js";
import { serialNo } from "../shared/certificate.js";
import { belongTogether, publicKeyOf, signText } from "../shared/rsa.js";
import { settled } from "../shared/settled.js";
import { sha256 } from "../shared/sha256.js";
import { readWalletAKeys } from "./credentials.js";
import { readRefund, readTransaction, refundText, transactionText } from "./facts.js";
import { LIFETIMES, prepaymentValues } from "./prepayment.js";
import { readWalletANotification } from "./read-notification.js";
import { appPayloadText } from "./sign.js";

/** What WALLET_A's client side needs of the rest of the sandbox. */
export interface WalletAOptions extends WalletSide {
  readonly keys: SandboxKeys["walletA"];
}

/** WALLET_A as the service sees it. */
export function walletAClient(options: WalletAOptions): Wallet {
  const { keys } = options;
  const problems = (account: WalletAccount) => problemsOf(account, keys);
  return {
    payChannel: "WALLET_A",
    checkAccount: (account) => Promise.resolve(problems(account)),
    localPrepayment: () => undefined,
    ...ledgerCalls(options, {
      problems,
      lifetime: ({ paySource }) => LIFETIMES[paySource],
      values: ({ paySource }, token) => prepaymentValues(paySource, token),
      stateOrder: (order) => ownWords(readTransaction(transactionText(wholeRefundsOnly(order)))),
      stateRefund: (order, refund) => ownWords(readRefund(refundText(order, refund))),
    }),
    payload: (account, request, prepayment, at) =>
      new ResultAsync(payloadOf(account, request, prepayment, at)),
    readNotification: (account, notification, time) => {
      const result = readWalletAKeys(account)
        .mapErr(() => ({ name: "notification.refused", reason: "unverified" }) as const)
        .andThen((known) => readWalletANotification(known, notification, time));
      return settled(result);
    },
    answer: (taken) =>
      taken
        ? { status: 204, contentType: "application/json", body: "" }
        : {
            status: 401,
            contentType: "application/json",
            body: JSON.stringify({ code: "FAIL", message: "not taken" }),
          },
  };
}

// A part that went back makes no difference to the port, and WALLET_A has one word for parts and the whole.
function wholeRefundsOnly(order: LedgerOrder): LedgerOrder {
  return order.state === "REFUNDED" ? order : { ...order, refunds: [] };
}

async function payloadOf(
  account: WalletAccount,
  { paySource }: PaymentRequest,
  { values }: Prepayment,
  at: number,
): Promise<Result<PayPayload, WalletFailure>> {
  const { code_url, h5_url, prepay_id: prepayid } = values;
  if (paySource === "NATIVE" && code_url !== undefined) return ok({ code_url });
  if (paySource === "H5" && h5_url !== undefined) return ok({ h5_url });
  if (paySource !== "APP" || prepayid === undefined)
    return err(refusal("other", "the prepayment is not for this order"));
  const keys = readWalletAKeys(account);
  if (keys.isErr()) return err(refusal("configuration", keys.error.join("; ")));
  const appid = account.walletAppId;
  const timestamp = Math.floor(at / 1000);
  // Made of what it is signed with, so that everyone who asks at one time is told the same.
  const noncestr = sha256(`${prepayid}\n${at}`).slice(0, 32).toUpperCase();
  const sign = await signText(appPayloadText(appid, timestamp, noncestr, prepayid), keys.value.merchantKey);
  return ok({
    appid,
    partnerid: account.accountId,
    prepayid,
    noncestr,
    package: "Sign=WXPay",
    timestamp,
    sign,
  });
}

function problemsOf(account: WalletAccount, registered: SandboxKeys["walletA"]): readonly string[] {
  const keys = readWalletAKeys(account);
  if (keys.isErr()) return keys.error;
  const { merchantKey, apiV3Key, walletKeys } = keys.value;
  const merchant = publicKeyOf(registered.merchant.publicKey);
  const wallet = publicKeyOf(registered.wallet.publicKey);
  const known = merchant !== undefined && belongTogether(merchantKey, merchant);
  const trusted = wallet !== undefined && [...walletKeys.values()].some((key) => key.equals(wallet));
  return [
    account.appEnv === "DEV" ? [] : ["the sandbox serves DEV accounts only"],
    known ? [] : ["merchantPrivateKey is not the key of the sandbox's merchant"],
    account.credentials["merchantSerialNo"] === serialNo(registered.merchant.publicKey)
      ? []
      : ["merchantSerialNo is not the number of the sandbox's merchant"],
    apiV3Key === registered.apiV3Key ? [] : ["apiV3Key is not the one of the sandbox's merchant"],
    trusted ? [] : ["platformKeys lacks the key the sandbox's WALLET_A signs with"],
  ].flat();
}
