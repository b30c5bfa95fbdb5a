import type { NodeAddress } from "../sql/sql-client.js";

/**
 * Returns the URL of a node of a cluster, from the URL of the coordinator.
 *
 * Database, role, password and options stay the same. Use it in `nodePool` of `pgClient`.
 *
 * @param coordinator - a `postgres://` URL.
 * @returns the URL with the address of the node. Throws if `coordinator` is not a URL.
 * @example
 * ```ts
 * import { nodeUrl, pgClient } from "@tillkit/postgres";
 * import { Pool } from "pg";
 *
 * const url = "postgres://tillkit_host@coordinator/pay";
 * const sql = pgClient(new Pool({ connectionString: url }), {
 *   nodePool: (node) => new Pool({ connectionString: nodeUrl(url, node) }),
 * });
 * ```
 */
export function nodeUrl(coordinator: string, { host, port }: NodeAddress): string {
  const url = new URL(coordinator);
  url.hostname = host.includes(":") ? `[${host}]` : host;
  url.port = String(port);
  // These parameters would replace the address.
  url.searchParams.delete("host");
  url.searchParams.delete("port");
  return url.href;
}
