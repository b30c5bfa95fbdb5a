import { errorCode } from "@tillkit/core/errors";
import type { SqlClient } from "../sql/sql-client.js";

/**
 * Creates a client that reports deadlocks instead of repeating the statement.
 *
 * `report` receives the name of the statement.
 */
export function reportingDeadlocks(sql: SqlClient, report: (statement: string) => void): SqlClient {
  const reported = (name: string) => (error: unknown) => {
    if (errorCode(error) === "40P01") report(name);
    throw error;
  };
  return {
    ...sql,
    query: (one, values) =>
      sql.transaction((queries) => queries.query(one, values), { once: true }).catch(reported(one.name)),
    transaction: (work) => sql.transaction(work, { once: true }).catch(reported("transaction")),
  };
}
