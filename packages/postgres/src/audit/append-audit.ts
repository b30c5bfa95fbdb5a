import { chainedHashSql, SHA256, hexSql } from "../sql/chained-hash.js";
import type { AuditEvent } from "@tillkit/core";
import { errorCode } from "@tillkit/core/errors";
import { type AuditEntry, auditText, chainedAuditEvent, entryWithBefore } from "@tillkit/core/ports";
import { AUDIT_COLUMNS, auditValues, ENTRY_COLUMNS, entryValues } from "./audit-row.js";
import { booleanValue, integer, text } from "../sql/row.js";
import type { SqlClient, SqlQueries, SqlRow, SqlRunner, SqlStatement, SqlValue } from "../sql/sql-client.js";
import type { StoreClient } from "../cluster/store-client.js";
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

/** Appends entries to the audit log of one schema. */
export interface AuditAppender {
  /**
   * Appends an entry in the transaction of `queries`, and returns it with its number and hash.
   *
   * Call it last in the transaction, because it locks the log until the transaction ends. Throws if
   * the log already contains an outcome of the same change, unless that outcome is `unknown`.
   */
  readonly append: (queries: SqlQueries, entry: AuditEntry) => Promise<AuditEvent>;
  /** Like `append`, but appends nothing and returns `undefined` if it would throw. */
  readonly appendUnlessRecorded: (queries: SqlQueries, entry: AuditEntry) => Promise<AuditEvent | undefined>;
  /** Lets one transaction at a time append. */
  readonly lock: SqlStatement;
  /** Ends a begun change. Placeholders: operator, change id. */
  readonly end: SqlStatement;
}

/** The tables that an append changes. */
export type AuditTables = Pick<Tables, "audit_log" | "begun_changes">;

/** Creates the appender over the tables of one schema. */
export function auditAppender(sql: StoreClient, tables: AuditTables): AuditAppender {
  const { lock, append, last, insert, end } = appendStatements(tables);
  const onServer = async (queries: SqlQueries, entry: AuditEntry) => {
    const [row] = await queries.query(append, [...entryValues(entry), auditText(entry)]);
    if (row === undefined) return undefined;
    const [seq, previousHash, hash] = [integer(row, "seq"), text(row, "previous_hash"), text(row, "hash")];
    return { ...entry, seq, previousHash, hash };
  };
  const onCluster = async (queries: SqlQueries, entry: AuditEntry) => {
    const change = [entry.operator, entry.change?.id ?? null];
    const [head] = await queries.query(last, change);
    // Coordinators of a cluster do not share the lock. Then the unique index refuses the second
    // outcome, and the repeated transaction ends here.
    if (head !== undefined && booleanValue(head, "is_recorded")) return undefined;
    const previous = head && { seq: integer(head, "seq"), hash: text(head, "hash") };
    const event = chainedAuditEvent(SHA256, previous, entry);
    await queries.query(insert, auditValues(event));
    if (entry.change !== undefined) await queries.query(end, change);
    return event;
  };
  const appendUnlessRecorded = async (queries: SqlQueries, entry: AuditEntry) => {
    await queries.query(lock, []);
    return (await sql.isDistributed()) ? onCluster(queries, entry) : onServer(queries, entry);
  };
  return {
    append: async (queries, entry) => {
      const event = await appendUnlessRecorded(queries, entry);
      if (event === undefined) throw new Error("The audit log already contains the outcome of this change.");
      return event;
    },
    appendUnlessRecorded,
    lock,
    end,
  };
}

/** The change of an entry whose values are those of `ENTRY_COLUMNS`. */
const CHANGE = "operator = $2 and change_id = $11";

function appendStatements({ audit_log, begun_changes }: AuditTables) {
  const columns = AUDIT_COLUMNS.join(", ");
  const values = AUDIT_COLUMNS.map((_, index) => `$${index + 1}`).join(", ");
  return {
    lock: statement(
      "audit_lock",
      `select pg_advisory_xact_lock(hashtextextended('${audit_log.replaceAll("'", "''")}', 0)) is null as locked`,
    ),
    // Ends the change, too. Returns no row if the log already contains its outcome.
    append: statement(
      "audit_append",
      `with head as (select seq, hash from ${audit_log} order by seq desc limit 1),
         previous as (select coalesce(max(seq), 0) as seq, coalesce(max(hash), '') as hash from head),
         ended as (delete from ${begun_changes} where ${CHANGE})
       insert into ${audit_log} (${columns})
       select previous.seq + 1, previous.hash, ${hexSql(chainedHashSql("previous.hash", "$13::text"))},
         $1::bigint, ${ENTRY_COLUMNS.slice(1)
           .map((_, index) => `$${index + 2}::text`)
           .join(", ")}
       from previous
       where not exists (select from ${audit_log} where ${CHANGE} and outcome <> 'unknown')
       returning seq, previous_hash, hash`,
    ),
    last: statement(
      "audit_last",
      `select seq, hash, exists (
         select from ${audit_log} where operator = $1 and change_id = $2 and outcome <> 'unknown'
       ) as is_recorded
       from ${audit_log} order by seq desc limit 1`,
    ),
    insert: statement("audit_insert", `insert into ${audit_log} (${columns}) values (${values})`),
    end: statement("change_end", `delete from ${begun_changes} where operator = $1 and change_id = $2`),
  };
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
  appender: AuditAppender,
  entry: AuditEntry | undefined,
  change: (queries: SqlQueries) => Promise<Audited<T>>,
): Promise<T> {
  if (entry === undefined) return (await change(sql)).value;
  return transactionWithAudit(sql, appender, entry, change);
}

/** Like {@link withAudit}, but runs the change in a transaction even if there is no entry. */
export function transactionWithAudit<T>(
  sql: SqlRunner,
  appender: AuditAppender,
  entry: AuditEntry | undefined,
  change: (queries: SqlQueries) => Promise<Audited<T>>,
): Promise<T> {
  const run = () =>
    sql.transaction(async (transaction) => {
      const { changed, before, value } = await change(transaction);
      if (changed && entry !== undefined) {
        const full = before === undefined ? entry : entryWithBefore(entry, before);
        await appender.append(transaction, full);
      }
      return value;
    });
  return entry === undefined ? run() : repeated(run);
}

/** Returns a function that runs a change of one row, whose statement returns the changed row. */
export function rowChanger(
  sql: StoreClient,
  tables: AuditTables,
): (
  changing: SqlStatement,
  values: readonly SqlValue[],
  audit: AuditEntry | undefined,
) => Promise<SqlRow | undefined> {
  const appender = auditAppender(sql, tables);
  return (changing, values, audit) =>
    withAudit(sql, appender, audit, async (queries) => {
      const [row] = await queries.query(changing, values);
      return { changed: row !== undefined, value: row };
    });
}

/** Appends an entry in a transaction of its own. */
export function appendAudit(sql: SqlClient, appender: AuditAppender, entry: AuditEntry): Promise<AuditEvent> {
  return repeated(() => sql.transaction((transaction) => appender.append(transaction, entry)));
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
