import type { AuditLog, ChangeBeginning } from "@tillkit/core/ports";
import { appendAudit, auditAppender, type AuditTables, repeated } from "./append-audit.js";
import {
  AUDIT_COLUMNS,
  BEGUN_CHANGE_COLUMNS,
  begunChangeValues,
  toAuditEvent,
  toBegunChange,
  toChangeOutcome,
} from "./audit-row.js";
import { jsonRows, text } from "../sql/row.js";
import { rowsAsJson } from "../sql/rows-as-json.js";
import { auditSearchStatements, searchAuditLog } from "./search-audit-log.js";
import { storeClient } from "../cluster/store-client.js";
import type { SqlClient, SqlQueries, SqlValue } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";
import { toStorageResult } from "../client/to-storage-result.js";

/**
 * Creates an `AuditLog` on PostgreSQL, over the tables of `schema`.
 *
 * @returns the log. `postgresStores` contains it, too.
 * @example
 * ```ts
 * import { postgresAuditLog } from "@tillkit/postgres";
 *
 * const log = postgresAuditLog(sql, "tillkit");
 * ```
 */
export function postgresAuditLog(client: SqlClient, schema: string): AuditLog {
  const sql = storeClient(client, schema);
  const tables = tablesOf(schema);
  const appender = auditAppender(sql, tables);
  const searching = auditSearchStatements(tables);
  const changes = changeStatements(tables);
  /** Returns the last outcome of a change and its begun form, as they were at the same moment. */
  const readChange = async (queries: SqlQueries, key: readonly SqlValue[]) => {
    const [row] = await queries.query(changes.find, key);
    const [recorded] = row === undefined ? [] : jsonRows(row, "recorded");
    const [begun] = row === undefined ? [] : jsonRows(row, "begun");
    return { outcome: recorded && toChangeOutcome(recorded), begun: begun && toBegunChange(begun) };
  };
  const findChange = async (queries: SqlQueries, key: readonly SqlValue[]) => {
    const { outcome, begun } = await readChange(queries, key);
    const recorded = outcome && ({ kind: "recorded", outcome } as const);
    if (outcome !== undefined && outcome.outcome !== "unknown") return recorded;
    return begun === undefined ? recorded : ({ kind: "running", change: begun } as const);
  };
  const read = statement(
    "audit_read",
    `select ${AUDIT_COLUMNS.join(", ")} from ${tables.audit_log} where seq > $1 order by seq limit $2`,
  );
  return {
    append: (entry) => toStorageResult(() => appendAudit(sql, appender, entry)),
    begin: (change, now) =>
      toStorageResult(() =>
        sql.transaction(async (transaction): Promise<ChangeBeginning> => {
          const { operator, change: ref } = change.draft;
          const values = [...begunChangeValues(change), now];
          // Waits for a transaction that ends the same change, because that one has locked the row.
          const [begun] = await transaction.query(changes.begin, values);
          const key = [operator, ref.id];
          if (begun === undefined) {
            const known = await findChange(transaction, key);
            if (known === undefined) throw new Error("The change ended without an outcome meanwhile.");
            return known;
          }
          const { outcome } = await readChange(transaction, key);
          if (outcome === undefined) return { kind: "begun" };
          if (outcome.outcome === "unknown" && outcome.change.digest === ref.digest) return { kind: "begun" };
          await transaction.query(appender.end, key);
          return { kind: "recorded", outcome };
        }),
      ),
    findChange: (operator, changeId) => toStorageResult(() => findChange(sql, [operator, changeId])),
    withdraw: (operator, changeId) =>
      toStorageResult(async () => {
        await sql.query(appender.end, [operator, changeId]);
      }),
    recordAbandoned: (before, at, limit) =>
      toStorageResult(() =>
        repeated(() =>
          sql.transaction(async (transaction) => {
            const abandoned = await transaction.query(changes.abandoned, [before, limit]);
            // Locks the log before the rows, as every append of an outcome does.
            if (abandoned.length > 0) await transaction.query(appender.lock, []);
            let recorded = 0;
            for (const row of abandoned) {
              const key = [text(row, "operator"), text(row, "change_id")];
              const [begun] = await transaction.query(changes.take, [...key, before]);
              if (begun === undefined) continue;
              const { draft } = toBegunChange(begun);
              // While the change began again, an earlier attempt may have stored its late outcome.
              const entry = { ...draft, at, outcome: "unknown" } as const;
              const event = await appender.appendUnlessRecorded(transaction, entry);
              if (event !== undefined) recorded += 1;
            }
            return recorded;
          }),
        ),
      ),
    search: (query) => toStorageResult(() => searchAuditLog(sql, searching, query)),
    read: (after, limit) =>
      toStorageResult(async () => (await sql.query(read, [after, limit])).map(toAuditEvent)),
  };
}

/** Creates the statements about begun changes. */
function changeStatements({ audit_log, begun_changes }: AuditTables) {
  const columns = BEGUN_CHANGE_COLUMNS.join(", ");
  const recorded = AUDIT_COLUMNS.join(", ");
  return {
    begin: statement(
      "change_begin",
      `insert into ${begun_changes} as begun (${columns}) values ($1, $2, $3, $4, $5)
       on conflict (operator, change_id) do update set lease_ms = excluded.lease_ms, draft = excluded.draft
         where begun.lease_ms <= $6 and begun.digest = excluded.digest
       returning 1 as begun`,
    ),
    // `recorded` has the final outcome of a change, or else its last `unknown` one. Each part has
    // an index. One statement reads both tables, because a change that ends stores its outcome and
    // deletes its row of `begun` in one transaction.
    find: statement(
      "change_find",
      `select ${rowsAsJson(
        "recorded",
        `select * from (
           (select 0 as place, ${recorded} from ${audit_log}
            where operator = $1 and change_id = $2 and outcome <> 'unknown')
           union all
           (select 1, ${recorded} from ${audit_log}
            where operator = $1 and change_id = $2 and outcome = 'unknown' order by seq desc limit 1)
         ) outcomes order by place limit 1`,
      )}, ${rowsAsJson(
        "begun",
        `select ${columns} from ${begun_changes} where operator = $1 and change_id = $2`,
      )}`,
    ),
    abandoned: statement(
      "change_abandoned",
      `select operator, change_id from ${begun_changes} where lease_ms <= $1 order by lease_ms limit $2`,
    ),
    take: statement(
      "change_take",
      `delete from ${begun_changes} where operator = $1 and change_id = $2 and lease_ms <= $3 returning ${columns}`,
    ),
  };
}
