import type { SqlClient } from "./sql-client.js";
import { hasCitus } from "./read-distribution.js";
import { booleanValue } from "./row.js";
import { statement } from "./statement.js";
import { tablesOf } from "./tables.js";

/** A client over the tables of one schema, which may be distributed over the nodes of a cluster. */
export interface StoreClient extends SqlClient {
  /**
   * Returns whether the tables are distributed.
   *
   * Reads the catalogue of Citus once. A failed read rejects, and the next call reads again.
   */
  isDistributed(): Promise<boolean>;
}

/**
 * Creates a {@link StoreClient} over `schema`. Returns a client that is one already.
 *
 * `distributed` replaces the answer of the catalogue.
 */
export function storeClient(
  sql: SqlClient | StoreClient,
  schema: string,
  distributed?: boolean,
): StoreClient {
  if ("isDistributed" in sql) return sql;
  let known = distributed === undefined ? undefined : Promise.resolve(distributed);
  const isDistributed = (): Promise<boolean> => {
    known ??= readDistributed(sql, schema).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
  return {
    query: (asked, values) => sql.query(asked, values),
    script: (text) => sql.script(text),
    // The catalogue is read first. Within the transaction, the read would wait for a second
    // connection, which the pool may not have.
    transaction: async (work, options) => {
      await isDistributed();
      return sql.transaction(work, options);
    },
    close: () => sql.close(),
    isDistributed,
  };
}

const DISTRIBUTED = statement(
  "citus_distributed",
  `select exists (
     select from pg_catalog.pg_dist_partition where logicalrelid = to_regclass($1) and partmethod = 'h'
   ) as distributed`,
);

async function readDistributed(sql: SqlClient, schema: string): Promise<boolean> {
  // A server without the extension has no such catalogue, and cannot parse a query of it.
  if (!(await hasCitus(sql))) return false;
  const [orders] = await sql.query(DISTRIBUTED, [tablesOf(schema).orders]);
  return orders !== undefined && booleanValue(orders, "distributed");
}

/** Runs a call in one of two forms: on one server, or on a cluster. */
export function byDistribution<A, R>(
  { isDistributed }: Pick<StoreClient, "isDistributed">,
  forms: {
    readonly server: (call: A) => Promise<R>;
    readonly cluster: (call: A) => Promise<R>;
  },
): (call: A) => Promise<R> {
  return async (call) => ((await isDistributed()) ? forms.cluster(call) : forms.server(call));
}
