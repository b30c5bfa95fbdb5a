import { AUDIT_ACTIONS, AUDIT_OUTCOMES, type AuditEvent } from "@tillkit/core";
import { optionalMember } from "./order-row.js";
import { enumValue, integer, optionalText, text } from "./row.js";
import type { SqlRow, SqlValue } from "./sql-client.js";

/** The columns of the audit log. */
export const AUDIT_COLUMNS = [
  ...["seq", "at_ms", "operator", "action", "outcome", "subject", "app_id", "reason", "detail"],
  ...["origin", "trace_id", "previous_hash", "hash"],
];

/** Returns the values of {@link AUDIT_COLUMNS}, in their order. */
export function auditValues(event: AuditEvent): readonly SqlValue[] {
  const { seq, at, operator, action, outcome, subject, appId = null } = event;
  const { reason, detail = null, from, traceId, previousHash, hash } = event;
  return [
    ...[seq, at, operator, action, outcome, subject, appId, reason, detail],
    ...[from, traceId, previousHash, hash],
  ];
}

/** Reads an entry from a row with {@link AUDIT_COLUMNS}. */
export function toAuditEvent(row: SqlRow): AuditEvent {
  return {
    seq: integer(row, "seq"),
    at: integer(row, "at_ms"),
    operator: text(row, "operator"),
    action: enumValue(row, "action", AUDIT_ACTIONS),
    outcome: enumValue(row, "outcome", AUDIT_OUTCOMES),
    subject: text(row, "subject"),
    ...optionalMember("appId", optionalText(row, "app_id")),
    reason: text(row, "reason"),
    ...optionalMember("detail", optionalText(row, "detail")),
    from: text(row, "origin"),
    traceId: text(row, "trace_id"),
    previousHash: text(row, "previous_hash"),
    hash: text(row, "hash"),
  };
}
