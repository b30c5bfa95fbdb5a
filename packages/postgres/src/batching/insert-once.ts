import type { AuditEntry } from "@tillkit/core/ports";
import { type AuditAppender, withAudit } from "../audit/append-audit.js";
import type { SqlClient, SqlQueries, SqlRow, SqlStatement, SqlValue } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";

/** The parts of a statement that inserts a row unless its key exists. */
export interface InsertOnceParts {
  readonly method: string;
  readonly table: string;
  /** The columns of the row, in the order of the placeholders. */
  readonly columns: readonly string[];
  /** The SQL condition that finds the existing row, over the same placeholders. */
  readonly where: string;
  /** An SQL condition for the insertion, over the same placeholders. By default there is none. */
  readonly provided?: string;
}

/**
 * Creates a statement that inserts a row unless its key exists, and returns the stored row.
 *
 * The column `inserted` tells whether the statement inserted it.
 */
export function insertOnceStatement({
  method,
  table,
  columns,
  where,
  provided,
}: InsertOnceParts): SqlStatement {
  const list = columns.join(", ");
  const values = columns.map((_, index) => `$${index + 1}`).join(", ");
  return statement(
    method,
    `with made as (
       insert into ${table} (${list}) ${provided === undefined ? `values (${values})` : `select ${values} where ${provided}`}
       on conflict do nothing returning ${list}
     )
     select ${list}, true as inserted from made
     union all
     select ${list}, false as inserted from ${table} where ${where} and not exists (select from made)`,
  );
}

/** A statement with its values. */
export interface FilledStatement {
  readonly statement: SqlStatement;
  readonly values: readonly SqlValue[];
}

/** The maximum number of attempts. An attempt fails only if another call removes the row. */
const ATTEMPTS = 10;

/**
 * Returns the row that `insert` inserted or found.
 *
 * `insert` cannot see a row that a concurrent call inserted while `insert` waited for it. In this
 * case the function also runs `find`. If another call has removed the row meanwhile, the function
 * starts again.
 */
export async function insertedOrExisting(
  sql: SqlQueries,
  insert: FilledStatement,
  find: FilledStatement,
): Promise<SqlRow> {
  let row: SqlRow | undefined;
  for (let attempt = 0; attempt < ATTEMPTS && row === undefined; attempt += 1)
    row = await insertedOrExistingIfProvided(sql, insert, find);
  return required(row);
}

function required(row: SqlRow | undefined): SqlRow {
  if (row === undefined) throw new Error("The row was neither stored nor found.");
  return row;
}

/**
 * Like {@link insertedOrExisting}, for an `insert` with a condition (`provided`).
 *
 * Returns `undefined` if the condition is false and no row exists.
 */
async function insertedOrExistingIfProvided(
  sql: SqlQueries,
  insert: FilledStatement,
  find: FilledStatement,
): Promise<SqlRow | undefined> {
  const [row] = await sql.query(insert.statement, insert.values);
  if (row !== undefined) return row;
  const [stored] = await sql.query(find.statement, find.values);
  return stored;
}

/**
 * Like {@link insertedOrExisting}, and appends `audit` if this call inserted the row.
 *
 * `insert` has the column `inserted`, as {@link insertOnceStatement} creates it.
 */
export async function insertedWithAudit(
  ...parameters: Parameters<typeof insertedWithAuditIfProvided>
): Promise<SqlRow> {
  return required(await insertedWithAuditIfProvided(...parameters));
}

/**
 * Like {@link insertedWithAudit}, for an `insert` with a condition (`provided`).
 *
 * Returns `undefined` if the condition is false and no row exists.
 */
export function insertedWithAuditIfProvided(
  sql: SqlClient,
  appender: AuditAppender,
  audit: AuditEntry | undefined,
  insert: FilledStatement,
  find: FilledStatement,
): Promise<SqlRow | undefined> {
  return withAudit(sql, appender, audit, async (queries) => {
    const row = await insertedOrExistingIfProvided(queries, insert, find);
    return { changed: row?.["inserted"] === true, value: row };
  });
}
