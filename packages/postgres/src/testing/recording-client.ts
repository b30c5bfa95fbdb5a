import type { SqlClient, SqlQueries, SqlStatement, SqlValue } from "../sql-client.js";

/** A statement with the values it was run with. */
export interface RecordedCall {
  readonly statement: SqlStatement;
  readonly values: readonly SqlValue[];
}

/** `sql`, and what was run through it. */
export interface Recording {
  readonly sql: SqlClient;
  readonly calls: readonly RecordedCall[];
  readonly scripts: readonly string[];
}

/** `sql`, and a record of every statement and script that is run through it. */
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
