import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { request, type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";
import { connect, type Socket } from "node:net";

/** One request, sent without normalisation. */
export interface VerbatimRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Bytes are sent with a content-length, and a list of bytes as chunks. */
  readonly body?: Buffer | readonly Buffer[];
  readonly agent?: Agent;
}

/** A reply as the client received it. */
export interface VerbatimReply {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The port of the client. It is the same for two requests on one connection. */
  readonly localPort: number | undefined;
}

/**
 * Sends a request that `fetch` would normalise, with odd paths, repeated headers or chunks.
 *
 * Rejects if the reply is cut off.
 */
export function sendVerbatim(
  baseUrl: string,
  { method = "GET", path, headers, body, agent }: VerbatimRequest,
): Promise<VerbatimReply> {
  const { hostname, port, origin } = new URL(baseUrl);
  const target = baseUrl.slice(origin.length) + path;
  const framing =
    body === undefined ? {} : Buffer.isBuffer(body) ? { "content-length": body.length } : CHUNKED;
  return new Promise((resolve, reject) => {
    const sending = request({
      hostname,
      port,
      method,
      path: target,
      agent,
      headers: { ...framing, ...headers },
    });
    sending.on("error", reject);
    sending.on("response", (response) => {
      const { localPort } = response.socket;
      response.toArray().then((chunks) => {
        const { statusCode: status, headers: received } = response;
        resolve({
          status,
          headers: received,
          body: Buffer.concat(chunks),
          localPort,
        });
      }, reject);
    });
    for (const chunk of [body ?? []].flat()) sending.write(chunk);
    sending.end();
  });
}

const CHUNKED = { "transfer-encoding": "chunked" } as const;

/** Announces a body, sends only a part of it, and closes the connection. */
export function abandon(url: string, declared: number): Promise<void> {
  return new Promise((resolve) => {
    const sending = request(url, { method: "POST", headers: { "content-length": declared + 1 } });
    sending.on("error", () => undefined);
    sending.on("close", resolve);
    sending.write(randomBytes(declared), () => sending.destroy());
  });
}

/**
 * Posts with `connection: close` on a raw socket and reads the reply only after the last byte.
 *
 * Such a client loses its reply if the server closes the connection before it has read the whole
 * request.
 * @returns head and body of the reply, unchanged.
 */
export async function sendAllThenRead(url: string, body: Buffer): Promise<string> {
  const { hostname, port, pathname } = new URL(url);
  const socket = bareSocket(port, hostname).pause();
  const head = [
    `POST ${pathname} HTTP/1.1`,
    "host: test",
    "connection: close",
    `content-length: ${body.length}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  if (!socket.write(body)) await once(socket, "drain");
  return Buffer.concat(await socket.toArray()).toString();
}

/** Sends bytes on a new connection and returns all bytes until the server closes it. */
export async function sendRaw(baseUrl: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = bareSocket(port, hostname);
  socket.write(bytes);
  return Buffer.concat(await socket.toArray()).toString();
}

/** Timeout of one response in milliseconds, long enough for a busy machine. */
const PATIENCE = 20_000;

/**
 * Sends the beginning of a request and returns the first bytes that come back; then it closes the
 * connection. Rejects if none come within 20 seconds.
 */
export async function firstReply(baseUrl: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = bareSocket(port, hostname);
  try {
    socket.write(bytes);
    const got = await once(socket, "data", { signal: AbortSignal.timeout(PATIENCE) });
    return String(got[0]);
  } finally {
    socket.destroy();
  }
}

/**
 * Opens a socket whose unhandled errors do not end the process.
 *
 * The server may close the connection before it reads the last bytes. A pending read or write still
 * fails.
 */
function bareSocket(port: string, hostname: string): Socket {
  return connect(Number(port), hostname).on("error", () => undefined);
}
