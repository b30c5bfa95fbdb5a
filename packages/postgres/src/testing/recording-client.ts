import type { SqlClient, SqlQueries, SqlRunner, SqlStatement, SqlValue } from "../sql/sql-client.js";

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
  const runner = (real: SqlRunner): SqlRunner => ({
    ...recording(real),
    transaction: (work, options) => real.transaction((transaction) => work(recording(transaction)), options),
  });
  const { onNode } = sql;
  return {
    sql: {
      ...runner(sql),
      ...(onNode === undefined ? {} : { onNode: (node) => runner(onNode(node)) }),
      close: () => sql.close(),
    },
    calls,
    scripts,
  };
}
