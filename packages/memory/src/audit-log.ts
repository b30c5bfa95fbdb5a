import {
  type AuditEntry,
  type AuditEvent,
  type AuditLog,
  type AuditQuery,
  chainedAuditEvent,
} from "@tillkit/core";
import { frozen } from "./frozen.js";
import type { MemoryState } from "./memory-state.js";
import { runAtomically } from "./run-atomically.js";

/** Creates an `AuditLog` in memory. */
export function memoryAuditLog(state: AuditState): AuditLog {
  return {
    append: (entry) => runAtomically(() => appendAudit(state, entry)),
    search: (query) =>
      runAtomically(() =>
        state.auditLog
          .filter((event) => isSelected(event, query))
          .toReversed()
          .slice(0, query.limit),
      ),
    read: (after, limit) => runAtomically(() => state.auditLog.slice(after, after + limit)),
  };
}

/** The part of the data that {@link appendAudit} changes. */
export type AuditState = Pick<MemoryState, "auditLog" | "digest">;

/** Appends the entry of a change, if there is one. */
export function auditChange(state: AuditState, entry: AuditEntry | undefined): void {
  if (entry !== undefined) appendAudit(state, entry);
}

/** Appends an entry to the chain. */
export function appendAudit({ auditLog, digest }: AuditState, entry: AuditEntry): AuditEvent {
  const event = frozen(chainedAuditEvent(digest, auditLog.at(-1), entry));
  auditLog.push(event);
  return event;
}

function isSelected(event: AuditEvent, query: AuditQuery): boolean {
  const {
    operator,
    action,
    outcome,
    apps,
    subject,
    from = -Infinity,
    until = Infinity,
    before = Infinity,
  } = query;
  return (
    (operator === undefined || event.operator === operator) &&
    (action === undefined || event.action === action) &&
    (outcome === undefined || event.outcome === outcome) &&
    (subject === undefined || event.subject === subject) &&
    (apps === undefined || (event.appId !== undefined && apps.includes(event.appId))) &&
    event.at >= from &&
    event.at < until &&
    event.seq < before
  );
}
