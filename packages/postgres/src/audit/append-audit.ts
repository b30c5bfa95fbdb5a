import { createHash } from "node:crypto";
import type { AuditEvent } from "@tillkit/core";
import { type AuditEntry, chainedAuditEvent, entryWithBefore } from "@tillkit/core/ports";
import { AUDIT_COLUMNS, auditValues } from "./audit-row.js";
import { errorCode } from "../sql/error-code.js";
import { booleanValue, integer, text } from "../sql/row.js";
import type { SqlClient, SqlQueries, SqlRow, SqlRunner, SqlStatement, SqlValue } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import type { Tables } from "../sql/tables.js";

/**
 * The maximum number of attempts to append an entry.
 *
 * On one server, the lock makes the first attempt succeed. On a cluster, hosts that use several
 * coordinators do not share the lock, and one of two concurrent attempts must be repeated.
 */
const ATTEMPTS = 20;
const UNIQUE_VIOLATION = "23505";

/** The statements that append to the audit log. */
export interface AppendAuditStatements {
  /** Lets one transaction at a time append. */
  readonly lock: SqlStatement;
  /**
   * Returns number and hash of the last entry, and whether the log has the outcome of a change.
   *
   * Placeholders: operator, and the id of the change or null.
   */
  readonly last: SqlStatement;
  /** Placeholders: {@link AUDIT_COLUMNS}. */
  readonly insert: SqlStatement;
  /** Ends a begun change. Placeholders: operator, change id. */
  readonly end: SqlStatement;
}

/** The tables that an append changes. */
export type AuditTables = Pick<Tables, "audit_log" | "begun_changes">;

/** Creates the statements over one schema. */
export function appendAuditStatements({ audit_log, begun_changes }: AuditTables): AppendAuditStatements {
  const values = AUDIT_COLUMNS.map((_, index) => `$${index + 1}`).join(", ");
  return {
    lock: statement(
      "audit_lock",
      `select pg_advisory_xact_lock(hashtextextended('${audit_log.replaceAll("'", "''")}', 0)) is null as locked`,
    ),
    last: statement(
      "audit_last",
      `select seq, hash, exists (
         select from ${audit_log} where operator = $1 and change_id = $2 and outcome <> 'unknown'
       ) as is_recorded
       from ${audit_log} order by seq desc limit 1`,
    ),
    insert: statement(
      "audit_insert",
      `insert into ${audit_log} (${AUDIT_COLUMNS.join(", ")}) values (${values})`,
    ),
    end: statement("change_end", `delete from ${begun_changes} where operator = $1 and change_id = $2`),
  };
}

const digest = { sha256: (plain: string) => createHash("sha256").update(plain).digest("hex") };

/**
 * Appends an entry in the transaction of `queries`, and returns it with its number and hash.
 *
 * Call it last in the transaction, because it locks the log until the transaction ends. Throws if
 * the log already contains an outcome of the same change, unless that outcome is `unknown`.
 */
export async function append(
  queries: SqlQueries,
  { lock, last, insert, end }: AppendAuditStatements,
  entry: AuditEntry,
): Promise<AuditEvent> {
  await queries.query(lock, []);
  const change = [entry.operator, entry.change?.id ?? null];
  const [head] = await queries.query(last, change);
  // The error rolls the change back. On a cluster whose coordinators do not share the lock, the
  // unique index refuses the second outcome, and the repeated transaction ends here.
  if (head !== undefined && booleanValue(head, "is_recorded"))
    throw new Error("The audit log already contains the outcome of this change.");
  const previous = head && { seq: integer(head, "seq"), hash: text(head, "hash") };
  const event = chainedAuditEvent(digest, previous, entry);
  await queries.query(insert, auditValues(event));
  if (entry.change !== undefined) await queries.query(end, change);
  return event;
}

/** The result of a change, and whether it changed something. */
export interface Audited<T> {
  readonly changed: boolean;
  /** What the change replaced, for the detail of the entry. */
  readonly before?: object | undefined;
  readonly value: T;
}

/**
 * Runs a change, and appends `entry` in the same transaction if it changed something.
 *
 * Without an entry, the change runs without a transaction of its own.
 */
export async function withAudit<T>(
  sql: SqlRunner,
  statements: AppendAuditStatements,
  entry: AuditEntry | undefined,
  change: (queries: SqlQueries) => Promise<Audited<T>>,
): Promise<T> {
  if (entry === undefined) return (await change(sql)).value;
  return transactionWithAudit(sql, statements, entry, change);
}

/** Like {@link withAudit}, but runs the change in a transaction even if there is no entry. */
export function transactionWithAudit<T>(
  sql: SqlRunner,
  statements: AppendAuditStatements,
  entry: AuditEntry | undefined,
  change: (queries: SqlQueries) => Promise<Audited<T>>,
): Promise<T> {
  const run = () =>
    sql.transaction(async (transaction) => {
      const { changed, before, value } = await change(transaction);
      if (changed && entry !== undefined) {
        const full = before === undefined ? entry : entryWithBefore(entry, before);
        await append(transaction, statements, full);
      }
      return value;
    });
  return entry === undefined ? run() : repeated(run);
}

/** Returns a function that runs a change of one row, whose statement returns the changed row. */
export function rowChanger(
  sql: SqlClient,
  tables: AuditTables,
): (
  changing: SqlStatement,
  values: readonly SqlValue[],
  audit: AuditEntry | undefined,
) => Promise<SqlRow | undefined> {
  const statements = appendAuditStatements(tables);
  return (changing, values, audit) =>
    withAudit(sql, statements, audit, async (queries) => {
      const [row] = await queries.query(changing, values);
      return { changed: row !== undefined, value: row };
    });
}

/** Appends an entry in a transaction of its own. */
export function appendAudit(
  sql: SqlClient,
  statements: AppendAuditStatements,
  entry: AuditEntry,
): Promise<AuditEvent> {
  return repeated(() => sql.transaction((transaction) => append(transaction, statements, entry)));
}

/** Runs a transaction, and repeats it while other transactions take its number of the log. */
export async function repeated<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (errorCode(error) !== UNIQUE_VIOLATION || attempt === ATTEMPTS) throw error;
    }
  }
}
