import type { AuditEvent } from "@tillkit/core";
import {
  AUDIT_ACTIONS,
  AUDIT_OUTCOMES,
  type AuditEntry,
  type BegunChange,
  type ChangeOutcome,
  type ChangeRef,
} from "@tillkit/core/ports";
import { enumValue, integer, optionalMember, optionalText, text } from "../sql/row.js";
import type { SqlRow, SqlValue } from "../sql/sql-client.js";
import { UnreadableValue } from "../sql/unreadable-value.js";

/** The columns of an entry without its place in the chain. */
export const ENTRY_COLUMNS = [
  "at_ms",
  "operator",
  "action",
  "outcome",
  "subject",
  "app_id",
  "reason",
  "detail",
  "origin",
  "trace_id",
  "change_id",
  "change_digest",
] as const;

/** The columns of the audit log. */
export const AUDIT_COLUMNS = ["seq", "previous_hash", "hash", ...ENTRY_COLUMNS];

/** Returns the values of {@link ENTRY_COLUMNS}, in their order. */
export function entryValues(entry: AuditEntry): readonly SqlValue[] {
  const { at, operator, action, outcome, subject, appId = null } = entry;
  const { reason, detail = null, from, traceId, change } = entry;
  const ref = [change?.id ?? null, change?.digest ?? null];
  return [at, operator, action, outcome, subject, appId, reason, detail, from, traceId, ...ref];
}

/** Returns the values of {@link AUDIT_COLUMNS}, in their order. */
export function auditValues(event: AuditEvent): readonly SqlValue[] {
  return [event.seq, event.previousHash, event.hash, ...entryValues(event)];
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
    ...optionalMember("change", changeOf(row)),
    previousHash: text(row, "previous_hash"),
    hash: text(row, "hash"),
  };
}

function changeOf(row: SqlRow): ChangeRef | undefined {
  const id = optionalText(row, "change_id");
  return id === undefined ? undefined : { id, digest: text(row, "change_digest") };
}

/** Reads an entry that is the outcome of a change. */
export function toChangeOutcome(row: SqlRow): ChangeOutcome {
  const change = { id: text(row, "change_id"), digest: text(row, "change_digest") };
  return { ...toAuditEvent(row), change };
}

/** The columns of `begun_changes`. */
export const BEGUN_CHANGE_COLUMNS = ["operator", "change_id", "digest", "lease_ms", "draft"] as const;

/** Returns the values of {@link BEGUN_CHANGE_COLUMNS}, in their order. */
export function begunChangeValues({ draft, leaseUntil }: BegunChange): readonly SqlValue[] {
  const { operator, change, ...facts } = draft;
  return [operator, change.id, change.digest, leaseUntil, JSON.stringify(facts)];
}

/** Reads a begun change from a row with {@link BEGUN_CHANGE_COLUMNS}. */
export function toBegunChange(row: SqlRow): BegunChange {
  const draft: unknown = JSON.parse(text(row, "draft"));
  if (typeof draft !== "object" || draft === null)
    throw new UnreadableValue("The draft of a begun change is not an object.");
  const facts: SqlRow = { appId: null, detail: null, ...draft };
  return {
    draft: {
      at: integer(facts, "at"),
      operator: text(row, "operator"),
      action: enumValue(facts, "action", AUDIT_ACTIONS),
      subject: text(facts, "subject"),
      ...optionalMember("appId", optionalText(facts, "appId")),
      reason: text(facts, "reason"),
      ...optionalMember("detail", optionalText(facts, "detail")),
      from: text(facts, "from"),
      traceId: text(facts, "traceId"),
      change: { id: text(row, "change_id"), digest: text(row, "digest") },
    },
    leaseUntil: integer(row, "lease_ms"),
  };
}
