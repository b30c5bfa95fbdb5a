import type { IncomingMessage } from "node:http";
import { headersIn, type MessageHeaders } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import type { Gateway } from "./gateways.js";

/** A request as it goes on the wire. */
export interface WireRequest {
  readonly method: "GET" | "POST";
  /** Path and query, exactly as on the request line. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for none. */
  readonly body: string;
}

/** An answer as it came, of any status; redirects are answers like any other. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: MessageHeaders;
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
  gateway: Gateway,
  request: WireRequest,
  { signal, maxAnswerBytes }: ExchangeLimits,
): Promise<Result<WireAnswer, NoAnswer>> {
  const begun = await beginExchange(gateway, request, signal);
  return begun.isErr() ? err(begun.error) : collect(begun.value, maxAnswerBytes, signal);
}

/** Sends one request and gives the answer as soon as it begins: its body is still to be read, and throws what `brokenOff` explains. */
export function beginExchange(
  { address, agent, request: send }: Gateway,
  { method, target, headers, body }: WireRequest,
  signal: AbortSignal,
): Promise<Result<IncomingMessage, NoAnswer>> {
  return new Promise((resolve) => {
    const sent = { ...headers, "content-length": Buffer.byteLength(body) };
    const head = { method, path: target, agent, headers: method === "POST" ? sent : headers };
    const request = send({ ...address, ...head });
    // The option `signal` would do the same and cost more: it watches the request by listeners of its own, too.
    const cut = () => request.destroy();
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
      signal.removeEventListener("abort", cut);
      if (!answered) fail(undefined);
    });
    signal.addEventListener("abort", cut);
    if (signal.aborted) cut();
    else request.end(body);
  });
}

/** What it means that an answer broke off: the deadline came, or the connection failed. */
export function brokenOff(error: unknown, signal: AbortSignal): NoAnswer {
  return signal.aborted
    ? { reason: "timeout", detail: "no whole answer within the deadline" }
    : { reason: "network", detail: `the connection failed: ${codeOf(error)}` };
}

/** Reads the whole body of an answer, up to a size. Never rejects. */
export function collect(
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Result<WireAnswer, NoAnswer>> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    response.on("data", (chunk: Uint8Array) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= maxBytes) return;
      resolve(err({ reason: "oversized", detail: `the answer is longer than ${maxBytes} bytes` }));
      response.destroy();
    });
    response.on("end", () => {
      const { statusCode: status = 0, headers } = response;
      resolve(ok({ status, headers: headersIn(headers), body: Buffer.concat(chunks) }));
    });
    response.on("error", (error) => resolve(err(brokenOff(error, signal))));
    response.on("close", () => resolve(err(brokenOff(undefined, signal))));
  });
}

/** The code of what Node threw; `closed` when it has none. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "closed";
}
