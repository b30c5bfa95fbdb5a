import type { CustomerService } from "@tillkit/core";
import { type ReplaceResult, serviceLine, type ServiceStore } from "@tillkit/core/ports";
import { auditAppender, transactionWithAudit } from "../audit/append-audit.js";
import { insertedOrExisting } from "../batching/insert-once.js";
import { toStorageResult } from "../client/to-storage-result.js";
import { type OnUnreadable, rowReader } from "../sql/row-reader.js";
import { integer, text } from "../sql/row.js";
import { serviceStatements } from "./service-statements.js";
import type { SqlClient, SqlQueries, SqlRow, SqlValue } from "../sql/sql-client.js";
import { byDistribution, storeClient } from "../cluster/store-client.js";
import { tablesOf } from "../sql/tables.js";

/**
 * Creates a `ServiceStore` on PostgreSQL.
 *
 * It shares the services with the order store and the refund store of the same schema.
 */
export function postgresServiceStore(
  client: SqlClient,
  schema: string,
  onUnreadable?: OnUnreadable,
): ServiceStore {
  const sql = storeClient(client, schema);
  const tables = tablesOf(schema);
  const statements = serviceStatements(tables);
  const appender = auditAppender(sql, tables);
  const { list, listAll, listAllOfApp } = statements;
  const importOnce = byDistribution(sql, {
    server: (service: CustomerService) => {
      const insert = { statement: statements.importOnce, values: toValues(service) };
      return insertedOrExisting(sql, insert, insert);
    },
    cluster: (service) =>
      sql
        .near(tables.services, service.customerIdentity)
        .transaction((transaction) => insertService(transaction, statements, service)),
  });
  // The key omits the customer, because a log may contain the key.
  const key = ["app_id", "service_type_no", "service_no"];
  const read = rowReader("services", key, toService, onUnreadable);
  return {
    list: (appId, customerIdentity) =>
      toStorageResult(async () =>
        read.all(await sql.near(tables.services, customerIdentity).query(list, [customerIdentity, appId])),
      ),
    importOnce: (service) =>
      toStorageResult(async () => {
        const row = await importOnce(service);
        return { outcome: row["inserted"] === true ? "stored" : "exists", service: read.one(row) };
      }),
    isUntouchedImport: ({ customerIdentity, appId, serviceTypeNo }) =>
      toStorageResult(async () => {
        const near = sql.near(tables.services, customerIdentity);
        const key = [customerIdentity, appId, serviceTypeNo];
        return (await near.query(statements.findUntouched, key)).length > 0;
      }),
    replaceImported: (previous, service, audit) =>
      toStorageResult(() =>
        transactionWithAudit<ReplaceResult>(sql, appender, audit, async (transaction) => {
          const { customerIdentity, appId, serviceTypeNo, expireTime, gmtCreate } = service;
          const key = [customerIdentity, appId, serviceTypeNo];
          await transaction.query(statements.lock, key);
          const [row] = await transaction.query(statements.find, key);
          if (row === undefined || serviceLine(read.one(row)) !== serviceLine(previous))
            return { changed: false, value: "changed" };
          const replaced = await transaction.query(statements.replaceImported, toValues(service));
          if (replaced.length === 0) return { changed: false, value: "touched" };
          await transaction.query(statements.removeImported, key);
          const time = ["", 1, gmtCreate, expireTime - gmtCreate];
          await transaction.query(statements.insertGrant, [...key, ...time]);
          return { changed: true, value: "replaced" };
        }),
      ),
    listAll: ({ appId, after, limit }) =>
      toStorageResult(async () => {
        const { customerIdentity = "", appId: afterApp = "", serviceTypeNo = "" } = after ?? {};
        const values = [customerIdentity, afterApp, serviceTypeNo, limit];
        const page =
          appId === undefined ? sql.query(listAll, values) : sql.query(listAllOfApp, [...values, appId]);
        return (await page).map(read.one);
      }),
  };
}

/** Stores a service with its imported time, or finds the existing one, in one transaction. */
async function insertService(
  transaction: SqlQueries,
  { insert, insertGrant, find }: ReturnType<typeof serviceStatements>,
  service: CustomerService,
): Promise<SqlRow> {
  const { customerIdentity, appId, serviceTypeNo, expireTime, gmtCreate } = service;
  const key = [customerIdentity, appId, serviceTypeNo];
  const [made] = await transaction.query(insert, toValues(service));
  if (made !== undefined) {
    // The grant without an order is the imported time. No order has an empty id.
    await transaction.query(insertGrant, [...key, "", 1, gmtCreate, expireTime - gmtCreate]);
    return { ...made, inserted: true };
  }
  const [stored] = await transaction.query(find, key);
  if (stored === undefined) throw new Error("The service was neither stored nor found.");
  return stored;
}

function toValues(service: CustomerService): readonly SqlValue[] {
  const { customerIdentity, appId, serviceTypeNo, serviceNo, serviceName, expireTime, gmtCreate } = service;
  return [customerIdentity, appId, serviceTypeNo, serviceNo, serviceName, expireTime, gmtCreate];
}

function toService(row: SqlRow): CustomerService {
  return {
    appId: text(row, "app_id"),
    customerIdentity: text(row, "customer_identity"),
    serviceTypeNo: text(row, "service_type_no"),
    serviceNo: text(row, "service_no"),
    serviceName: text(row, "service_name"),
    expireTime: integer(row, "expire_ms"),
    gmtCreate: integer(row, "created_ms"),
  };
}
