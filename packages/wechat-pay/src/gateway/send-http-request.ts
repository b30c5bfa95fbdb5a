import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
// Not the global functions: with fake timers, a test that advances time would end connections.
import { clearTimeout, setTimeout } from "node:timers";
import { errorCode } from "@tillkit/core/errors";
import { headersIn, type MessageHeaders } from "@tillkit/core/ports";
import { err, ok, type Result } from "neverthrow";
import type { GatewayHost } from "./host-selector.js";

/** An HTTP request. */
export interface WireRequest {
  readonly method: "GET" | "POST";
  /** Path and query, exactly as in the request line. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty if there is no body. */
  readonly body: string;
}

/** An HTTP response with any status. Redirects are not followed. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: MessageHeaders;
  readonly body: Uint8Array;
}

/**
 * Why there is no complete response.
 *
 * | reason             | what happened                                                     |
 * | ------------------ | ----------------------------------------------------------------- |
 * | `unreachable`      | no connection could be made, so nothing was sent                  |
 * | `stale-connection` | a kept-alive connection was closed; a retry uses another one      |
 * | `network`          | the connection failed after sending began and before any response |
 * | `cut-short`        | the connection failed after the client received data              |
 * | `oversized`        | the response exceeded the limit, and the rest was not read        |
 * | `timeout`          | the deadline passed                                               |
 */
export interface NoResponse {
  readonly reason: "timeout" | "unreachable" | "stale-connection" | "oversized" | "network" | "cut-short";
  readonly detail: string;
}

/** Time limits until a response begins. */
export interface ResponseTimeouts {
  /** Aborts the request at any point. */
  readonly signal: AbortSignal;
  /** Maximum milliseconds to make a new connection. Defaults to the time that `signal` allows. */
  readonly connectWithin?: number;
}

/** Limits of a whole request: the deadline up to the last byte, and the response size. */
export interface ResponseLimits extends ResponseTimeouts {
  readonly maxAnswerBytes: number;
}

/**
 * Sends one request and reads the complete response. Never rejects.
 *
 * Does not follow redirects, retry, or decompress.
 */
export async function sendHttpRequest(
  gateway: GatewayHost,
  request: WireRequest,
  limits: ResponseLimits,
): Promise<Result<HttpResponse, NoResponse>> {
  const begun = await startHttpRequest(gateway, request, limits);
  return begun.isErr() ? err(begun.error) : collect(begun.value, limits.maxAnswerBytes, limits.signal);
}

/**
 * Sends one request and returns the response when its headers arrive. Never rejects.
 *
 * The caller reads the body. If the body fails, {@link connectionFailure} explains the error.
 */
export function startHttpRequest(
  { address, agent, request: send, connected: connectedEvent }: GatewayHost,
  { method, target, headers, body }: WireRequest,
  { signal, connectWithin }: ResponseTimeouts,
): Promise<Result<IncomingMessage, NoResponse>> {
  return new Promise((resolve) => {
    const length = method === "POST" ? { "content-length": Buffer.byteLength(body) } : {};
    // `Object.assign` takes a fraction of the time of a spread with further members.
    const sent = Object.assign({}, headers, length);
    const request = send(Object.assign({}, address, { method, path: target, agent, headers: sent }));
    // The `signal` option of `request` would do the same at a higher cost, with additional
    // listeners.
    const cut = () => request.destroy();
    let answered = false;
    let connected = false;
    const timer = (ms: number) => setTimeout(() => request.destroy(new ConnectTimeout()), ms).unref();
    // The timer also covers what an agent does before it has a socket, such as a proxy tunnel.
    const connecting = connectWithin === undefined ? undefined : timer(connectWithin);
    const fail = (error: unknown) => {
      const failed = connectionFailure(error, signal);
      if (signal.aborted) resolve(err(failed));
      else if (!connected) resolve(err(notConnected(error, connectWithin)));
      else resolve(err({ ...failed, reason: reasonOf(codeOf(error), request.reusedSocket) }));
    };
    const connect = () => {
      connected = true;
      clearTimeout(connecting);
    };
    request.on("socket", (socket) => {
      if (request.reusedSocket || isOpen(socket)) connect();
      else socket.once(connectedEvent, connect);
    });
    request.on("response", (response) => {
      answered = true;
      resolve(ok(response));
    });
    request.on("error", fail);
    // A response without HTTP meaning, such as a protocol upgrade, closes without an error.
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

/** Returns whether a request can be sent on a socket, which an agent may have opened before. */
function isOpen(socket: Socket): boolean {
  return !socket.connecting && Reflect.get(socket, "secureConnecting") !== true;
}

function notConnected(error: unknown, connectWithin = 0): NoResponse {
  const detail =
    error instanceof ConnectTimeout
      ? `no connection within ${String(Math.round(connectWithin))} ms`
      : `the connection failed: ${codeOf(error)}`;
  return { reason: "unreachable", detail };
}

/** Returns why a request failed after its connection was established. */
function reasonOf(code: string, reused: boolean): NoResponse["reason"] {
  if (reused && (code === "ECONNRESET" || code === "EPIPE")) return "stale-connection";
  // The host sent something that is not an HTTP response: invalid bytes, or a protocol upgrade,
  // which closes the connection without an error.
  return code === "closed" || code.startsWith("HPE_") ? "cut-short" : "network";
}

/** Returns why a response ended early: the deadline passed, or the connection failed. */
export function connectionFailure(error: unknown, signal: AbortSignal): NoResponse {
  return signal.aborted
    ? { reason: "timeout", detail: "no complete response within the deadline" }
    : { reason: "network", detail: `the connection failed: ${codeOf(error)}` };
}

/** Reads the complete body of a response, up to `maxBytes`. Never rejects. */
export function collect(
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Result<HttpResponse, NoResponse>> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    response.on("data", (chunk: Uint8Array) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= maxBytes) return;
      resolve(err({ reason: "oversized", detail: `the response is longer than ${maxBytes} bytes` }));
      response.destroy();
    });
    response.on("end", () => {
      const { statusCode: status = 0, headers } = response;
      resolve(ok({ status, headers: headersIn(headers), body: Buffer.concat(chunks) }));
    });
    const cutShort = (error?: unknown) => {
      const failed = connectionFailure(error, signal);
      resolve(err(failed.reason === "network" ? { ...failed, reason: "cut-short" } : failed));
    };
    response.on("error", cutShort);
    response.on("close", () => cutShort());
  });
}

/** Returns the code of a Node error, or `closed` if it has none. */
export function codeOf(error: unknown): string {
  return errorCode(error) ?? "closed";
}
