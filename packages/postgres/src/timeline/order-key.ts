import type { OrderKey } from "@tillkit/core";
import { text } from "../sql/row.js";
import type { SqlRow, SqlValue } from "../sql/sql-client.js";

/** Returns the values of the key columns, in their order. */
export function orderKeyValues({ bizNo, appId }: OrderKey): readonly SqlValue[] {
  return [bizNo, appId];
}

/** Returns the key of an order as one text. */
export function orderKeyText(key: OrderKey): string {
  return JSON.stringify(orderKeyValues(key));
}

/** Like {@link orderKeyText}, of a row with the columns `biz_no` and `app_id`. */
export function rowKeyText(row: SqlRow): string {
  return orderKeyText({ bizNo: text(row, "biz_no"), appId: text(row, "app_id") });
}
