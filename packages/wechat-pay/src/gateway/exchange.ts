import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { err, ok, type Result } from "neverthrow";
import type { Gateway } from "./gateways.js";

/** A request as it goes on the wire. */
export interface WireRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for none. */
  readonly body: string;
}

/** An answer as it came, of any status; redirects are answers like any other. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

/**
 * Why there is no answer. `stale-connection`: a connection that had been kept open was gone, so that a repetition on a new one is in
 * order; `oversized`: the answer was longer than the limit and the rest of it was not read.
 */
export interface NoAnswer {
  readonly reason: "timeout" | "stale-connection" | "oversized" | "network";
  readonly detail: string;
}

/** What bounds an exchange: the end of the caller's patience, for the last byte of the answer as for the first, and a size. */
export interface ExchangeLimits {
  readonly signal: AbortSignal;
  readonly maxAnswerBytes: number;
}

/** Sends one request and reads the whole answer. Follows no redirect, repeats nothing, decompresses nothing. Never rejects. */
export async function exchange(
  gateway: Pick<Gateway, "agent" | "request">,
  request: WireRequest,
  { signal, maxAnswerBytes }: ExchangeLimits,
): Promise<Result<WireAnswer, NoAnswer>> {
  const begun = await beginExchange(gateway, request, signal);
  if (begun.isErr()) return err(begun.error);
  try {
    return await collect(begun.value, maxAnswerBytes);
  } catch (error) {
    return err(brokenOff(error, signal));
  }
}

/** Sends one request and gives the answer as soon as it begins: its body is still to be read, and throws what `brokenOff` explains. */
export function beginExchange(
  { agent, request: send }: Pick<Gateway, "agent" | "request">,
  { method, url, headers, body }: WireRequest,
  signal: AbortSignal,
): Promise<Result<IncomingMessage, NoAnswer>> {
  return new Promise((resolve) => {
    const sent = { ...headers, "content-length": String(Buffer.byteLength(body)) };
    const request = send(url, { method, agent, signal, headers: method === "POST" ? sent : headers });
    let answered = false;
    const fail = (error: unknown) => {
      const code = codeOf(error);
      const gone = request.reusedSocket && (code === "ECONNRESET" || code === "EPIPE");
      const failed = brokenOff(error, signal);
      resolve(err(gone && !signal.aborted ? { ...failed, reason: "stale-connection" } : failed));
    };
    request.on("response", (response) => {
      answered = true;
      resolve(ok(response));
    });
    request.on("error", fail);
    // An answer that is no answer, such as a change of protocol, ends the connection without an error.
    request.on("close", () => {
      if (!answered) fail(undefined);
    });
    request.end(body);
  });
}

/** What it means that an answer broke off: the deadline came, or the connection failed. */
export function brokenOff(error: unknown, signal: AbortSignal): NoAnswer {
  return signal.aborted
    ? { reason: "timeout", detail: "no whole answer within the deadline" }
    : { reason: "network", detail: `the connection failed: ${codeOf(error)}` };
}

/** Reads the whole body of an answer, up to a size. */
export async function collect(
  response: IncomingMessage,
  maxBytes: number,
): Promise<Result<WireAnswer, NoAnswer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.iterator({ destroyOnReturn: true })) {
    if (!(chunk instanceof Uint8Array)) continue;
    length += chunk.length;
    if (length > maxBytes)
      return err({ reason: "oversized", detail: `the answer is longer than ${maxBytes} bytes` });
    chunks.push(chunk);
  }
  const { statusCode: status = 0, headers } = response;
  return ok({ status, headers, body: Buffer.concat(chunks) });
}

/** The code of what Node threw; `closed` when it has none. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "closed";
}
