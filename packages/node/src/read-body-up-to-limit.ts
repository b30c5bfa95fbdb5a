import type { NodeRequest } from "./node-messages.js";

/** The raw bytes, or why there are none. */
type Body = Uint8Array | "too-large" | "aborted";

/** A request that a body parser (`body`) or the host (`rawBody`) may have read before. */
interface HostRequest extends NodeRequest {
  readonly body?: unknown;
  readonly rawBody?: unknown;
  /** The stream of a request over HTTP/2. */
  readonly stream?: { readonly endAfterHeaders: boolean };
}

/**
 * Reads the raw body, at most `limit` bytes.
 *
 * Resolves to `"too-large"` as soon as the body exceeds `limit`, and then discards the rest in the
 * background. Resolves to `"aborted"` if the client disconnects first. Throws, with advice for the
 * host, if a body parser has read the body and has not kept its bytes.
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

function hasBody({ headers, httpVersionMajor, stream }: HostRequest): boolean {
  // HTTP/2 needs no header for a body: the last header frame shows whether data frames follow.
  if (httpVersionMajor >= 2) return stream?.endAfterHeaders !== true;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * The number of buffers after which they are joined.
 *
 * Each buffer has an overhead of some hundred bytes. Without a limit, a client that sends single
 * bytes would use hundreds of times the size of its body.
 */
const MANY = 256;

/**
 * Collects the body.
 *
 * The listeners stay after the promise settles, so that the rest of the request drains and a late
 * abort is harmless.
 */
function collect(request: NodeRequest, limit: number): Promise<Body> {
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
    // The host may have paused the request before it called Tillkit.
    request.resume();
  });
}
