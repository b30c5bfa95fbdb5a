import { PINNED_PARSERS, type ValueParser } from "./pinned-types.js";
import { withNestedCalls } from "./nested-calls.js";
import type { SqlClient, SqlQueries, SqlRow, SqlRunner } from "../sql/sql-client.js";

/** How long the transaction of a handler waits for the transaction of another handler, in ms. */
const WAIT_MS = 5_000;

/** The part of PGlite, or of one of its transactions, that this package uses. */
export interface PgliteQueries {
  query(
    text: string,
    values: unknown[],
    options: { parsers: Record<number, ValueParser> },
  ): Promise<{ readonly rows: readonly SqlRow[] }>;
  exec(text: string): Promise<unknown>;
}

/** The part of PGlite that this package uses. The types of PGlite itself need browser types. */
export interface PgliteDatabase extends PgliteQueries {
  transaction<T>(work: (transaction: PgliteQueries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Creates a `SqlClient` over PGlite, which runs PostgreSQL inside this process.
 *
 * The client runs one statement or transaction at a time. Closing the client closes the database.
 *
 * @returns the client, for `postgresStores` and `migrate`.
 * @example
 * ```ts
 * import { PGlite } from "@electric-sql/pglite";
 * import { pgliteClient } from "@tillkit/postgres/pglite";
 *
 * const sql = pgliteClient(await PGlite.create());
 * ```
 */
export function pgliteClient(database: PgliteDatabase): SqlClient {
  const runner: SqlRunner = {
    ...queriesOf(database),
    transaction: (work) => database.transaction((transaction) => work(queriesOf(transaction))),
  };
  return { ...withNestedCalls(runner, { connections: 1, waitMs: WAIT_MS }), close: () => database.close() };
}

function queriesOf(queryable: PgliteQueries): SqlQueries {
  return {
    query: async ({ text }, values) =>
      (await queryable.query(text, [...values], { parsers: PINNED_PARSERS })).rows,
    script: async (text) => {
      await queryable.exec(text);
    },
  };
}
