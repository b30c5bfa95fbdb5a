import { errorCode, isError } from "@tillkit/core/errors";
import { err, ok, type Result, ResultAsync } from "neverthrow";

/** An HTTP response with its raw body. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Pick<Headers, "get">;
  readonly body: Uint8Array;
}

/**
 * Why there is no complete response.
 *
 * `detail` is a system code, such as `ECONNRESET`. It contains no part of the request.
 */
export interface NoResponse {
  readonly name: "http.no-answer";
  readonly cause: "timeout" | "network" | "too-large";
  readonly detail: string;
}

/** Limits of one request. */
export interface FetchLimits {
  /** Aborts the request or the reading of its response. */
  readonly signal: AbortSignal;
  /** Maximum size of the body after decompression, in bytes. */
  readonly maxBytes: number;
}

/**
 * Sends one request and reads the response, within a time and size limit.
 *
 * Does not follow redirects. A redirect is returned like any other response.
 */
export function fetchWithLimits(
  url: string,
  request: Pick<RequestInit, "method" | "headers" | "body">,
  { signal, maxBytes }: FetchLimits,
): ResultAsync<HttpResponse, NoResponse> {
  const attempt = async (): Promise<Result<HttpResponse, NoResponse>> => {
    try {
      const response = await fetch(url, { ...request, redirect: "manual", signal });
      const body = await bodyWithin(maxBytes, response);
      if (body === undefined) return failed("too-large", `more than ${maxBytes} bytes`);
      return ok({ status: response.status, headers: response.headers, body });
    } catch (error) {
      return signal.aborted
        ? failed("timeout", "no complete response within the deadline")
        : failed("network", systemCodeOf(error));
    }
  };
  return new ResultAsync(attempt());
}

/** Reads the body up to the limit. If the loop ends early, the connection is closed. */
async function bodyWithin(maxBytes: number, { body }: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    if (!(chunk instanceof Uint8Array)) continue;
    length += chunk.length;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns the code of the innermost error. The messages of `fetch` errors may contain the URL. */
function systemCodeOf(error: unknown): string {
  if (!isError(error)) return "no connection";
  return errorCode(error) ?? systemCodeOf(error.cause);
}

function failed(cause: NoResponse["cause"], detail: string) {
  return err<never, NoResponse>({ name: "http.no-answer", cause, detail });
}
