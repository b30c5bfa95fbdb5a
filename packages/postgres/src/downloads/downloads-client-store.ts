import {
  type DownloadsClient,
  type DownloadsClientStore,
  type DownloadsClientTerms,
  unknownApp,
} from "@tillkit/core/ports";
import { cachingDownloadsClientStore } from "../caching/caching-stores.js";
import { err, ok } from "neverthrow";
import { toStorageResult } from "../client/to-storage-result.js";
import { auditAppender, transactionWithAudit, withAudit } from "../audit/append-audit.js";
import { insertOnceStatement, insertedWithAuditIfProvided } from "../batching/insert-once.js";
import { type OnUnreadable, rowReader } from "../sql/row-reader.js";
import { integer, optionalInteger, text } from "../sql/row.js";
import type { SqlClient, SqlRow, SqlValue } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { storeClient } from "../cluster/store-client.js";
import { tablesOf } from "../sql/tables.js";

const COLUMNS = ["client_id", "app_id", "daily_limit", "created_ms", "ends_ms"];

/**
 * Creates a `DownloadsClientStore` on PostgreSQL, over the tables of `schema`.
 *
 * Caches each client that it finds for one second in this process.
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/app-credentials.md |
 *   App secrets are hashes, and reads are cached for one second}
 */
export function postgresDownloadsClientStore(
  client: SqlClient,
  schema: string,
  onUnreadable?: OnUnreadable,
): DownloadsClientStore {
  const sql = storeClient(client, schema);
  const tables = tablesOf(schema);
  const { apps, downloads_clients: table } = tables;
  const appender = auditAppender(sql, tables);
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
  const change = statement(
    "downloads_client_change",
    `update ${table} set daily_limit = $4, ends_ms = $5
     where ${where} and daily_limit = $2 and ends_ms is not distinct from $3 returning ${columns}`,
  );
  const list = statement("downloads_client_list", `select ${columns} from ${table} order by client_id`);
  const read = rowReader("downloads_clients", ["client_id"], toClient, onUnreadable);
  return cachingDownloadsClientStore({
    insertOnce: (client, audit) =>
      toStorageResult(async () => {
        const row = await insertedWithAuditIfProvided(
          sql,
          appender,
          audit,
          { statement: insert, values: valuesOf(client) },
          { statement: find, values: [client.clientId] },
        );
        return row && read.one(row);
      }).andThen((stored) => (stored === undefined ? err(unknownApp(client.appId)) : ok(stored))),
    change: (clientId, previous, next, audit) =>
      toStorageResult(async () => {
        const row = await withAudit(sql, appender, audit, async (queries) => {
          const terms = [...termsOf(previous), ...termsOf(next)];
          const [changed] = await queries.query(change, [clientId, ...terms]);
          if (changed !== undefined) return { changed: true, value: changed };
          const [unchanged] = await queries.query(find, [clientId]);
          return { changed: false, value: unchanged };
        });
        return row && read.one(row);
      }),
    succeed: (clientId, previous, endsAt, successor, audit) =>
      toStorageResult(() =>
        transactionWithAudit(sql, appender, audit, async (transaction) => {
          const terms = [...termsOf(previous), ...termsOf({ dailyLimit: previous.dailyLimit, endsAt })];
          const ended = await transaction.query(change, [clientId, ...terms]);
          if (ended.length === 0) return { changed: false, value: false };
          const [made] = await transaction.query(insert, valuesOf(successor));
          // The error rolls back the transaction, so the previous client does not end.
          if (made?.["inserted"] !== true) throw new Error("The successor's id is not new.");
          return { changed: true, value: true };
        }),
      ),
    find: (clientId) =>
      toStorageResult(async () => {
        const [row] = await sql.query(find, [clientId]);
        return row && read.one(row);
      }),
    list: () => toStorageResult(async () => read.all(await sql.query(list, []))),
  });
}

function toClient(row: SqlRow): DownloadsClient {
  const endsAt = optionalInteger(row, "ends_ms");
  return {
    clientId: text(row, "client_id"),
    appId: text(row, "app_id"),
    dailyLimit: integer(row, "daily_limit"),
    gmtCreate: integer(row, "created_ms"),
    ...(endsAt === undefined ? {} : { endsAt }),
  };
}

function valuesOf({ clientId, appId, dailyLimit, gmtCreate, endsAt }: DownloadsClient): readonly SqlValue[] {
  return [clientId, appId, dailyLimit, gmtCreate, endsAt ?? null];
}

function termsOf({ dailyLimit, endsAt }: DownloadsClientTerms): readonly SqlValue[] {
  return [dailyLimit, endsAt ?? null];
}
