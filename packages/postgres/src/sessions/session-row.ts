import { integer, optionalInteger, optionalMember, optionalText, text } from "../sql/row.js";
import type { CustomerRecord, Session } from "@tillkit/core/ports";
import type { SqlRow } from "../sql/sql-client.js";

/** Reads a session from a row with all its columns. */
export function toSession(row: SqlRow): Session {
  return {
    appId: text(row, "app_id"),
    customerId: text(row, "customer_id"),
    tokenHash: text(row, "token_hash"),
    gmtCreate: integer(row, "created_ms"),
    expiresAt: integer(row, "expires_ms"),
    ...optionalMember("label", optionalText(row, "label")),
    ...optionalMember("usedAt", optionalInteger(row, "used_ms")),
  };
}

/** Reads a customer from a row with all its columns. */
export function toCustomer(row: SqlRow): CustomerRecord {
  return {
    appId: text(row, "app_id"),
    phoneHash: text(row, "phone_hash"),
    customerId: text(row, "customer_id"),
    gmtCreate: integer(row, "created_ms"),
    ...optionalMember("usedAt", optionalInteger(row, "used_ms")),
  };
}
