import type { Clock, Random, WalletAccount, WalletFailure } from "@tillkit/core";
import type { CallLimits, MessageHeaders } from "@tillkit/core/ports";
import {
  type KeyedLimiter,
  type MeasureClock,
  notStartedFailure,
  type RequestHeaders,
  withDeadline,
} from "@tillkit/wallet-kit";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { PlatformCertificates } from "../certificates/platform-certificates.js";
import type { ReadCredentials } from "../credentials/credentials-cache.js";
import type { WechatPayCredentials } from "../credentials/parse-credentials.js";
import { problemsText } from "../credentials/credential-problem.js";
import { MAX_RESPONSE_SKEW, signerOf, type Unverified, verifyMessage } from "../signing/verify-message.js";
import { sendHttpRequest, type HttpResponse } from "./send-http-request.js";
import { type GatewayRequest, sendSigned } from "./send-signed.js";
import type { GatewayOf } from "./gateways.js";
import type { HostSelector } from "./host-selector.js";
import { readRefusal, notSentRefusal } from "./read-refusal.js";
import type { SendDeadline } from "./try-hosts.js";
import { signingAccount } from "../credentials/signing-account.js";

/** Sends a request and returns the body of a signed success response. */
export type CallGateway = (
  account: WalletAccount,
  request: GatewayRequest,
  limits: CallLimits,
) => ResultAsync<Uint8Array, WalletFailure>;

/** Dependencies and limits of API calls. */
export interface GatewayDependencies {
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly requestHeaders: RequestHeaders;
  readonly gatewayOf: GatewayOf;
  readonly readCredentials: ReadCredentials;
  readonly limiter: KeyedLimiter;
  readonly maxAnswerBytes: number;
  readonly platform: PlatformCertificates;
  readonly measureClock: MeasureClock;
}

/**
 * Creates the function that calls WeChat Pay.
 *
 * It signs each request, obeys the deadline and the concurrency limit of the merchant, and verifies
 * each response.
 */
export function gatewayCaller(options: GatewayDependencies): CallGateway {
  const { gatewayOf, readCredentials, limiter } = options;
  const call: (...of: Parameters<CallGateway>) => Promise<Result<Uint8Array, WalletFailure>> = async (
    merchant,
    request,
    { deadline },
  ) => {
    const account = signingAccount(merchant);
    const hosts = gatewayOf(account);
    if (hosts === undefined)
      return err(notSentRefusal("configuration", "a DEV account needs gateways.DEV; nothing was sent"));
    const read = readCredentials(account);
    if (read.isErr()) return err(notSentRefusal("configuration", problemsText(read.error)));
    const until = performance.now() + deadline;
    // Read now, in the async context of the caller: the limiter may start the call later.
    const sent = Object.assign({}, request, { headers: options.requestHeaders() });
    return withDeadline(deadline, async (signal) => {
      const called = await limiter.run(account.accountId, signal, () =>
        callOnce(options, account, hosts, read.value, sent, { signal, until }),
      );
      return called.isOk() ? called.value : err(notStartedFailure(called.error));
    });
  };
  return (account, request, limits) => new ResultAsync(call(account, request, limits));
}

async function callOnce(
  options: GatewayDependencies,
  account: WalletAccount,
  hosts: HostSelector,
  credentials: WechatPayCredentials,
  request: GatewayRequest,
  deadline: SendDeadline,
): Promise<Result<Uint8Array, WalletFailure>> {
  const { clock, random, maxAnswerBytes, platform, measureClock } = options;
  const sending = { clock, random, account, credentials, request };
  const answer = await sendSigned(sending, hosts, deadline, async (host, signed, timeouts) => {
    const sentAt = clock.now();
    const received = await sendHttpRequest(host, signed, { maxAnswerBytes, ...timeouts });
    if (received.isOk()) measureClock(account.appEnv, sentAt, statedTime(received.value.headers));
    return received;
  });
  if (answer.isErr()) return err(answer.error);
  const verified = await verifyResponse(options, account, credentials, answer.value, deadline.signal);
  platform.refresh(account, credentials);
  return verifiedBody(verified, answer.value);
}

/** Returns when WeChat Pay signed or sent a response, in epoch milliseconds. */
function statedTime(headers: MessageHeaders): number | undefined {
  const seconds = headers.get("wechatpay-timestamp") ?? "";
  return /^\d{1,12}$/.test(seconds) ? Number(seconds) * 1_000 : Date.parse(headers.get("date") ?? "");
}

/** Verifies a response. If its certificate is unknown, downloads the certificates first. */
async function verifyResponse(
  { clock, platform }: Pick<GatewayDependencies, "clock" | "platform">,
  account: WalletAccount,
  credentials: WechatPayCredentials,
  { headers, body }: HttpResponse,
  signal: AbortSignal,
): Promise<Result<void, Unverified>> {
  const keys = platform.keys(account, credentials);
  const verify = () => verifyMessage(keys, headers, body, { now: clock.now(), skew: MAX_RESPONSE_SKEW });
  const verified = verify();
  if (verified.isOk() || verified.error !== "unknown-key") return verified;
  return (await platform.downloadMissing(account, credentials, signerOf(headers), signal))
    ? verify()
    : verified;
}

// A success response must be signed. WeChat Pay does not promise to sign other responses. If one is
// signed, its signature must be valid.
function verifiedBody(
  verified: Result<void, Unverified>,
  { status, body }: HttpResponse,
): Result<Uint8Array, WalletFailure> {
  const success = status === 200 || status === 204;
  if (verified.isOk()) return success ? ok(body) : err(readRefusal(status, body, true));
  if (!success && (verified.error === "unsigned" || status >= 500))
    return err(readRefusal(status, body, false));
  const detail = `${status}: ${UNTRUSTED[verified.error]}`;
  return err({ name: "wallet.unknown", cause: "unverified", detail });
}

const UNTRUSTED: Readonly<Record<Unverified, string>> = {
  unsigned: "the response is not signed",
  probe: "the response is a probe with an invalid signature",
  malformed: "the signature headers of the response do not have the expected format",
  "unknown-key":
    "the response is signed with a key that platformKeys does not contain and that could not be downloaded; add it there",
  forged: "the signature of the response is not that of WeChat Pay",
  stale: "the time of the response differs by more than 5 minutes; set the clock of this machine",
};
