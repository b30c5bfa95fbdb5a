import type { PGliteInterface, Transaction } from "@electric-sql/pglite";
import type { SqlClient, SqlQueries, SqlRow } from "./sql-client.js";

/**
 * A `SqlClient` over PGlite, PostgreSQL inside of this process: in a folder (`await PGlite.create(folder)`), or in memory without one.
 * It runs one statement or transaction after the other. It closes the database with itself.
 */
export function pgliteClient(database: PGliteInterface): SqlClient {
  return {
    ...queriesOf(database),
    transaction: (work) => database.transaction((transaction) => work(queriesOf(transaction))),
    close: () => database.close(),
  };
}

function queriesOf(queryable: Pick<Transaction, "query" | "exec">): SqlQueries {
  return {
    query: async ({ text }, values) => (await queryable.query<SqlRow>(text, [...values])).rows,
    script: async (text) => {
      await queryable.exec(text);
    },
  };
}
