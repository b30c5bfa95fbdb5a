/** The outcome of reading a request's body. */
export type Body =
  | { readonly kind: "whole"; readonly bytes: Uint8Array }
  /**
   * The rest of the body is read and discarded.
   *
   * `drained` resolves when the rest was read, or when reading it failed.
   */
  | { readonly kind: "too-large"; readonly drained: Promise<void> }
  /** The client disconnected before the body ended. */
  | { readonly kind: "aborted" };

/**
 * Reads the raw body, at most `limit` bytes.
 *
 * Resolves to `too-large` as soon as the body exceeds `limit`. Rejects, with advice for the host,
 * if the body was read before.
 */
export function readBody(request: Request, limit: number): Body | Promise<Body> {
  // GET and HEAD requests have no body, and reading `request.body` is expensive on some platforms.
  return request.method === "GET" || request.method === "HEAD" ? NOTHING : collect(request, limit);
}

async function collect(request: Request, limit: number): Promise<Body> {
  if (request.bodyUsed) throw new Error(BODY_ALREADY_READ);
  const { body } = request;
  if (body === null) return NOTHING;
  if (body.locked) throw new Error(BODY_ALREADY_READ);
  const reader: Reader = body.getReader();
  if (Number(request.headers.get("content-length")) > limit) return tooLarge(reader);
  let chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length;
      if (size > limit) return tooLarge(reader);
      if (chunks.push(next.value) === MANY) chunks = [joined(chunks, size)];
    }
  } catch {
    return { kind: "aborted" };
  }
  return { kind: "whole", bytes: joined(chunks, size) };
}

const NOTHING: Body = { kind: "whole", bytes: new Uint8Array() };

const BODY_ALREADY_READ =
  "Tillkit needs the raw request body, but it has been read before. " +
  "Pass the request to Tillkit's handler before any code that reads bodies, or let that code read a request.clone().";

/**
 * The number of chunks after which they are joined.
 *
 * Each chunk has an overhead of some hundred bytes. Without a limit, a client that sends single
 * bytes would use hundreds of times the size of its body.
 */
const MANY = 256;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

function tooLarge(reader: Reader): Body {
  return { kind: "too-large", drained: drain(reader) };
}

async function drain(reader: Reader): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The client has disconnected, so there is nothing left to read.
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
