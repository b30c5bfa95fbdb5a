import type { AuditLog, AuditQuery } from "@tillkit/core";
import { appendAudit, appendAuditStatements } from "./append-audit.js";
import { arrayLiteral } from "./array-literal.js";
import { AUDIT_COLUMNS, toAuditEvent } from "./audit-row.js";
import type { SqlClient, SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";
import { tablesOf } from "./tables.js";
import { toStorageResult } from "./to-storage-result.js";

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
  const columns = AUDIT_COLUMNS.join(", ");
  // Each statement begins with the condition that its index serves. The others filter its rows.
  const searching = (method: string, first: string): SqlStatement =>
    statement(
      method,
      `select ${columns} from ${tables.audit_log}
       where ${first} and seq < $1
         and ($3::text is null or operator = $3) and ($4::text is null or subject = $4)
         and ($5::text is null or action = $5) and ($6::text is null or outcome = $6)
         and ($7::text[] is null or app_id = any ($7::text[]))
         and at_ms >= $8 and at_ms < $9
       order by seq desc limit $2`,
    );
  const searches = {
    all: searching("audit_search", "true"),
    operator: searching("audit_search_operator", "operator = $3"),
    subject: searching("audit_search_subject", "subject = $4"),
    app: searching("audit_search_app", "app_id = ($7::text[])[1]"),
  };
  const read = statement(
    "audit_read",
    `select ${columns} from ${tables.audit_log} where seq > $1 order by seq limit $2`,
  );
  return {
    append: (entry) => toStorageResult(() => appendAudit(sql, appending, entry)),
    search: (query) =>
      toStorageResult(async () => {
        // Without this, the search for no app would examine the whole log.
        if (query.apps?.length === 0) return [];
        return (await sql.query(searches[indexOf(query)], searchValues(query))).map(toAuditEvent);
      }),
    read: (after, limit) =>
      toStorageResult(async () => (await sql.query(read, [after, limit])).map(toAuditEvent)),
  };
}

function indexOf({ subject, operator, apps }: AuditQuery): "all" | "operator" | "subject" | "app" {
  if (subject !== undefined) return "subject";
  if (operator !== undefined) return "operator";
  return apps?.length === 1 ? "app" : "all";
}

function searchValues(query: AuditQuery) {
  const { operator, subject, action, outcome, apps, from, until, before, limit } = query;
  return [
    ...[before ?? Number.MAX_SAFE_INTEGER, limit, operator ?? null, subject ?? null, action ?? null],
    ...[outcome ?? null, apps === undefined ? null : arrayLiteral(apps)],
    ...[from ?? 0, until ?? Number.MAX_SAFE_INTEGER],
  ];
}
