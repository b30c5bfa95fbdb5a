import type { ServiceType } from "@tillkit/core";
import type { AuditEntry, ServiceTypeStore } from "@tillkit/core/ports";
import { toStorageResult } from "../client/to-storage-result.js";
import { auditAppender, withAudit } from "../audit/append-audit.js";
import { insertedWithAudit, insertOnceStatement } from "../batching/insert-once.js";
import { integer, optionalInteger, optionalMember, text } from "../sql/row.js";
import { type OnUnreadable, rowReader } from "../sql/row-reader.js";
import type { SqlClient, SqlRow, SqlStatement, SqlValue } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { storeClient } from "../cluster/store-client.js";
import { tablesOf } from "../sql/tables.js";

const COLUMNS = ["app_id", "service_type_no", "service_name", "duration_ms", "created_ms", "retired_ms"];

/** Creates a `ServiceTypeStore` on PostgreSQL, over the tables of `schema`. */
export function postgresServiceTypeStore(
  client: SqlClient,
  schema: string,
  onUnreadable?: OnUnreadable,
): ServiceTypeStore {
  const sql = storeClient(client, schema);
  const tables = tablesOf(schema);
  const { service_types: table } = tables;
  const appender = auditAppender(sql, tables);
  const columns = COLUMNS.join(", ");
  const where = "app_id = $1 and service_type_no = $2";
  const insert = insertOnceStatement({ method: "service_type_insert", table, columns: COLUMNS, where });
  const find = statement("service_type_find", `select ${columns} from ${table} where ${where}`);
  const lock = statement("service_type_lock", `select service_name from ${table} where ${where} for update`);
  const list = statement(
    "service_type_list",
    `select ${columns} from ${table} where app_id = $1 order by service_type_no`,
  );
  const updating = (method: string, set: string, provided = "true") =>
    statement(method, `update ${table} set ${set} where ${where} and ${provided} returning ${columns}`);
  const rename = updating("service_type_rename", "service_name = $3");
  const retire = updating("service_type_retire", "retired_ms = $3", "retired_ms is null");
  const restore = updating("service_type_restore", "retired_ms = null", "retired_ms is not null");
  const read = rowReader("service_types", ["app_id", "service_type_no"], toServiceType, onUnreadable);
  /** Returns the changed type, or the unchanged one if the statement changed nothing. */
  const change = (
    changing: SqlStatement,
    [appId, serviceTypeNo, ...values]: readonly [string, string, ...SqlValue[]],
    audit: AuditEntry | undefined,
    replaced?: (row: SqlRow) => object,
  ) =>
    toStorageResult(async () => {
      const key = [appId, serviceTypeNo];
      const row = await withAudit(sql, appender, audit, async (queries) => {
        // Locked, so that the entries of concurrent changes contain different previous values.
        const [found] = audit === undefined || replaced === undefined ? [] : await queries.query(lock, key);
        const [changed] = await queries.query(changing, [...key, ...values]);
        const before = found && replaced?.(found);
        if (changed !== undefined) return { changed: true, before, value: changed };
        const [unchanged] = await queries.query(find, key);
        return { changed: false, value: unchanged };
      });
      return row && read.one(row);
    });
  return {
    insertOnce: ({ appId, serviceTypeNo, serviceName, durationMs, gmtCreate, retiredAt }, audit) =>
      toStorageResult(async () => {
        const values = [appId, serviceTypeNo, serviceName, durationMs, gmtCreate, retiredAt ?? null];
        const filled = { statement: insert, values };
        const finding = { statement: find, values: [appId, serviceTypeNo] };
        return read.one(await insertedWithAudit(sql, appender, audit, filled, finding));
      }),
    rename: (appId, serviceTypeNo, serviceName, audit) =>
      change(rename, [appId, serviceTypeNo, serviceName], audit, (row) => ({
        serviceName: text(row, "service_name"),
      })),
    retire: (appId, serviceTypeNo, at, audit) => change(retire, [appId, serviceTypeNo, at], audit),
    restore: (appId, serviceTypeNo, audit) => change(restore, [appId, serviceTypeNo], audit),
    find: (appId, serviceTypeNo) =>
      toStorageResult(async () => {
        const [row] = await sql.query(find, [appId, serviceTypeNo]);
        return row && read.one(row);
      }),
    list: (appId) => toStorageResult(async () => read.all(await sql.query(list, [appId]))),
  };
}

function toServiceType(row: SqlRow): ServiceType {
  return {
    appId: text(row, "app_id"),
    serviceTypeNo: text(row, "service_type_no"),
    serviceName: text(row, "service_name"),
    durationMs: integer(row, "duration_ms"),
    gmtCreate: integer(row, "created_ms"),
    ...optionalMember("retiredAt", optionalInteger(row, "retired_ms")),
  };
}
