import { operatorNameKey, REFUND_APPROVAL_STATES, type RefundApproval } from "@tillkit/core/ports";
import { enumValue, integer, optionalInteger, optionalMember, optionalText, text } from "../sql/row.js";
import type { SqlRow, SqlValue } from "../sql/sql-client.js";

/** The columns of an approval with their values. */
const VALUES: Readonly<Record<string, (approval: RefundApproval) => SqlValue | undefined>> = {
  biz_no: (approval) => approval.bizNo,
  app_id: (approval) => approval.appId,
  refund_no: (approval) => approval.refundNo,
  id: (approval) => approval.id,
  amount_cents: (approval) => approval.amount,
  reason: (approval) => approval.reason,
  requested_by: (approval) => approval.requestedBy,
  requested_ms: (approval) => approval.requestedAt,
  state: (approval) => approval.state,
  decided_by: (approval) => approval.decidedBy,
  decided_ms: (approval) => approval.decidedAt,
  note: (approval) => approval.note,
  due_ms: (approval) => approval.nextTryAt,
  failure: (approval) => approval.failure,
  requester_key: (approval) => operatorNameKey(approval.requestedBy),
};

/** The columns of an approval. */
export const REFUND_APPROVAL_COLUMNS: readonly string[] = Object.keys(VALUES);

/** Returns the values of {@link REFUND_APPROVAL_COLUMNS}, in their order. */
export function refundApprovalValues(approval: RefundApproval): readonly SqlValue[] {
  return Object.values(VALUES).map((valueOf) => valueOf(approval) ?? null);
}

/** Reads an approval from a row with {@link REFUND_APPROVAL_COLUMNS}. */
export function toRefundApproval(row: SqlRow): RefundApproval {
  return {
    bizNo: text(row, "biz_no"),
    appId: text(row, "app_id"),
    refundNo: text(row, "refund_no"),
    id: text(row, "id"),
    amount: integer(row, "amount_cents"),
    reason: text(row, "reason"),
    requestedBy: text(row, "requested_by"),
    requestedAt: integer(row, "requested_ms"),
    state: enumValue(row, "state", REFUND_APPROVAL_STATES),
    ...optionalMember("decidedBy", optionalText(row, "decided_by")),
    ...optionalMember("decidedAt", optionalInteger(row, "decided_ms")),
    ...optionalMember("note", optionalText(row, "note")),
    ...optionalMember("nextTryAt", optionalInteger(row, "due_ms")),
    ...optionalMember("failure", optionalText(row, "failure")),
  };
}
