import type { CustomerService, ServiceStore } from "@tillkit/core";
import { toStorageResult } from "./to-storage-result.js";
import { type OnUnreadable, rowReader } from "./row-reader.js";
import { integer, text } from "./row.js";
import { serviceStatements } from "./service-statements.js";
import type { SqlClient, SqlRow } from "./sql-client.js";
import { tablesOf } from "./tables.js";

/**
 * Creates a `ServiceStore` on PostgreSQL.
 *
 * It reads the services that the order store and the refund store of the same schema write.
 */
export function postgresServiceStore(
  sql: SqlClient,
  schema: string,
  onUnreadable?: OnUnreadable,
): ServiceStore {
  const { list } = serviceStatements(tablesOf(schema));
  // The key omits the customer, because it may be logged.
  const key = ["app_id", "service_type_no", "service_no"];
  const read = rowReader("services", key, toService, onUnreadable);
  return {
    list: (appId, customerIdentity) =>
      toStorageResult(async () => read.all(await sql.query(list, [customerIdentity, appId]))),
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
