import type { SqlClient, SqlQueries, SqlRow } from "./sql-client.js";

/** What this client asks of PGlite, or of one of its transactions. */
export interface PgliteQueries {
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly SqlRow[] }>;
  exec(text: string): Promise<unknown>;
}

/** What of PGlite this client uses; its own types want those of a browser. */
export interface PgliteDatabase extends PgliteQueries {
  transaction<T>(work: (transaction: PgliteQueries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * A `SqlClient` over PGlite, PostgreSQL inside of this process: in a folder (`await PGlite.create(folder)`), or in memory without one.
 * It runs one statement or transaction after the other. It closes the database with itself.
 */
export function pgliteClient(database: PgliteDatabase): SqlClient {
  return {
    ...queriesOf(database),
    transaction: (work) => database.transaction((transaction) => work(queriesOf(transaction))),
    close: () => database.close(),
  };
}

function queriesOf(queryable: PgliteQueries): SqlQueries {
  return {
    query: async ({ text }, values) => (await queryable.query(text, [...values])).rows,
    script: async (text) => {
      await queryable.exec(text);
    },
  };
}
