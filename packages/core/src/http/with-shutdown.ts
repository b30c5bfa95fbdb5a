import { EndableClient } from "./endable-client.js";
import { isEventStream } from "./is-event-stream.js";
import { isStream } from "./is-stream.js";
import type { ClientSignal, Surface } from "./request.js";

/**
 * Ends the event streams of a surface when the host stops.
 *
 * An event stream stays open until its client disconnects, so a server that waits for its open
 * replies would never stop. When `stopping` aborts, `HttpRequest.client` of each open event stream
 * aborts, `return()` of its iterator is called, and its reply ends. A browser then reconnects, and
 * reaches another process. All other replies are sent to their end.
 *
 * A reply to a client that does not read cannot end. Close the remaining connections after a
 * deadline.
 *
 * @param stopping - the signal of an `AbortController`. Abort it before you close the server.
 * @returns a surface that owns the same paths.
 * @example
 * ```ts
 * import { limitedSurfaces, withShutdown } from "@tillkit/core/http";
 *
 * const stopping = new AbortController();
 * const payments = withShutdown(limitedSurfaces(ports).payments, stopping.signal);
 * ```
 */
export function withShutdown(surface: Surface, stopping: ClientSignal): Surface {
  // One listener for all streams. `addEventListener` searches all earlier listeners for a
  // duplicate, so one listener per stream would be slow.
  const stops = new Set<() => void>();
  stopping.addEventListener("abort", () => {
    for (const stop of [...stops]) stop();
  });
  return {
    maxRequestBytes: surface.maxRequestBytes,
    owns: (method, path) => surface.owns(method, path),
    handle: async (request) => {
      const client = new EndableClient({ signal: request.client });
      const reply = await surface.handle({ ...request, client });
      if (!isStream(reply.body) || !isEventStream(reply)) return reply;
      return { ...reply, body: endedBy({ stopping, stops }, reply.body, client) };
    },
  };
}

const DONE = { done: true, value: undefined } as const;

interface Shutdown {
  readonly stopping: ClientSignal;
  /** The functions that end the streams that wait for their next text. */
  readonly stops: Set<() => void>;
}

function endedBy(
  { stopping, stops }: Shutdown,
  body: AsyncIterable<string>,
  client: EndableClient,
): AsyncIterable<string> {
  return {
    [Symbol.asyncIterator]: () => {
      const texts = body[Symbol.asyncIterator]();
      const next = () =>
        new Promise<IteratorResult<string>>((resolve, reject) => {
          const stop = (): void => {
            stops.delete(stop);
            client.leave();
            resolve(DONE);
            // The reply has ended, so nothing can report a failure of the stream.
            Promise.resolve(texts.return?.()).catch(() => undefined);
          };
          if (stopping.aborted) {
            stop();
            return;
          }
          stops.add(stop);
          void texts
            .next()
            .then(resolve, reject)
            .finally(() => stops.delete(stop));
        });
      return {
        next,
        return: async () => {
          await texts.return?.();
          return DONE;
        },
      };
    },
  };
}
