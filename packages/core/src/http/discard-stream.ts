import { isStream } from "./is-stream.js";
import type { ReplyBody } from "./request.js";

/**
 * Calls `return()` of the iterator of a stream that is not sent. Does nothing for text and bytes.
 *
 * @returns a promise that resolves when the stream has ended. Rejects with the error of the stream.
 * @example
 * ```ts
 * import { discardStream, type HttpReply, type HttpRequest } from "@tillkit/core/http";
 *
 * declare const reply: HttpReply;
 * declare const request: HttpRequest;
 *
 * if (request.method === "HEAD") await discardStream(reply.body);
 * ```
 */
export async function discardStream(body: ReplyBody): Promise<void> {
  if (isStream(body)) await body[Symbol.asyncIterator]().return?.();
}
