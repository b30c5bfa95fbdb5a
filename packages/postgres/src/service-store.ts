import type { CustomerService, ServiceStore } from "@tillkit/core";
import { insertedOrExisting } from "./insert-once.js";
import { toStorageResult } from "./to-storage-result.js";
import { type OnUnreadable, rowReader } from "./row-reader.js";
import { integer, text } from "./row.js";
import { serviceStatements } from "./service-statements.js";
import type { SqlClient, SqlRow } from "./sql-client.js";
import { tablesOf } from "./tables.js";

/**
 * Creates a `ServiceStore` on PostgreSQL.
 *
 * It shares the services with the order store and the refund store of the same schema.
 */
export function postgresServiceStore(
  sql: SqlClient,
  schema: string,
  onUnreadable?: OnUnreadable,
): ServiceStore {
  const { list, insertOnce, listAll, listAllOfApp } = serviceStatements(tablesOf(schema));
  // The key omits the customer, because it may be logged.
  const key = ["app_id", "service_type_no", "service_no"];
  const read = rowReader("services", key, toService, onUnreadable);
  return {
    list: (appId, customerIdentity) =>
      toStorageResult(async () => read.all(await sql.query(list, [customerIdentity, appId]))),
    insertOnce: ({ customerIdentity, appId, serviceTypeNo, serviceNo, serviceName, expireTime, gmtCreate }) =>
      toStorageResult(async () => {
        const key = [customerIdentity, appId, serviceTypeNo];
        const insert = {
          statement: insertOnce,
          values: [...key, serviceNo, serviceName, expireTime, gmtCreate],
        };
        return read.one(await insertedOrExisting(sql, insert, insert));
      }),
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
