import type {
  CallLimits,
  Clock,
  MessageHeaders,
  Random,
  WalletAccount,
  WalletFailure,
  WalletUnknown,
} from "@tillkit/core";
import {
  type KeyedLimiter,
  type MeasureClock,
  notStartedFailure,
  type RequestHeaders,
  signText,
  withDeadline,
} from "@tillkit/wallet-kit";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { PlatformCertificates } from "../certificates/platform-certificates.js";
import type { ReadCredentials } from "../credentials/credentials-cache.js";
import type { WechatPayCredentials } from "../credentials/parse-credentials.js";
import { problemsText } from "../credentials/credential-problem.js";
import { requestText } from "../signing/signed-texts.js";
import { signerOf, type Unverified, verifyMessage } from "../signing/verify-message.js";
import {
  sendHttpRequest,
  type NoResponse,
  type ResponseTimeouts,
  type HttpResponse,
  type WireRequest,
} from "./send-http-request.js";
import type { GatewayHost, GatewayOf } from "./gateways.js";
import type { HostSelector } from "./host-selector.js";
import { readRefusal, notSentRefusal } from "./read-refusal.js";
import { type SendDeadline, tryHosts } from "./try-hosts.js";
import { signingAccount } from "../credentials/signing-account.js";

/** A request to the API. */
export interface GatewayRequest {
  readonly method: "GET" | "POST";
  /** Path and query, percent-encoded. */
  readonly path: string;
  /** JSON text, serialised once so that the signed text equals the sent text. Empty for GET. */
  readonly body: string;
  /** The id of the WeChat Pay key that encrypted fields of the body. */
  readonly platformKeyId?: string;
  /**
   * Whether the request moves money, so that it is never repeated before a query.
   *
   * A reset connection does not show whether WeChat Pay has received the request.
   */
  readonly movesMoney?: true;
  /** Headers of the host, such as those of a trace. They are not signed. */
  readonly headers?: Readonly<Record<string, string>>;
}

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

/** Maximum difference between the signed time of a response and the clock, in milliseconds. */
const MAX_CLOCK_SKEW = 300_000;

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
    // Read now, in the context of the caller, whichever way the queue resumes the call.
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
    if (received.isOk()) measureClock(sentAt, statedTime(received.value.headers));
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
  const verify = () => verifyMessage(keys, headers, body, { now: clock.now(), skew: MAX_CLOCK_SKEW });
  const verified = verify();
  if (verified.isOk() || verified.error !== "unknown-key") return verified;
  return (await platform.downloadMissing(account, credentials, signerOf(headers), signal))
    ? verify()
    : verified;
}

/** A request and the dependencies that sign it. */
export interface OutgoingRequest extends Pick<GatewayDependencies, "clock" | "random"> {
  readonly account: WalletAccount;
  readonly credentials: WechatPayCredentials;
  readonly request: GatewayRequest;
}

/** Sends a signed request to one host. */
export type Send<T> = (
  host: GatewayHost,
  signed: WireRequest,
  timeouts: ResponseTimeouts,
) => Promise<Result<T, NoResponse>>;

/** Signs a request and sends it to a host. A GET is repeatable: see {@link tryHosts}. */
export async function sendSigned<T>(
  sending: OutgoingRequest,
  hosts: HostSelector,
  deadline: SendDeadline,
  send: Send<T>,
): Promise<Result<T, WalletUnknown>> {
  const answer = await tryHosts(hosts, sending.request.method === "GET", deadline, (host, timeouts) =>
    sendTo(sending, host, timeouts, send),
  );
  return answer.isOk() ? ok(answer.value) : err(noResponseFailure(answer.error));
}

async function sendTo<T>(
  sending: OutgoingRequest,
  host: GatewayHost,
  timeouts: ResponseTimeouts,
  send: Send<T>,
): Promise<Result<T, NoResponse>> {
  const { method, path, body } = sending.request;
  const target = host.basePath + path;
  for (;;) {
    const headers = await signedHeaders(sending, target);
    const answer = await send(host, { method, target, headers, body }, timeouts);
    // The gateway closed a kept-alive connection. A repeated call has the same number, so it is
    // safe unless it moves money. The loop ends because a new connection is never stale.
    if (answer.isOk() || answer.error.reason !== "stale-connection") return answer;
    if (sending.request.movesMoney === true) return answer;
  }
}

async function signedHeaders(
  { clock, random, account, credentials, request }: OutgoingRequest,
  target: string,
): Promise<Readonly<Record<string, string>>> {
  const { merchantKey, merchantSerialNo, platformKeys } = credentials;
  const { method, body, platformKeyId } = request;
  const timestamp = Math.floor(clock.now() / 1000);
  const nonce = Buffer.from(random.bytes(16)).toString("hex");
  const text = requestText({ method, target, timestamp, nonce, body });
  const signature = await signText(text, merchantKey);
  const pairs = {
    mchid: account.accountId,
    nonce_str: nonce,
    signature,
    timestamp: String(timestamp),
    serial_no: merchantSerialNo,
  };
  const parameters = Object.entries(pairs).map(([name, value]) => `${name}="${value}"`);
  // WeChat Pay signs its response with the public key named here. A certificate needs no name.
  const keyId = platformKeyId ?? [...platformKeys.keys()].find((id) => id.startsWith("PUB_KEY_ID_"));
  return {
    ...request.headers,
    accept: "application/json",
    authorization: `WECHATPAY2-SHA256-RSA2048 ${parameters.join(",")}`,
    "user-agent": "tillkit-wechat-pay",
    ...(method === "POST" ? { "content-type": "application/json" } : {}),
    ...(keyId === undefined ? {} : { "wechatpay-serial": keyId }),
  };
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

/** Returns the failure of a call that has no complete response. */
export function noResponseFailure({ reason, detail }: NoResponse): WalletUnknown {
  const cause = reason === "timeout" ? "timeout" : reason === "oversized" ? "unverified" : "network";
  return { name: "wallet.unknown", cause, detail };
}
