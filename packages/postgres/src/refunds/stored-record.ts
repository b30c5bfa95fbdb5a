import type { StoredRecord } from "@tillkit/core/ports";
import { toOrder } from "../orders/order-row.js";
import { jsonRow, jsonRows } from "../sql/row.js";
import type { SqlRow } from "../sql/sql-client.js";
import type { Tables } from "../sql/tables.js";
import { timelineSql } from "../timeline/timeline-sql.js";
import { toTimelineEvent } from "../timeline/timeline-row.js";
import { refundColumns, toRefund } from "./refund-row.js";

/**
 * Returns the select list of the order `stored`, with its refunds and its timeline.
 *
 * `key` is the condition that selects the rows of the order in each table. One statement reads all
 * of them, so that they are from one snapshot.
 */
export function storedRecordColumns(
  tables: Pick<Tables, "orders" | "refunds" | "timeline">,
  key: string,
): string {
  return `row_to_json(stored)::text as stored,
    (select coalesce(json_agg(refund order by refund.r_created_ms, refund.r_refund_no), '[]')::text
       from (select ${refundColumns("r")} from ${tables.refunds} r where ${key}) refund) as refunds,
    (select coalesce(json_agg(event order by event.seq), '[]')::text
       from (${timelineSql(tables, key)}) event) as timeline`;
}

/** Reads the record from a row with {@link storedRecordColumns}. */
export function toStoredRecord(row: SqlRow): StoredRecord {
  return {
    order: toOrder(jsonRow(row, "stored")),
    refunds: jsonRows(row, "refunds").map(toRefund),
    timeline: jsonRows(row, "timeline").map(toTimelineEvent),
  };
}
