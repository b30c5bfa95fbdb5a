import type { SqlClient, SqlQueries, SqlStatement, SqlValue } from "../sql-client.js";

/** A statement with the values it was run with. */
export interface RecordedCall {
  readonly statement: SqlStatement;
  readonly values: readonly SqlValue[];
}

/** `sql`, and every call of a statement made through it. */
export function recordingClient(sql: SqlClient): { readonly sql: SqlClient; readonly calls: RecordedCall[] } {
  const calls: RecordedCall[] = [];
  const recording = ({ query, script }: SqlQueries): SqlQueries => ({
    query: (statement, values) => {
      calls.push({ statement, values });
      return query(statement, values);
    },
    script,
  });
  return {
    sql: {
      ...sql,
      ...recording(sql),
      transaction: (work) => sql.transaction((transaction) => work(recording(transaction))),
    },
    calls,
  };
}
