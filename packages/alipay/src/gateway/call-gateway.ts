import type { Clock, WalletAccount, WalletFailure } from "@tillkit/core";
import type { CallLimits } from "@tillkit/core/ports";
import {
  abortAfter,
  type KeyedLimiter,
  type MeasureClock,
  notStartedFailure,
  type RequestHeaders,
} from "@tillkit/wallet-kit";
import { type Result, ResultAsync } from "neverthrow";
import type { PlatformCertificates } from "../certificates/platform-certificates.js";
import type { NoResponse } from "./fetch-with-limits.js";
import { answered, post } from "./post.js";
import { refusedOutcome } from "./classify-result.js";
import type { AlipayCredentials } from "../credentials/parse-credentials.js";
import type { ReadCredentials } from "../credentials/credentials-cache.js";
import { certificateNamedIn, type GatewayResponse, readResponse } from "./read-response.js";
import { type GatewayRequest, signedParameters } from "../signing/signed-parameters.js";
import { parseSubMerchant, signingAccount } from "../credentials/sub-merchant.js";

/**
 * Calls API methods of an account. All calls share one deadline.
 *
 * The result is ok for every signed response, including refusals.
 */
export type CallGateway = (call: GatewayRequest) => ResultAsync<GatewayResponse, WalletFailure>;

/** Dependencies of API calls. */
export interface GatewayDependencies {
  readonly clock: Pick<Clock, "now">;
  readonly addresses: Readonly<Record<WalletAccount["appEnv"], string>>;
  readonly readCredentials: ReadCredentials;
  readonly requestHeaders: RequestHeaders;
  readonly limiter: KeyedLimiter;
  readonly certificates: PlatformCertificates;
  readonly measureClock: MeasureClock;
}

/** Creates the function that calls Alipay for an account. The deadline starts now. */
export function callGateway(
  gateway: GatewayDependencies,
  account: WalletAccount,
  { deadline }: CallLimits,
): Result<CallGateway, WalletFailure> {
  return requireCredentials(gateway, account).map((credentials) => {
    const signal = abortAfter(deadline);
    const signer = signingAccount(account);
    return (call) => {
      // Read the headers in the async context of the caller: the limiter may start the call later.
      const headers = gateway.requestHeaders();
      return gateway.limiter
        .run(signer.accountId, signal, async () => {
          const parameters = await signedParameters(gateway.clock.now(), account, credentials, call);
          const sentAt = gateway.clock.now();
          const posted = await post(gateway.addresses[signer.appEnv], parameters, signal, headers);
          if (posted.isOk())
            gateway.measureClock(signer.appEnv, sentAt, Date.parse(posted.value.headers.get("date") ?? ""));
          return posted;
        })
        .mapErr(notStartedFailure)
        .andThen((posted) => posted.mapErr(noResponseFailure))
        .andThen(answered)
        .andThen((body) => verifiedResponse(gateway, signer, credentials, call, body, signal));
    };
  });
}

/**
 * Verifies and reads a response. If its certificate is unknown, downloads the certificate first.
 */
function verifiedResponse(
  { certificates }: Pick<GatewayDependencies, "certificates">,
  account: WalletAccount,
  credentials: AlipayCredentials,
  call: GatewayRequest,
  body: Uint8Array,
  signal: AbortSignal,
): ResultAsync<GatewayResponse, WalletFailure> {
  const read = () => readResponse(body, call, certificates.keys(account, credentials));
  const attempt = async () => {
    const answer = read();
    if (answer.isOk()) return answer;
    const sn = certificateNamedIn(body);
    return (await certificates.downloadMissing(account, credentials, sn, "answer", signal)) ? read() : answer;
  };
  return new ResultAsync(attempt());
}

/**
 * Returns the credentials of an account, or a failure that lists their problems.
 *
 * A merchant with a service provider uses the provider's keys and the merchant's product codes.
 */
export function requireCredentials(
  { readCredentials }: Pick<GatewayDependencies, "readCredentials">,
  account: WalletAccount,
): Result<AlipayCredentials, WalletFailure> {
  const signer = signingAccount(account);
  const read =
    signer === account
      ? readCredentials(account)
      : readCredentials(signer).andThen((keys) =>
          parseSubMerchant(account.credentials).map(({ productCodes }) => ({ ...keys, productCodes })),
        );
  return read.orElse((problems) =>
    refusedOutcome("configuration", problems.map(({ message }) => message).join(" ")),
  );
}

/** Returns the failure of a request that has no complete response. */
export function noResponseFailure({ cause, detail }: NoResponse): WalletFailure {
  return {
    name: "wallet.unknown",
    cause: cause === "too-large" ? "unverified" : cause,
    detail: cause === "too-large" ? `the response has ${detail}` : detail,
  };
}
