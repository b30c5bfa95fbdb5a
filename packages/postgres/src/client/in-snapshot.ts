import type { SqlClient } from "../sql/sql-client.js";

/**
 * Runs `work` with a client that reads the database as it was at the first statement.
 *
 * The statements run in one read-only transaction of the level REPEATABLE READ, so pages of a list
 * are consistent while others write. On a cluster, each node returns its data as of its own first
 * statement. The transaction stays open while the caller reads the pages, however slowly.
 *
 * @returns what `work` returns. Rejects if `work` rejects, or with the error of the database.
 * @example
 * ```ts
 * import { orThrow } from "@tillkit/core";
 * import { inSnapshot, postgresStores } from "@tillkit/postgres";
 *
 * const orders = await inSnapshot(sql, async (snapshot) => {
 *   const stores = postgresStores({ sql: snapshot, schema: "tillkit", credentialKeys });
 *   return orThrow(stores.orders.listAll({ limit: 500 }));
 * });
 * ```
 */
export function inSnapshot<T>(sql: SqlClient, work: (snapshot: SqlClient) => Promise<T>): Promise<T> {
  return sql.transaction(
    async (queries) => {
      await queries.script(BEGINNING);
      return work({
        ...queries,
        transaction: (inner) => inner(queries),
        close: () => Promise.resolve(),
      });
    },
    { once: true },
  );
}

const BEGINNING =
  "set transaction isolation level repeatable read read only; set local idle_in_transaction_session_timeout = 0";
