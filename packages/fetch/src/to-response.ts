import { headersWithLength, type HttpReply } from "@tillkit/core/http";

const encoder = new TextEncoder();

/**
 * Converts a reply with text or bytes to a `Response`.
 *
 * @param drained - the response ends only after it, because the client may still send its request.
 */
export function toResponse(reply: HttpReply, body: string | Uint8Array, drained?: Promise<void>): Response {
  // A string body would add a content type. Bytes do not.
  const bytes = typeof body === "string" ? encoder.encode(body) : unshared(body);
  const headers = responseHeaders(headersWithLength(reply, bytes.length), reply);
  const init: ResponseInit = { status: reply.status, headers };
  if (bytes.length === 0) return new Response(null, init);
  return new Response(drained === undefined ? bytes : keptOpen(bytes, drained), init);
}

/** Returns the headers, with one `set-cookie` header for each cookie. */
export function responseHeaders(
  headers: Readonly<Record<string, string>>,
  { cookies = [] }: Pick<HttpReply, "cookies">,
): Readonly<Record<string, string>> | Headers {
  // Some platforms add a content type to a `Headers` object that has none.
  if (cookies.length === 0) return headers;
  const all = new Headers(headers);
  for (const cookie of cookies) all.append("set-cookie", cookie);
  return all;
}

/**
 * Sends the bytes immediately and ends the stream when `drained` resolves.
 *
 * A server may close a connection when the response ends, even if the connection has unread bytes.
 * The reset that follows can destroy the reply. The reply has a content length, so the client need
 * not wait for the end.
 */
function keptOpen(bytes: Uint8Array, drained: Promise<void>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(bytes),
    pull: async (controller) => {
      await drained;
      controller.close();
    },
  });
}

/** Returns the same bytes. Copies shared memory, because `Response` does not accept it. */
function unshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes;
  return buffer instanceof ArrayBuffer
    ? new Uint8Array(buffer, byteOffset, byteLength)
    : new Uint8Array(bytes);
}
