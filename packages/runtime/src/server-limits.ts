import type { ServerOptions } from "node:http";

/**
 * Recommended timeouts of a Node HTTP server, in milliseconds.
 *
 * The defaults of Node let a slow client occupy a connection for five minutes. With these limits
 * the server answers 408 to a slow client and closes the connection.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { serverLimits } from "@tillkit/runtime";
 *
 * createServer({ ...serverLimits, requestTimeout: 60_000 }, app);
 * ```
 */
export const serverLimits = {
  /**
   * Time limit for the headers of a request, which also covers a new connection that sends nothing.
   */
  headersTimeout: 10_000,
  /** Time limit for the whole request. Tillkit reads request bodies of at most 64 KiB. */
  requestTimeout: 20_000,
  /** How often the server checks the two limits above. */
  connectionsCheckingInterval: 5_000,
  /**
   * How long the server keeps an idle connection open for the next request.
   *
   * The value exceeds the idle timeout of common load balancers (60 s). If the server closed the
   * connection first, a request sent at that moment would be lost.
   */
  keepAliveTimeout: 65_000,
} as const satisfies ServerOptions;
