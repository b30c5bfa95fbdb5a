import type { ClaimedDelivery, EventDelivery } from "@tillkit/core/ports";
import { integer, optionalInteger, optionalMember, optionalText, text } from "../sql/row.js";
import { type OnUnreadable, type RowReader, rowReader } from "../sql/row-reader.js";
import type { SqlRow } from "../sql/sql-client.js";

/** The columns of the primary key of a delivery. */
export const DELIVERY_KEY = ["biz_no", "app_id", "handler"] as const;

/** Returns the select list of the delivery in `from`. */
export function deliveryColumns(from: string): string {
  const columns = [
    ...DELIVERY_KEY,
    "next_seq",
    "next_index",
    "last_seq",
    "tries",
    "due_ms",
    "claim_id",
    "parked_ms",
    "failure",
  ];
  return columns.map((column) => `${from}.${column}`).join(", ");
}

/** Creates a reader of rows with {@link deliveryColumns}. */
export function deliveryReader(onUnreadable?: OnUnreadable): RowReader<EventDelivery> {
  return rowReader("event_deliveries", DELIVERY_KEY, readDelivery, onUnreadable);
}

/** Creates a reader of claimed deliveries, with {@link deliveryColumns}. */
export function claimedReader(onUnreadable?: OnUnreadable): RowReader<ClaimedDelivery> {
  return rowReader("event_deliveries", DELIVERY_KEY, readClaimed, onUnreadable);
}

function readDelivery(row: SqlRow): EventDelivery {
  return {
    bizNo: text(row, "biz_no"),
    appId: text(row, "app_id"),
    handler: text(row, "handler"),
    next: { seq: integer(row, "next_seq"), index: integer(row, "next_index") },
    lastSeq: integer(row, "last_seq"),
    tries: integer(row, "tries"),
    ...optionalMember("dueAt", optionalInteger(row, "due_ms")),
    ...optionalMember("parkedAt", optionalInteger(row, "parked_ms")),
    ...optionalMember("failure", optionalText(row, "failure")),
  };
}

function readClaimed(row: SqlRow): ClaimedDelivery {
  return { ...readDelivery(row), claimId: text(row, "claim_id"), until: integer(row, "due_ms") };
}
