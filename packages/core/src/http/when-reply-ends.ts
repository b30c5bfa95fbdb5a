import { isEventStream } from "./is-event-stream.js";
import { isStream } from "./is-stream.js";
import type { HttpReply } from "./request.js";

/** How the work for a reply ended. */
export type ReplyEnd = "complete" | "abandoned" | "failed";

/**
 * Calls `onEnd` once when the work for a reply ends.
 *
 * For text, bytes and an event stream, this function calls `onEnd` before it returns. An event
 * stream stays open, but mostly waits. The work for any other stream ends when the stream is
 * `complete`, when the client has `abandoned` it, or when it has `failed`.
 *
 * @returns the reply to send in place of `reply`. It is `reply` itself unless `onEnd` is called
 *   later.
 * @example
 * ```ts
 * import { type HttpRequest, type Surface, whenReplyEnds } from "@tillkit/core/http";
 *
 * declare const surface: Surface;
 * declare const request: HttpRequest;
 *
 * let running = 0;
 * running += 1;
 * const reply = whenReplyEnds(await surface.handle(request), () => (running -= 1));
 * ```
 */
export function whenReplyEnds(reply: HttpReply, onEnd: (how: ReplyEnd) => void): HttpReply {
  const { body } = reply;
  if (!isStream(body) || isEventStream(reply)) {
    onEnd("complete");
    return reply;
  }
  let hasEnded = false;
  const end = (how: ReplyEnd): void => {
    if (hasEnded) return;
    hasEnded = true;
    onEnd(how);
  };
  return { ...reply, body: watched(body, end) };
}

/**
 * Returns a stream like `body` that reports its end.
 *
 * It is not a generator, because `return()` of a generator that never started runs none of its
 * code.
 */
function watched(body: AsyncIterable<string>, end: (how: ReplyEnd) => void): AsyncIterable<string> {
  return {
    [Symbol.asyncIterator]: () => {
      const texts = body[Symbol.asyncIterator]();
      return {
        next: async () => {
          try {
            const next = await texts.next();
            if (next.done === true) end("complete");
            return next;
          } catch (error) {
            end("failed");
            throw error;
          }
        },
        return: async () => {
          try {
            await texts.return?.();
          } finally {
            end("abandoned");
          }
          return { done: true, value: undefined };
        },
      };
    },
  };
}
