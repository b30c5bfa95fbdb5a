/** What a request's body turned out to be. */
export type Body =
  | { readonly kind: "whole"; readonly bytes: Uint8Array }
  /** The rest is being read and thrown away; `drained` resolves when that has ended, however it did. */
  | { readonly kind: "too-large"; readonly drained: Promise<void> }
  /** The client went away first. */
  | { readonly kind: "aborted" };

/**
 * The raw body of at most `limit` bytes, or `too-large` as soon as there are more. Rejects, with advice for the host, when somebody has read
 * the body before.
 */
export function readBody(request: Request, limit: number): Body | Promise<Body> {
  // These have none by definition, and on some platforms it costs much to look.
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
  "Tillkit needs the raw request body, but somebody has read it before. " +
  "Hand the request to Tillkit's handler ahead of whatever reads bodies, or let that read a request.clone().";

/** A chunk costs some hundred bytes besides what is in it: a client that sends a byte at a time must not make a body cost so many times its size. */
const MANY = 256;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

function tooLarge(reader: Reader): Body {
  return { kind: "too-large", drained: drain(reader) };
}

async function drain(reader: Reader): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The client has gone: there is no rest.
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
