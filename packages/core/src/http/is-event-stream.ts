import type { HttpReply } from "./request.js";

/**
 * Returns whether a reply is an event stream, which stays open until the client disconnects.
 *
 * @returns true if the body is a stream and its content type is `text/event-stream`.
 * @example
 * ```ts
 * import { type HttpReply, isEventStream } from "@tillkit/core/http";
 *
 * declare const reply: HttpReply;
 * declare const socket: { setTimeout(ms: number): void };
 *
 * if (isEventStream(reply)) socket.setTimeout(0);
 * ```
 */
export function isEventStream({ headers, body }: HttpReply): boolean {
  // Checks the type of the body first, because few replies are streams.
  return typeof body === "object" && /^text\/event-stream *(?:;|$)/i.test(headers["content-type"] ?? "");
}
