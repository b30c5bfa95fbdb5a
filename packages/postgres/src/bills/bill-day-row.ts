import { PAY_CHANNELS } from "@tillkit/core";
import type { Bill, BillExceptionCount, ComparedBill } from "@tillkit/core/ports";
import { enumValue, integer, optionalInteger, optionalMember, text } from "../sql/row.js";
import type { SqlRow } from "../sql/sql-client.js";

/** Reads a row of `bill_days`. */
export function toComparedBill(row: SqlRow): ComparedBill {
  return {
    ...toBill(row),
    matched: integer(row, "matched"),
    ...optionalMember("fees", optionalInteger(row, "fees_cents")),
    asOf: integer(row, "as_of_ms"),
  };
}

/** Reads the counted exceptions of a bill. */
export function toBillCount(row: SqlRow): BillExceptionCount {
  return { ...toBill(row), open: integer(row, "open"), resolved: integer(row, "resolved") };
}

/** Reads the columns that identify a bill. */
export function toBill(row: SqlRow): Bill {
  return {
    payChannel: enumValue(row, "pay_channel", PAY_CHANNELS),
    appEnv: enumValue(row, "app_env", ["DEV", "PROD"]),
    accountId: text(row, "account_id"),
    day: text(row, "day"),
  };
}
