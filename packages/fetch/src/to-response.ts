import { headersWithLength, type HttpReply } from "@tillkit/core/http";

const encoder = new TextEncoder();

/** The reply as a `Response`, which ends no sooner than `drained` resolves: until then the client may still be sending the request. */
export function toResponse(reply: HttpReply, drained?: Promise<void>): Response {
  // Bytes, because a text would bring a content type of its own.
  const bytes = encoder.encode(reply.body);
  const init = { status: reply.status, headers: headersWithLength(reply, bytes.length) };
  if (bytes.length === 0) return new Response(null, init);
  return new Response(drained === undefined ? bytes : heldOpen(bytes, drained), init);
}

/**
 * The bytes at once, and the end later. A server that ends a response may close a connection with unread bytes in it, and the reset that
 * follows can destroy the reply on its way; the length is known, so the client has the whole reply already.
 */
function heldOpen(bytes: Uint8Array, drained: Promise<void>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(bytes),
    pull: async (controller) => {
      await drained;
      controller.close();
    },
  });
}
