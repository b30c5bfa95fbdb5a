import { discardStream, type HttpReply } from "@tillkit/core/http";
import { responseHeaders } from "./to-response.js";

const encoder = new TextEncoder();

/**
 * Converts a streamed reply to a `Response`. Reads each text only when the platform requests it.
 *
 * If the stream throws, the body of the response fails with the same error, and the platform breaks
 * off the connection.
 *
 * @param leave - called when the platform cancels the response before its end.
 */
export async function streamResponse(
  { method }: Request,
  reply: HttpReply,
  body: AsyncIterable<string>,
  leave: () => void,
): Promise<Response> {
  const { status } = reply;
  const headers = responseHeaders(reply.headers, reply);
  if (method === "HEAD" || status === 204 || status === 304) {
    await discardStream(body);
    return new Response(null, { status, headers });
  }
  const texts = body[Symbol.asyncIterator]();
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (controller) => {
        const next = await texts.next();
        if (next.done === true) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      },
      cancel: async () => {
        leave();
        await texts.return?.();
      },
    },
    // The platform has a buffer of its own, so nothing is read ahead.
    { highWaterMark: 0 },
  );
  return new Response(stream, { status, headers });
}
