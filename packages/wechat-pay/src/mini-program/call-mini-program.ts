import type { WalletAccount, WalletFailure } from "@tillkit/core";
import type { CallLimits } from "@tillkit/core/ports";
import {
  type KeyedLimiter,
  notStartedFailure,
  readJson,
  type RequestHeaders,
  withDeadline,
} from "@tillkit/wallet-kit";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import * as z from "zod";
import { noResponseFailure } from "../gateway/send-signed.js";
import type { GatewayOf } from "../gateway/gateways.js";
import type { HostSelector } from "../gateway/host-selector.js";
import { notSentRefusal } from "../gateway/read-refusal.js";
import { type HttpResponse, sendHttpRequest } from "../gateway/send-http-request.js";
import { type SendDeadline, tryHosts } from "../gateway/try-hosts.js";

/** A call of the mini-program API. It may be repeated, so it goes to the next host if one fails. */
export interface MiniProgramRequest {
  /** Percent-encoded path. */
  readonly path: string;
  /** The token, which is a query parameter of the call. Absent if the body has the secret. */
  readonly token?: string;
  readonly body: object;
}

/** The answer of the mini-program API. `code` is 0 after success. */
export interface MiniProgramAnswer {
  readonly code: number;
  /** The code and WeChat's text about it, without the id of the request. */
  readonly detail: string;
  readonly body: Uint8Array;
}

/** Sends a request and returns WeChat's answer. */
export type CallMiniProgram = (
  account: WalletAccount,
  request: MiniProgramRequest,
  limits: CallLimits,
) => ResultAsync<MiniProgramAnswer, WalletFailure>;

/** Dependencies and limits of calls of the mini-program API. */
export interface MiniProgramDependencies {
  readonly gatewayOf: GatewayOf;
  readonly limiter: KeyedLimiter;
  readonly maxAnswerBytes: number;
  readonly requestHeaders: RequestHeaders;
}

const envelope = z.object({ errcode: z.int().default(0), errmsg: z.string().catch("") });

/**
 * Creates the function that calls the mini-program API.
 *
 * Requests and answers are not signed. Only the token or the secret authenticates the caller, and
 * only TLS authenticates WeChat. No failure contains the token or the secret.
 */
export function miniProgramCaller(options: MiniProgramDependencies): CallMiniProgram {
  const call = async (
    account: WalletAccount,
    request: MiniProgramRequest,
    { deadline }: CallLimits,
  ): Promise<Result<MiniProgramAnswer, WalletFailure>> => {
    const hosts = options.gatewayOf(account);
    if (hosts === undefined) return err(NO_GATEWAY);
    const until = performance.now() + deadline;
    // Read now, in the async context of the caller: the limiter may start the call later.
    const headers = { ...options.requestHeaders(), ...JSON_HEADERS };
    return withDeadline(deadline, async (signal) => {
      const called = await options.limiter.run(`mini-program ${account.walletAppId}`, signal, () =>
        callOnce(options, hosts, request, headers, { signal, until }),
      );
      return called.isOk() ? called.value : err(notStartedFailure(called.error));
    });
  };
  return (account, request, limits) => new ResultAsync(call(account, request, limits));
}

const NO_GATEWAY = notSentRefusal(
  "configuration",
  "a DEV account needs gateways.DEV or miniProgramGateways.DEV; nothing was sent",
);
const JSON_HEADERS = {
  accept: "application/json",
  "content-type": "application/json",
  "user-agent": "tillkit-wechat-pay",
};

async function callOnce(
  { maxAnswerBytes }: MiniProgramDependencies,
  hosts: HostSelector,
  { path, token, body: sent }: MiniProgramRequest,
  headers: Readonly<Record<string, string>>,
  deadline: SendDeadline,
): Promise<Result<MiniProgramAnswer, WalletFailure>> {
  const query = token === undefined ? "" : `?access_token=${encodeURIComponent(token)}`;
  const body = JSON.stringify(sent);
  const answer = await tryHosts(hosts, true, deadline, async (host, timeouts) => {
    const target = `${host.basePath}${path}${query}`;
    const request = { method: "POST", target, headers, body } as const;
    for (;;) {
      const got = await sendHttpRequest(host, request, { maxAnswerBytes, ...timeouts });
      // The gateway closed a kept-alive connection. The loop ends because a new one is never stale.
      if (got.isOk() || got.error.reason !== "stale-connection") return got;
    }
  });
  return answer.isErr() ? err(noResponseFailure(answer.error)) : readAnswer(answer.value);
}

function readAnswer({ status, body }: HttpResponse): Result<MiniProgramAnswer, WalletFailure> {
  const detail = String(status);
  if (status === 429) return err({ name: "wallet.unknown", cause: "rate-limited", detail });
  if (status >= 500) return err({ name: "wallet.unknown", cause: "server-error", detail });
  const stated = status === 200 ? readJson(envelope, body) : undefined;
  if (stated === undefined)
    return err({
      name: "wallet.unknown",
      cause: "unverified",
      detail: `${detail}: not a response of WeChat`,
    });
  const { errcode, errmsg } = stated;
  return ok({ code: errcode, detail: `${String(errcode)} ${plainText(errmsg)}`.trim(), body });
}

const MAX_DETAIL = 200;

/** Returns the text without `rid` and `hint`, which differ for each request. */
function plainText(errmsg: string): string {
  const text = errmsg
    .replaceAll(/,?\s*hint:\s*\[[^\]]*\]/g, "")
    .replaceAll(/\s*rid:\s*\S+/g, "")
    .replaceAll(/\p{C}/gu, " ");
  return [...text.trim()].slice(0, MAX_DETAIL).join("");
}
