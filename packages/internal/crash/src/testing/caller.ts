import type { HostFacts } from "../../../../cli/src/dev/host-file.js";

/** The addresses and credentials that a caller needs. */
export type CallerFacts = Pick<HostFacts, "baseUrl" | "appId" | "appSecret" | "sandbox">;

/** Sends requests to a running host and returns the JSON responses. Ignores the HTTP status. */
export interface Caller {
  get(path: string): Promise<unknown>;
  post(path: string, body: object): Promise<unknown>;
  /** Creates an order of 600 cents. `changes` replaces any of its members. */
  order(changes: object): Promise<unknown>;
  detail(bizNo: string, customerIdentity?: string): Promise<unknown>;
  /** Calls the control interface of the sandbox: POST with a body, GET without one. */
  control(call: string, body?: object): Promise<unknown>;
}

/**
 * Creates a caller with these credentials. Defaults to those of the demo app.
 *
 * @param customer - the customer of orders that name no other.
 */
export function callerOf(
  facts: CallerFacts,
  appId = facts.appId,
  appSecret = facts.appSecret,
  customer = "user-1",
): Caller {
  const headers = { APP_ID: appId, APP_SECRET: appSecret, "content-type": "application/json" };
  const json = async (url: string, init: RequestInit): Promise<unknown> => (await fetch(url, init)).json();
  const posted = (body: object) => ({ method: "POST", headers, body: JSON.stringify(body) });
  const get: Caller["get"] = (path) => json(`${facts.baseUrl}${path}`, { headers });
  const post: Caller["post"] = (path, body) => json(`${facts.baseUrl}${path}`, posted(body));
  const terms = { amount: 600, goodsTitle: "One month", payChannel: "WALLET_B", customerIdentity: customer };
  return {
    get,
    post,
    order: (changes) => post("/order.json", { ...terms, ...changes }),
    detail: (bizNo, customerIdentity = customer) =>
      get(`/detail.json?${new URLSearchParams({ bizNo, customerIdentity }).toString()}`),
    control: (call, body) =>
      json(`${facts.sandbox.control}/${call}`, body === undefined ? { headers } : posted(body)),
  };
}
