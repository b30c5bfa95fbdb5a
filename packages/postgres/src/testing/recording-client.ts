import type { SqlClient, SqlQueries, SqlStatement, SqlValue } from "../sql-client.js";

/** A statement with its values. */
export interface RecordedCall {
  readonly statement: SqlStatement;
  readonly values: readonly SqlValue[];
}

/** A client with a record of its statements and scripts. */
export interface Recording {
  readonly sql: SqlClient;
  readonly calls: readonly RecordedCall[];
  readonly scripts: readonly string[];
}

/** Wraps `sql` and records every statement and script. */
export function recordingClient(sql: SqlClient): Recording {
  const calls: RecordedCall[] = [];
  const scripts: string[] = [];
  const recording = (queries: SqlQueries): SqlQueries => ({
    query: (statement, values) => {
      calls.push({ statement, values });
      return queries.query(statement, values);
    },
    script: (text) => {
      scripts.push(text);
      return queries.script(text);
    },
  });
  return {
    sql: {
      ...sql,
      ...recording(sql),
      transaction: (work, options) => sql.transaction((transaction) => work(recording(transaction)), options),
    },
    calls,
    scripts,
  };
}
