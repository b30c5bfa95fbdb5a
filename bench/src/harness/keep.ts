import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestListener, ServerResponse } from "node:http";

/** The header in which a server tells the load generator what a customer would have read on a phone. */
export const KEEP = "x-bench-keep";

/** Lets what is called while a request is answered put a text into its reply, for the next request of the work. */
export function keeping(): {
  readonly around: (listener: RequestListener) => RequestListener;
  readonly keep: (text: string) => void;
} {
  const responses = new AsyncLocalStorage<ServerResponse>();
  return {
    around: (listener) => (request, response) => responses.run(response, listener, request, response),
    keep: (text) => responses.getStore()?.setHeader(KEEP, text),
  };
}
