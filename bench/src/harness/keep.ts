import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import type { RequestHandler } from "express";

/** The header in which a server tells the load generator what a customer would have read on a phone. */
export const KEEP = "x-bench-keep";

/** Lets what is called while a request is answered put a text into its reply, for the next request of the work. */
export function keeping(): { readonly middleware: RequestHandler; readonly keep: (text: string) => void } {
  const responses = new AsyncLocalStorage<ServerResponse>();
  return {
    middleware: (_request, response, next) => responses.run(response, next),
    keep: (text) => responses.getStore()?.setHeader(KEEP, text),
  };
}
