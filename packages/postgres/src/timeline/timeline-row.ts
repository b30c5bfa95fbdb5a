import { PAYMENT_STATUSES, type TimelineEvent } from "@tillkit/core";
import type { TimelineEventType } from "@tillkit/core/ports";
import { booleanValue, enumValue, integer, optionalMember, optionalText, text } from "../sql/row.js";
import type { SqlRow } from "../sql/sql-client.js";

const TYPES = {
  CREATED: "CREATED",
  PAID: "PAID",
  LATE_PAYMENT: "LATE_PAYMENT",
  SECOND_PAYMENT: "SECOND_PAYMENT",
  SECOND_PAYMENT_REFUNDED: "SECOND_PAYMENT_REFUNDED",
  CLOSED_AFTER_PAYMENT: "CLOSED_AFTER_PAYMENT",
  IMPORTED: "IMPORTED",
  CONNECTED: "CONNECTED",
  CLOSED: "CLOSED",
  PREPAYMENT_REJECTED: "PREPAYMENT_REJECTED",
  MISMATCH: "MISMATCH",
  UNKNOWN_REFUND: "UNKNOWN_REFUND",
  BILL_DIFFERENCE: "BILL_DIFFERENCE",
  BILL_ASSIGNED: "BILL_ASSIGNED",
  REFUND_APPROVAL_REQUESTED: "REFUND_APPROVAL_REQUESTED",
  REFUND_APPROVED: "REFUND_APPROVED",
  REFUND_REJECTED: "REFUND_REJECTED",
  REFUND_NOT_MADE: "REFUND_NOT_MADE",
  REFUND_REQUESTED: "REFUND_REQUESTED",
  REFUND_SENT: "REFUND_SENT",
  REFUND_CONFIRMED: "REFUND_CONFIRMED",
  REFUND_REFUSED: "REFUND_REFUSED",
  REFUND_FAILED: "REFUND_FAILED",
  REFUND_WAITING_FOR_FUNDS: "REFUND_WAITING_FOR_FUNDS",
  REFUND_ABNORMAL: "REFUND_ABNORMAL",
  REFUND_PROCESSING: "REFUND_PROCESSING",
  REFUND_PAYOUT: "REFUND_PAYOUT",
  REFUND_PAYOUT_REFUSED: "REFUND_PAYOUT_REFUSED",
  REFUND_PAYOUT_PROPOSED: "REFUND_PAYOUT_PROPOSED",
  REFUND_OVERDUE: "REFUND_OVERDUE",
  REFUND_SETTLED: "REFUND_SETTLED",
  REFUND_WITHDRAWN: "REFUND_WITHDRAWN",
  REFUND_ADOPTED: "REFUND_ADOPTED",
  REFUND_PAID_TWICE: "REFUND_PAID_TWICE",
  REFUNDED: "REFUNDED",
  SHIPMENT_REQUESTED: "SHIPMENT_REQUESTED",
  SHIPMENT_REPORTED: "SHIPMENT_REPORTED",
  SHIPMENT_REFUSED: "SHIPMENT_REFUSED",
  SHIPMENT_OVERDUE: "SHIPMENT_OVERDUE",
  SHIPMENT_ENDED: "SHIPMENT_ENDED",
  ALARM_ACKNOWLEDGED: "ALARM_ACKNOWLEDGED",
  PERSONAL_DATA_ERASED: "PERSONAL_DATA_ERASED",
} satisfies { readonly [T in TimelineEventType]: T };

/** Reads the event from a row of `timelineSql`. */
export function toTimelineEvent(row: SqlRow): TimelineEvent {
  return {
    type: enumValue(row, "type", Object.values(TYPES)),
    at: integer(row, "at_ms"),
    actor: text(row, "actor"),
    reason: text(row, "reason"),
    ...optionalMember("from", statusOf(row, "from_status")),
    ...optionalMember("to", statusOf(row, "to_status")),
    ...optionalMember("evidence", optionalText(row, "evidence")),
    alarm: booleanValue(row, "alarm"),
    ...optionalMember("refundNo", optionalText(row, "refund_no")),
    ...optionalMember("details", optionalText(row, "details")),
    ...optionalMember("reasonSalt", optionalText(row, "reason_salt")),
    ...optionalMember("reasonDigest", optionalText(row, "reason_digest")),
    seq: integer(row, "seq"),
    previousHash: text(row, "previous_hash"),
    hash: text(row, "hash"),
  };
}

function statusOf(row: SqlRow, column: string): TimelineEvent["to"] {
  return optionalText(row, column) === undefined ? undefined : enumValue(row, column, PAYMENT_STATUSES);
}
