import type { IncomingMessage } from "node:http";
import type { WalletAccount, WalletFailure } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import { problemsText } from "../credentials/credential-problem.js";
import type { GatewayDependencies } from "./call-gateway.js";
import { sendSigned, noResponseFailure } from "./send-signed.js";
import { startHttpRequest, collect } from "./send-http-request.js";
import { readRefusal, notSentRefusal } from "./read-refusal.js";
import { signingAccount } from "../credentials/signing-account.js";

/**
 * Requests a file and returns its byte stream.
 *
 * The request is signed and goes to the account's own gateway. The response is not signed, so the
 * caller must verify the bytes in another way.
 */
export type OpenFile = (
  account: WalletAccount,
  /** Path and query. */
  path: string,
  signal: AbortSignal,
) => Promise<Result<IncomingMessage, WalletFailure>>;

/** Creates the function that downloads files from WeChat Pay. */
export function fileOpener(options: GatewayDependencies): OpenFile {
  const { gatewayOf, readCredentials, maxAnswerBytes } = options;
  return async (merchant, path, signal) => {
    const account = signingAccount(merchant);
    const hosts = gatewayOf(account);
    const credentials = readCredentials(account);
    if (hosts === undefined) return err(notSentRefusal("configuration", "a DEV account needs gateways.DEV"));
    if (credentials.isErr()) return err(notSentRefusal("configuration", problemsText(credentials.error)));
    const request = { method: "GET", path, body: "" } as const;
    const sending = { ...options, account, credentials: credentials.value, request };
    // Reading a bill takes minutes, so its deadline does not limit the time to connect.
    const begun = await sendSigned(sending, hosts, { signal, until: Infinity }, startHttpRequest);
    if (begun.isErr()) return err(begun.error);
    const { statusCode: status = 0 } = begun.value;
    if (status === 200) return ok(begun.value);
    const refusal = await collect(begun.value, maxAnswerBytes, signal);
    return refusal
      .mapErr(noResponseFailure)
      .andThen(({ body }) => err<never, WalletFailure>(readRefusal(status, body, false)));
  };
}
