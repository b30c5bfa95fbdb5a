import type { IncomingMessage } from "node:http";
// Not the global one: a test that moves time would end every connection.
import { clearTimeout, setTimeout } from "node:timers";
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
 * Why there is no whole answer.
 *
 * | reason             | what happened                                                                           |
 * | ------------------ | --------------------------------------------------------------------------------------- |
 * | `unreachable`      | no connection could be made: nothing was sent                                           |
 * | `stale-connection` | a connection that had been kept open was gone; the call can go out again on another one |
 * | `network`          | the connection failed after the request began to go out, and before any answer          |
 * | `cut-short`        | the connection failed after something came back                                         |
 * | `oversized`        | the answer was longer than the limit, and the rest of it was not read                   |
 * | `timeout`          | the deadline came                                                                       |
 */
export interface NoAnswer {
  readonly reason: "timeout" | "unreachable" | "stale-connection" | "oversized" | "network" | "cut-short";
  readonly detail: string;
}

/** When to give up waiting for an answer to begin. */
export interface Patience {
  /** Ends the exchange, wherever it is. */
  readonly signal: AbortSignal;
  /** How long making a new connection may take, in milliseconds. Defaults to as long as `signal` allows. */
  readonly connectWithin?: number;
}

/** What bounds an exchange: its deadline, for the last byte of the answer as for the first, and a size. */
export interface ExchangeLimits extends Patience {
  readonly maxAnswerBytes: number;
}

/** Sends one request and reads the whole answer. Follows no redirect, repeats nothing, decompresses nothing. Never rejects. */
export async function exchange(
  gateway: Gateway,
  request: WireRequest,
  limits: ExchangeLimits,
): Promise<Result<WireAnswer, NoAnswer>> {
  const begun = await beginExchange(gateway, request, limits);
  return begun.isErr() ? err(begun.error) : collect(begun.value, limits.maxAnswerBytes, limits.signal);
}

/** Sends one request and gives the answer as soon as it begins: its body is still to be read, and throws what `brokenOff` explains. */
export function beginExchange(
  { address, agent, request: send, connected: connectedEvent }: Gateway,
  { method, target, headers, body }: WireRequest,
  { signal, connectWithin }: Patience,
): Promise<Result<IncomingMessage, NoAnswer>> {
  return new Promise((resolve) => {
    const sent = { ...headers, "content-length": Buffer.byteLength(body) };
    const head = { method, path: target, agent, headers: method === "POST" ? sent : headers };
    const request = send({ ...address, ...head });
    // The option `signal` would do the same and cost more: it watches the request by listeners of its own, too.
    const cut = () => request.destroy();
    let answered = false;
    let connected = false;
    let connecting: NodeJS.Timeout | undefined;
    const fail = (error: unknown) => {
      const failed = brokenOff(error, signal);
      if (signal.aborted) resolve(err(failed));
      else if (!connected) resolve(err(notConnected(error, connectWithin)));
      else resolve(err({ ...failed, reason: reasonOf(codeOf(error), request.reusedSocket) }));
    };
    request.on("socket", (socket) => {
      connected = request.reusedSocket;
      if (connected) return;
      socket.once(connectedEvent, () => {
        connected = true;
        clearTimeout(connecting);
      });
      if (connectWithin === undefined) return;
      connecting = setTimeout(() => request.destroy(new ConnectTimeout()), connectWithin).unref();
    });
    request.on("response", (response) => {
      answered = true;
      resolve(ok(response));
    });
    request.on("error", fail);
    // An answer that is no answer, such as a change of protocol, ends the connection without an error.
    request.on("close", () => {
      clearTimeout(connecting);
      signal.removeEventListener("abort", cut);
      if (!answered) fail(undefined);
    });
    signal.addEventListener("abort", cut);
    if (signal.aborted) cut();
    else request.end(body);
  });
}

class ConnectTimeout extends Error {}

function notConnected(error: unknown, connectWithin = 0): NoAnswer {
  const detail =
    error instanceof ConnectTimeout
      ? `no connection within ${String(Math.round(connectWithin))} ms`
      : `the connection failed: ${codeOf(error)}`;
  return { reason: "unreachable", detail };
}

/** Why a connection failed that a request could be sent on. */
function reasonOf(code: string, reused: boolean): NoAnswer["reason"] {
  if (reused && (code === "ECONNRESET" || code === "EPIPE")) return "stale-connection";
  // Something came back that is no answer of HTTP: garbage, or a change of protocol, which ends without an error.
  return code === "closed" || code.startsWith("HPE_") ? "cut-short" : "network";
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
    const cutShort = (error?: unknown) => {
      const failed = brokenOff(error, signal);
      resolve(err(failed.reason === "network" ? { ...failed, reason: "cut-short" } : failed));
    };
    response.on("error", cutShort);
    response.on("close", () => cutShort());
  });
}

/** The code of what Node threw; `closed` when it has none. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "closed";
}
