import { setImmediate } from "node:timers/promises";
import type { HttpReply, HttpRequest, Surface } from "@tillkit/core/http";

/** A request as a surface received it. */
export interface Seen extends Omit<HttpRequest, "body"> {
  readonly surface: string;
  /** In base64, or `"too-large"`. */
  readonly body: string;
}

/** The requests that the surfaces of one test received, and the reply that they send. */
export interface Recording {
  readonly seen: Seen[];
  /** The reply to every request. By default, it is the index of the request in `seen`. */
  reply?: HttpReply;
  /** Receives each request before its reply. */
  onRequest?: (request: HttpRequest) => void;
}

/**
 * Creates a surface that records its requests, for the binding contract.
 *
 * Only the payments surface owns its root, so that a test can distinguish its mount point from the
 * mount point of metrics. No surface owns the method TRACE. Metrics, which is mounted at the root,
 * also owns a path of payments.
 */
export function echoSurface(surface: string, maxRequestBytes: number, recording: Recording): Surface {
  return {
    maxRequestBytes,
    owns: (method, path) =>
      method !== "TRACE" &&
      (path === "/echo" ||
        path.startsWith("/echo/") ||
        (path === "/" && surface === "payments") ||
        (path === "/pay/echo/shared" && surface === "metrics")),
    handle: async (given) => {
      recording.onRequest?.(given);
      const body = given.body === "too-large" ? given.body : Buffer.from(given.body).toString("base64");
      const index = recording.seen.push({ surface, ...given, body }) - 1;
      // Sends the replies in another order than the requests.
      for (let turns = index % 5; turns > 0; turns -= 1) await setImmediate();
      return recording.reply ?? { status: 200, headers: {}, body: String(index) };
    },
  };
}

/** Returns the request that led to this reply. Throws if no surface sent the reply. */
export function seenIn(recording: Recording, reply: string): Seen {
  const found = recording.seen.find((_given, index) => String(index) === reply);
  if (found === undefined) throw new Error(`No surface has answered: ${reply}`);
  return found;
}
