import type { AuditLog, ChangeBeginning } from "@tillkit/core/ports";
import { append, appendAudit, appendAuditStatements, type AuditTables, repeated } from "./append-audit.js";
import {
  AUDIT_COLUMNS,
  BEGUN_CHANGE_COLUMNS,
  begunChangeValues,
  toAuditEvent,
  toBegunChange,
  toChangeOutcome,
} from "./audit-row.js";
import { text } from "../sql/row.js";
import { auditSearchStatements, searchAuditLog } from "./search-audit-log.js";
import type { SqlClient, SqlQueries } from "../sql/sql-client.js";
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
export function postgresAuditLog(sql: SqlClient, schema: string): AuditLog {
  const tables = tablesOf(schema);
  const appending = appendAuditStatements(tables);
  const searching = auditSearchStatements(tables);
  const changes = changeStatements(tables);
  const findChange = async (queries: SqlQueries, operator: string, changeId: string) => {
    const values = [operator, changeId];
    // Reads the row before the log. A change that ends stores its entry and deletes its row in one
    // transaction. If it ended between reads in the other order, both reads would miss it.
    const [begun] = await queries.query(changes.find, values);
    const [known] = await queries.query(changes.recorded, values);
    const recorded = known && ({ kind: "recorded", outcome: toChangeOutcome(known) } as const);
    if (recorded !== undefined && recorded.outcome.outcome !== "unknown") return recorded;
    return begun === undefined ? recorded : ({ kind: "running", change: toBegunChange(begun) } as const);
  };
  const read = statement(
    "audit_read",
    `select ${AUDIT_COLUMNS.join(", ")} from ${tables.audit_log} where seq > $1 order by seq limit $2`,
  );
  return {
    append: (entry) => toStorageResult(() => appendAudit(sql, appending, entry)),
    begin: (change, now) =>
      toStorageResult(() =>
        sql.transaction(async (transaction): Promise<ChangeBeginning> => {
          const { operator, change: ref } = change.draft;
          const values = [...begunChangeValues(change), now];
          // Waits for a transaction that ends the same change, because that one has locked the row.
          const [begun] = await transaction.query(changes.begin, values);
          if (begun === undefined) {
            const known = await findChange(transaction, operator, ref.id);
            if (known === undefined) throw new Error("The change ended without an outcome meanwhile.");
            return known;
          }
          const key = [operator, ref.id];
          const [known] = await transaction.query(changes.recorded, key);
          const outcome = known && toChangeOutcome(known);
          if (outcome === undefined) return { kind: "begun" };
          if (outcome.outcome === "unknown" && outcome.change.digest === ref.digest) return { kind: "begun" };
          await transaction.query(appending.end, key);
          return { kind: "recorded", outcome };
        }),
      ),
    findChange: (operator, changeId) => toStorageResult(() => findChange(sql, operator, changeId)),
    withdraw: (operator, changeId) =>
      toStorageResult(async () => {
        await sql.query(appending.end, [operator, changeId]);
      }),
    recordAbandoned: (before, at, limit) =>
      toStorageResult(() =>
        repeated(() =>
          sql.transaction(async (transaction) => {
            const abandoned = await transaction.query(changes.abandoned, [before, limit]);
            // Locks the log before the rows, as every append of an outcome does.
            if (abandoned.length > 0) await transaction.query(appending.lock, []);
            let recorded = 0;
            for (const row of abandoned) {
              const key = [text(row, "operator"), text(row, "change_id")];
              const [begun] = await transaction.query(changes.take, [...key, before]);
              if (begun === undefined) continue;
              const { draft } = toBegunChange(begun);
              await append(transaction, appending, { ...draft, at, outcome: "unknown" });
              recorded += 1;
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
    find: statement(
      "change_find",
      `select ${columns} from ${begun_changes} where operator = $1 and change_id = $2`,
    ),
    // Finds the final outcome of a change, or else its last `unknown` one. Each part has an index.
    recorded: statement(
      "change_recorded",
      `select ${recorded} from (
         (select 0 as place, ${recorded} from ${audit_log}
          where operator = $1 and change_id = $2 and outcome <> 'unknown')
         union all
         (select 1, ${recorded} from ${audit_log}
          where operator = $1 and change_id = $2 and outcome = 'unknown' order by seq desc limit 1)
       ) known order by place limit 1`,
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
