import type { IncomingMessage } from "node:http";

/** The raw bytes, or why there are none. */
type Body = Uint8Array | "too-large" | "aborted";

/** A request as it may arrive from behind a body parser, which leaves its result in `body`, and a host that kept `rawBody`. */
interface HostRequest extends IncomingMessage {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/**
 * The raw body of at most `limit` bytes; `"too-large"` as soon as there are more, the rest then being read and thrown away in
 * the background; `"aborted"` if the client went away first. Throws, with advice for the host, when a parser has eaten a body
 * without keeping its bytes.
 */
export function readBody(request: HostRequest, limit: number): Body | Promise<Body> {
  if (!hasBody(request)) return NOTHING;
  if (request.destroyed && !request.readableEnded) return "aborted";
  if (request.readableEnded || request.readableDidRead || request.readableEncoding !== null) {
    const kept = [request.body, request.rawBody].find((bytes) => Buffer.isBuffer(bytes));
    if (kept === undefined) throw new Error(BODY_ALREADY_READ);
    return kept.length > limit ? "too-large" : kept;
  }
  if (Number(request.headers["content-length"]) > limit) {
    request.resume();
    return "too-large";
  }
  return collect(request, limit);
}

const NOTHING = new Uint8Array();

const BODY_ALREADY_READ =
  "Tillkit needs the raw request body, but a body parser has read it before. " +
  "Mount Tillkit before express.json() and other body parsers, or let the parser keep the bytes: " +
  "express.json({ verify: (request, _response, bytes) => { request.rawBody = bytes; } }).";

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** A buffer costs some hundred bytes besides what is in it: a client that sends a byte at a time must not make a body cost so many times its size. */
const MANY = 256;

/** The listeners stay on after the first answer, so that what is left of the request drains and a late abort is harmless. */
function collect(request: IncomingMessage, limit: number): Promise<Body> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        if (chunks.push(chunk) === MANY) chunks = [Buffer.concat(chunks)];
      } else {
        chunks = [];
        resolve("too-large");
      }
    });
    request.on("end", () => {
      if (size <= limit) resolve(Buffer.concat(chunks, size));
    });
    request.on("error", () => resolve("aborted"));
    request.on("close", () => resolve("aborted"));
    // A host may have paused the request while it looked something up.
    request.resume();
  });
}
