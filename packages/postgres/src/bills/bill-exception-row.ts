import { BILL_EXCEPTION_KINDS } from "@tillkit/core";
import {
  BILL_EXCEPTION_STATES,
  type BillException,
  CLOSING_REMEDIES,
  type FoundException,
} from "@tillkit/core/ports";
import { toBill } from "./bill-day-row.js";
import { enumValue, integer, optionalInteger, optionalMember, optionalText, text } from "../sql/row.js";
import type { SqlRow, SqlValue } from "../sql/sql-client.js";

/**
 * The columns that a run (one comparison of a bill) reports, with types and values. `id` is first.
 */
const VALUES: Readonly<
  Record<string, readonly ["text" | "bigint", (found: FoundException) => SqlValue | undefined]>
> = {
  id: ["text", (found) => found.id],
  pay_channel: ["text", (found) => found.payChannel],
  app_env: ["text", (found) => found.appEnv],
  account_id: ["text", (found) => found.accountId],
  day: ["text", (found) => found.day],
  kind: ["text", (found) => found.kind],
  out_trade_no: ["text", (found) => found.outTradeNo],
  refund_no: ["text", (found) => found.refundNo],
  wallet_trade_no: ["text", (found) => found.walletTradeNo],
  amount_there_cents: ["bigint", (found) => found.amountThere],
  amount_here_cents: ["bigint", (found) => found.amountHere],
  status_here: ["text", (found) => found.statusHere],
  detail: ["text", (found) => found.detail],
  app_id: ["text", (found) => found.order?.appId],
  biz_no: ["text", (found) => found.order?.bizNo],
  as_of_ms: ["bigint", (found) => found.asOf],
  created_ms: ["bigint", (found) => found.at],
  modified_ms: ["bigint", (found) => found.at],
  opened_ms: ["bigint", (found) => found.at],
};

/** The columns that a run reports. */
export const FOUND_COLUMNS: readonly string[] = Object.keys(VALUES);

/** All columns of an exception. */
export const EXCEPTION_COLUMNS: readonly string[] = [...FOUND_COLUMNS, "state", "operator", "note", "remedy"];

/** {@link FOUND_COLUMNS} with their types, as the column list of a JSON record set. */
export const FOUND_TYPES: string = Object.entries(VALUES)
  .map(([column, [type]]) => `${column} ${type}`)
  .join(", ");

/** Returns reported exceptions as JSON text with the members {@link FOUND_COLUMNS}. */
export function foundRecords(found: readonly FoundException[]): string {
  return JSON.stringify(
    found.map((one) =>
      Object.fromEntries(Object.entries(VALUES).map(([column, [, valueOf]]) => [column, valueOf(one)])),
    ),
  );
}

/** Reads the exception from a row with {@link EXCEPTION_COLUMNS}. */
export function toException(row: SqlRow): BillException {
  const appId = optionalText(row, "app_id");
  const remedy = optionalText(row, "remedy");
  return {
    id: text(row, "id"),
    ...toBill(row),
    kind: enumValue(row, "kind", BILL_EXCEPTION_KINDS),
    outTradeNo: text(row, "out_trade_no"),
    ...optionalMember("refundNo", optionalText(row, "refund_no")),
    ...optionalMember("walletTradeNo", optionalText(row, "wallet_trade_no")),
    ...optionalMember("amountThere", optionalInteger(row, "amount_there_cents")),
    ...optionalMember("amountHere", optionalInteger(row, "amount_here_cents")),
    ...optionalMember("statusHere", optionalText(row, "status_here")),
    ...optionalMember("detail", optionalText(row, "detail")),
    ...(appId === undefined ? {} : { order: { appId, bizNo: text(row, "biz_no") } }),
    asOf: integer(row, "as_of_ms"),
    state: enumValue(row, "state", BILL_EXCEPTION_STATES),
    ...optionalMember("operator", optionalText(row, "operator")),
    ...optionalMember("note", optionalText(row, "note")),
    ...(remedy === undefined ? {} : { remedy: enumValue(row, "remedy", CLOSING_REMEDIES) }),
    gmtCreate: integer(row, "created_ms"),
    openedAt: integer(row, "opened_ms"),
    gmtModified: integer(row, "modified_ms"),
  };
}
