import type { ServerOptions } from "node:http";

/**
 * How long a client of a Node server may take, in milliseconds: `createServer(serverLimits, app)`. Node's own defaults let a client hold a connection for
 * five minutes with a byte now and then. Whoever is too slow gets 408, and the connection ends. Change one by
 * `{ ...serverLimits, requestTimeout: 60_000 }`.
 */
export const serverLimits = {
  /** For the head of a request, and for a new connection that says nothing. A client sends it in one go. */
  headersTimeout: 10_000,
  /** For the whole request. A body is 64 KiB at most; what is over the limit is thrown away for as long. */
  requestTimeout: 20_000,
  /** How often the two are looked after. */
  connectionsCheckingInterval: 5_000,
  /**
   * For the next request on a connection. Longer than the 60 s after which common load balancers let go of an idle one: whoever closes first must be
   * the one that opened it, or requests sent at that moment are lost.
   */
  keepAliveTimeout: 65_000,
} as const satisfies ServerOptions;
