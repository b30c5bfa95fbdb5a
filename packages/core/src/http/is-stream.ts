import type { ReplyBody } from "./request.js";

/**
 * Returns whether the body of a reply is a stream.
 *
 * @returns true for a stream, and false for text and bytes.
 * @example
 * ```ts
 * import { isStream } from "@tillkit/core/http";
 *
 * if (isStream(reply.body)) for await (const text of reply.body) response.write(text);
 * ```
 */
export function isStream(body: ReplyBody): body is AsyncIterable<string> {
  return typeof body === "object" && !(body instanceof Uint8Array);
}
