import type { Clock, Random, WalletAccount, WalletUnknown } from "@tillkit/core";
import { signText } from "@tillkit/wallet-kit";
import { err, ok, type Result } from "neverthrow";
import type { WechatPayCredentials } from "../credentials/parse-credentials.js";
import { requestText } from "../signing/signed-texts.js";
import type { GatewayHost, HostSelector } from "./host-selector.js";
import type { NoResponse, ResponseTimeouts, WireRequest } from "./send-http-request.js";
import { type SendDeadline, tryHosts } from "./try-hosts.js";

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

/** A request and the dependencies that sign it. */
export interface OutgoingRequest {
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
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
    // The gateway closed a kept-alive connection. A repeated request has the same order number, so
    // it is safe unless it moves money. The loop ends because a new connection is never stale.
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
  // WeChat Pay signs its response with the public key that this header names. Without the header,
  // it signs with a certificate.
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

/** Returns the failure of a call that has no complete response. */
export function noResponseFailure({ reason, detail }: NoResponse): WalletUnknown {
  const cause = reason === "timeout" ? "timeout" : reason === "oversized" ? "unverified" : "network";
  return { name: "wallet.unknown", cause, detail };
}
