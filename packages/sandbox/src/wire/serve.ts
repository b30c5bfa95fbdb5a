import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { headersIn, type MessageHeaders } from "@tillkit/core/ports";
import { defectText } from "../shared/defect-text.js";

/** A request as it arrived: signatures cover exactly these bytes. */
export interface WireRequest {
  /** Upper case. */
  readonly method: string;
  /** The path and query exactly as in the request line. */
  readonly target: string;
  readonly headers: MessageHeaders;
  readonly body: Buffer;
}

/** A response as it is sent. */
export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/**
 * How the server responds to a request.
 *
 * - `reply`: a complete response.
 * - `half`: half a response, then the server closes the connection.
 * - `stalled`: half a response, then nothing until the client gives up.
 * - `silence`: no response at all.
 * - `reset`: a TCP reset.
 */
export type WireOutcome =
  | { readonly kind: "reply"; readonly reply: WireReply }
  | { readonly kind: "half"; readonly reply: WireReply }
  | { readonly kind: "stalled"; readonly reply: WireReply }
  | { readonly kind: "silence" }
  | { readonly kind: "reset" };

/** A listening server. */
export interface Served {
  readonly port: number;
  /** Closes every connection and frees the port. */
  close(): Promise<void>;
}

const MAX_BODY = 64 * 1024;

/**
 * Serves on 127.0.0.1. Rejects if the port is in use.
 *
 * Port 0 selects a free port. With `alive`, the server keeps the process alive.
 */
export async function serve(
  { port, alive }: { readonly port: number; readonly alive: boolean },
  handle: (request: WireRequest) => Promise<WireOutcome>,
): Promise<Served> {
  const server = createServer((request, response) => {
    void respond(request, response, handle);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  if (!alive) server.unref();
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  handle: (request: WireRequest) => Promise<WireOutcome>,
): Promise<void> {
  try {
    const body = await bytesOf(request);
    if (body === undefined) {
      response.writeHead(413, { connection: "close" }).end();
      return;
    }
    const { method = "", url = "", headers } = request;
    send(response, await handle({ method, target: url, headers: headersIn(headers), body }));
  } catch (cause) {
    // Either the client disconnected during its request and gets nothing, or the sandbox has a
    // defect.
    const reply = { status: 500, headers: {}, body: defectText(cause) };
    send(response, { kind: "reply", reply });
  }
}

/**
 * Returns the whole body, or `undefined` as soon as it is too long.
 *
 * Rejects if the client disconnects before the end.
 */
function bytesOf(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    request.on("data", (chunk: Uint8Array) => {
      size += chunk.length;
      if (size > MAX_BODY) resolve(undefined);
      else chunks.push(chunk);
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
  });
}

function send(response: ServerResponse, outcome: WireOutcome): void {
  switch (outcome.kind) {
    case "silence":
      return;
    case "reset":
      // A reset instead of an orderly close, so that the client gets a connection error.
      response.socket?.resetAndDestroy();
      return;
    case "half":
      sendHalf(response, outcome.reply, () => response.destroy());
      return;
    case "stalled":
      sendHalf(response, outcome.reply);
      return;
    case "reply": {
      const { status, headers, body } = outcome.reply;
      // With a length, the response is sent in one piece with its head.
      const length = Buffer.byteLength(body);
      response.writeHead(status, status === 204 ? headers : { ...headers, "content-length": length });
      response.end(status === 204 ? undefined : body);
    }
  }
}

function sendHalf(
  response: ServerResponse,
  { status, headers, body }: WireReply,
  then: () => void = () => undefined,
): void {
  const bytes = bytesIn(body);
  if (bytes.length === 0) {
    // A response without a body is cut within its head.
    response.socket?.write("HTTP/1.1 ", then);
    return;
  }
  response.writeHead(status, { ...headers, "content-length": bytes.length });
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), then);
}

/** Returns the bytes of a body. */
export function bytesIn(body: WireReply["body"]): Uint8Array {
  return typeof body === "string" ? Buffer.from(body) : body;
}
