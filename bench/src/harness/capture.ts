import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestListener, ServerResponse } from "node:http";

/** The header in which a server passes the code of an SMS to the load generator. */
export const CAPTURE_HEADER = "x-bench-keep";

/**
 * Lets code that runs during a request add a text to the reply, for the operation's next request.
 */
export function capturing(): {
  readonly around: (listener: RequestListener) => RequestListener;
  readonly keep: (text: string) => void;
} {
  const responses = new AsyncLocalStorage<ServerResponse>();
  return {
    around: (listener) => (request, response) => responses.run(response, listener, request, response),
    keep: (text) => responses.getStore()?.setHeader(CAPTURE_HEADER, text),
  };
}
