import { setImmediate } from "node:timers/promises";
import type { HttpReply, HttpRequest, Surface } from "@tillkit/core/http";

/** What a surface was given. */
export interface Seen extends Omit<HttpRequest, "body"> {
  readonly surface: string;
  /** In base64, or `"too-large"`. */
  readonly body: string;
}

/** What the surfaces of one test have seen, and what they are to say. */
export interface Recording {
  readonly seen: Seen[];
  /** The next reply; without it a surface replies with the index of the request in `seen`. */
  reply?: HttpReply;
}

/**
 * A hand-made surface for the binding contract, which writes down what it was given. Payments alone owns its root, so that a test
 * can tell its mount point from the metrics' one; none owns the method TRACE. Metrics, mounted at the root, also owns a path of
 * payments.
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
      const body = given.body === "too-large" ? given.body : Buffer.from(given.body).toString("base64");
      const index = recording.seen.push({ surface, ...given, body }) - 1;
      // Replies leave in another order than the requests came in.
      for (let turns = index % 5; turns > 0; turns -= 1) await setImmediate();
      return recording.reply ?? { status: 200, headers: {}, body: String(index) };
    },
  };
}

/** What led to this reply. Throws when no surface of the recording has given it. */
export function seenIn(recording: Recording, reply: string): Seen {
  const found = recording.seen.find((_given, index) => String(index) === reply);
  if (found === undefined) throw new Error(`No surface has answered: ${reply}`);
  return found;
}
