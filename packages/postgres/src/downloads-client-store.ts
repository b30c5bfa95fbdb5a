import { type DownloadsClient, type DownloadsClientStore, unknownApp } from "@tillkit/core";
import { cachingDownloadsClientStore } from "./caching/caching-stores.js";
import { err, ok } from "neverthrow";
import { toStorageResult } from "./to-storage-result.js";
import { appendAuditStatements, withAudit } from "./append-audit.js";
import { insertOnceStatement, insertedWithAuditIfProvided } from "./insert-once.js";
import { type OnUnreadable, rowReader } from "./row-reader.js";
import { integer, text } from "./row.js";
import type { SqlClient, SqlRow } from "./sql-client.js";
import { statement } from "./statement.js";
import { tablesOf } from "./tables.js";

const COLUMNS = ["client_id", "app_id", "daily_limit", "created_ms"];

/**
 * Creates a `DownloadsClientStore` on PostgreSQL, over the tables of `schema`.
 *
 * Caches each client that it finds for one second in this process.
 * @see {@link
 *   https://github.com/tillkit/tillkit/blob/main/docs/decisions/cached-apps-and-pay-tools.md |
 *   Apps, pay tools and downloads clients are cached for one second}
 */
export function postgresDownloadsClientStore(
  sql: SqlClient,
  schema: string,
  onUnreadable?: OnUnreadable,
): DownloadsClientStore {
  const tables = tablesOf(schema);
  const { apps, downloads_clients: table } = tables;
  const appending = appendAuditStatements(tables);
  const columns = COLUMNS.join(", ");
  const where = "client_id = $1";
  const provided = `exists (select from ${apps} where app_id = $2)`;
  const insert = insertOnceStatement({
    method: "downloads_client_insert",
    table,
    columns: COLUMNS,
    where,
    provided,
  });
  const find = statement("downloads_client_find", `select ${columns} from ${table} where ${where}`);
  const setLimit = statement(
    "downloads_client_limit",
    `update ${table} set daily_limit = $3 where ${where} and daily_limit = $2 returning ${columns}`,
  );
  const list = statement("downloads_client_list", `select ${columns} from ${table} order by client_id`);
  const read = rowReader("downloads_clients", ["client_id"], toClient, onUnreadable);
  return cachingDownloadsClientStore({
    insertOnce: ({ clientId, appId, dailyLimit, gmtCreate }, audit) =>
      toStorageResult(async () => {
        const row = await insertedWithAuditIfProvided(
          sql,
          appending,
          audit,
          { statement: insert, values: [clientId, appId, dailyLimit, gmtCreate] },
          { statement: find, values: [clientId] },
        );
        return row && read.one(row);
      }).andThen((client) => (client === undefined ? err(unknownApp(appId)) : ok(client))),
    setDailyLimit: (clientId, previous, dailyLimit, audit) =>
      toStorageResult(async () => {
        const row = await withAudit(sql, appending, audit, async (queries) => {
          const [changed] = await queries.query(setLimit, [clientId, previous, dailyLimit]);
          if (changed !== undefined) return { changed: true, value: changed };
          const [unchanged] = await queries.query(find, [clientId]);
          return { changed: false, value: unchanged };
        });
        return row && read.one(row);
      }),
    find: (clientId) =>
      toStorageResult(async () => {
        const [row] = await sql.query(find, [clientId]);
        return row && read.one(row);
      }),
    list: () => toStorageResult(async () => read.all(await sql.query(list, []))),
  });
}

function toClient(row: SqlRow): DownloadsClient {
  return {
    clientId: text(row, "client_id"),
    appId: text(row, "app_id"),
    dailyLimit: integer(row, "daily_limit"),
    gmtCreate: integer(row, "created_ms"),
  };
}
