import type { CallLimits, Clock, WalletAccount, WalletFailure } from "@tillkit/core";
import { abortAfter, type InFlight, type NotBegun, signText } from "@tillkit/wallet-kit";
import { ok, type Result, ResultAsync } from "neverthrow";
import type { PlatformCertificates } from "../certificates/platform-certificates.js";
import { beijingTime } from "../times.js";
import { boundedFetch, type HttpAnswer, type NoHttpAnswer } from "./bounded-fetch.js";
import { rejected, unknown } from "./classify-answer.js";
import type { AlipayCredentials } from "../credentials/parse-credentials.js";
import type { ReadCredentials } from "../credentials/credentials-cache.js";
import { type Answer, certificateNamedIn, readAnswer } from "./read-answer.js";
import { requestText, formText, type Parameters } from "../signing/texts.js";

/** Bytes that an answer may have. The longest documented ones stay under ten thousand. */
const MAX_ANSWER = 256 * 1024;

/** A method of the wallet and the number of the order it is about, if it is about one. */
export interface Ask {
  readonly method: string;
  readonly outTradeNo?: string;
  /** What the method is told besides the number. */
  readonly content?: Readonly<Record<string, string | readonly string[]>>;
  readonly notifyUrl?: string;
}

/** Asks the wallet one question after the other, all within one deadline. Any answer that the wallet signed is ok, refusals too. */
export type Conversation = (ask: Ask) => ResultAsync<Answer, WalletFailure>;

/** What calls over the network need. */
export interface Gateway {
  readonly clock: Pick<Clock, "now">;
  readonly addresses: Readonly<Record<WalletAccount["appEnv"], string>>;
  readonly readCredentials: ReadCredentials;
  readonly inFlight: InFlight;
  readonly certificates: PlatformCertificates;
}

/** Opens a conversation for an account; its deadline begins now. */
export function converse(
  gateway: Gateway,
  account: WalletAccount,
  { deadline }: CallLimits,
): Result<Conversation, WalletFailure> {
  return usableCredentials(gateway, account).map((credentials) => {
    const signal = abortAfter(deadline);
    return (ask) =>
      gateway.inFlight
        .run(account.accountId, signal, async () => {
          const parameters = await signedParameters(gateway.clock.now(), account, credentials, ask);
          return post(gateway.addresses[account.appEnv], parameters, signal);
        })
        .mapErr(notBegun)
        .andThen((posted) => posted.mapErr(noAnswer))
        .andThen(answered)
        .andThen((body) => provenAnswer(gateway, account, credentials, ask, body, signal));
  });
}

/** Reads an answer; if a new certificate signed it, that is downloaded first. */
function provenAnswer(
  { certificates }: Pick<Gateway, "certificates">,
  account: WalletAccount,
  credentials: AlipayCredentials,
  ask: Ask,
  body: Uint8Array,
  signal: AbortSignal,
): ResultAsync<Answer, WalletFailure> {
  const read = () => readAnswer(body, ask, certificates.keys(account, credentials));
  const attempt = async () => {
    const answer = read();
    if (answer.isOk()) return answer;
    const sn = certificateNamedIn(body);
    return (await certificates.learn(account, credentials, sn, "answer", signal)) ? read() : answer;
  };
  return new ResultAsync(attempt());
}

/** The credentials of an account, or a failure that says what is wrong with them. */
export function usableCredentials(
  { readCredentials }: Pick<Gateway, "readCredentials">,
  account: WalletAccount,
): Result<AlipayCredentials, WalletFailure> {
  return readCredentials(account).orElse((problems) =>
    rejected("configuration", problems.map(({ message }) => message).join(" ")),
  );
}

/** The parameters of a request as of `at`, signed. Source: the wallet's rules for requests. */
export async function signedParameters(
  at: number,
  { walletAppId }: WalletAccount,
  { appKey, certificates }: AlipayCredentials,
  { method, outTradeNo, content, notifyUrl, returnUrl }: Ask & { readonly returnUrl?: string },
) {
  const parameters = {
    app_id: walletAppId,
    method,
    format: "JSON",
    charset: "utf-8",
    sign_type: "RSA2",
    timestamp: beijingTime(at),
    version: "1.0",
    ...(certificates === undefined
      ? {}
      : { app_cert_sn: certificates.appCertSn, alipay_root_cert_sn: certificates.rootCertSn }),
    ...(notifyUrl === undefined ? {} : { notify_url: notifyUrl }),
    ...(returnUrl === undefined ? {} : { return_url: returnUrl }),
    // Without an order `out_trade_no` is left out: `undefined` has no place in JSON.
    biz_content: JSON.stringify({ out_trade_no: outTradeNo, ...content }),
  };
  return { ...parameters, sign: await signText(requestText(parameters), appKey) };
}

/**
 * Posts signed parameters. The business content goes into the body, the rest into the address,
 * where the wallet looks for the character set first.
 */
export function post(address: string, { biz_content, ...common }: Parameters, signal: AbortSignal) {
  const headers = {
    "content-type": "application/x-www-form-urlencoded; charset=utf-8",
    accept: "application/json",
  };
  const body = formText({ biz_content: biz_content ?? "" });
  const request = { method: "POST", headers, body };
  return boundedFetch(`${address}?${formText(common)}`, request, { signal, maxBytes: MAX_ANSWER });
}

/** The body of an answer with the one status that counts. */
export function answered({ status, body }: HttpAnswer): Result<Uint8Array, WalletFailure> {
  if (status === 200) return ok(body);
  return unknown(status === 429 ? "rate-limited" : "server-error", `HTTP status ${status}`);
}

/** The failure of a request that has no whole answer. */
export function noAnswer({ cause, detail }: NoHttpAnswer): WalletFailure {
  return {
    name: "wallet.unknown",
    cause: cause === "too-large" ? "unverified" : cause,
    detail: cause === "too-large" ? `the answer has ${detail}` : detail,
  };
}

function notBegun(cause: NotBegun): WalletFailure {
  const detail = {
    busy: "too many calls wait for this merchant",
    timeout: "the call's turn did not come in time",
  };
  return { name: "wallet.unknown", cause, detail: `${detail[cause]}: nothing was sent` };
}
