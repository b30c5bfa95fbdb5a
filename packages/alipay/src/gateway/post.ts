import type { WalletFailure } from "@tillkit/core";
import { ok, type Result } from "neverthrow";
import { formText, type SignedParameters } from "../signing/signed-texts.js";
import { unknownOutcome } from "./classify-result.js";
import { fetchWithLimits, type HttpResponse } from "./fetch-with-limits.js";

/** Maximum size of a response in bytes. The longest documented responses have less than 10,000. */
const MAX_ANSWER = 256 * 1024;

/**
 * Posts signed parameters.
 *
 * The business content is in the body, and the other parameters are in the URL. Alipay reads the
 * character set from the URL first.
 */
export function post(
  address: string,
  { biz_content, ...common }: SignedParameters,
  signal: AbortSignal,
  extraHeaders: Readonly<Record<string, string>> = {},
) {
  // `Headers` replaces a header of the same name in any letter case. An object would keep both.
  const headers = new Headers(extraHeaders);
  headers.set("content-type", "application/x-www-form-urlencoded; charset=utf-8");
  headers.set("accept", "application/json");
  const body = formText({ biz_content: biz_content ?? "" });
  const request = { method: "POST", headers, body };
  return fetchWithLimits(`${address}?${formText(common)}`, request, { signal, maxBytes: MAX_ANSWER });
}

/** Returns the body of a response with status 200, or a failure for any other status. */
export function answered({ status, body }: HttpResponse): Result<Uint8Array, WalletFailure> {
  if (status === 200) return ok(body);
  return unknownOutcome(status === 429 ? "rate-limited" : "server-error", `HTTP status ${status}`);
}
