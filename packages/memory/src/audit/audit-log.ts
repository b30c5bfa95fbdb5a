import type { AuditEvent } from "@tillkit/core";
import {
  type AuditEntry,
  type AuditLog,
  type AuditPosition,
  type AuditQuery,
  type ChangeOutcome,
  chainedAuditEvent,
  entryWithBefore,
  subjectName,
} from "@tillkit/core/ports";
import { frozen } from "../state/frozen.js";
import { compositeKey, type MemoryState } from "../state/memory-state.js";
import { pageOf } from "../state/page-of.js";
import { runAtomically } from "../state/run-atomically.js";

/** Creates an `AuditLog` in memory. */
export function memoryAuditLog(state: AuditState): AuditLog {
  return {
    append: (entry) => runAtomically(() => appendAudit(state, entry)),
    begin: (change, now) =>
      runAtomically(() => {
        const { operator, change: ref } = change.draft;
        const known = findChange(state, operator, ref.id);
        if (known?.kind === "recorded") {
          const { outcome } = known;
          if (outcome.outcome !== "unknown" || outcome.change.digest !== ref.digest) return known;
        }
        if (known?.kind === "running") {
          const { draft, leaseUntil } = known.change;
          if (leaseUntil > now || draft.change.digest !== ref.digest) return known;
        }
        state.begunChanges.set(compositeKey(operator, ref.id), frozen(change));
        return { kind: "begun" };
      }),
    findChange: (operator, changeId) => runAtomically(() => findChange(state, operator, changeId)),
    withdraw: (operator, changeId) =>
      runAtomically(() => {
        state.begunChanges.delete(compositeKey(operator, changeId));
      }),
    recordAbandoned: (before, at, limit) =>
      runAtomically(() => {
        const abandoned = [...state.begunChanges.values()]
          .filter(({ leaseUntil }) => leaseUntil <= before)
          .slice(0, limit);
        for (const { draft } of abandoned) appendAudit(state, { ...draft, at, outcome: "unknown" });
        return abandoned.length;
      }),
    search: (query) =>
      runAtomically(() => {
        const found = state.auditLog.filter((event) => isSelected(event, query)).sort(newestFirst);
        return pageOf(found, query.limit, ({ at, seq }) => ({ at, seq }));
      }),
    read: (after, limit) => runAtomically(() => state.auditLog.slice(after, after + limit)),
  };
}

/** The part of the data that {@link appendAudit} changes. */
export type AuditState = Pick<MemoryState, "auditLog" | "begunChanges" | "digest">;

/** Appends the entry of a change, if there is one, with the values that the change replaced. */
export function auditChange(state: AuditState, entry: AuditEntry | undefined, before?: object): void {
  if (entry === undefined) return;
  appendAudit(state, before === undefined ? entry : entryWithBefore(entry, before));
}

/**
 * Appends an entry to the chain. If the entry is the outcome of a begun change, the change ends.
 *
 * Throws if the log already contains an outcome of the change other than `unknown`. Call this
 * function before the change itself, so that nothing changes in this case.
 */
export function appendAudit(state: AuditState, entry: AuditEntry): AuditEvent {
  const { auditLog, begunChanges, digest } = state;
  if (entry.change !== undefined) {
    const known = findChange(state, entry.operator, entry.change.id);
    if (known?.kind === "recorded" && known.outcome.outcome !== "unknown")
      throw new Error("The audit log already contains the outcome of this change.");
  }
  const event = frozen(chainedAuditEvent(digest, auditLog.at(-1), entry));
  auditLog.push(event);
  if (entry.change !== undefined) begunChanges.delete(compositeKey(entry.operator, entry.change.id));
  return event;
}

function findChange({ auditLog, begunChanges }: AuditState, operator: string, changeId: string) {
  const outcomes = auditLog
    .filter((event): event is ChangeOutcome => event.change?.id === changeId)
    .filter((event) => event.operator === operator);
  const definite = outcomes.find(({ outcome }) => outcome !== "unknown");
  if (definite !== undefined) return { kind: "recorded", outcome: definite } as const;
  const change = begunChanges.get(compositeKey(operator, changeId));
  if (change !== undefined) return { kind: "running", change } as const;
  const outcome = outcomes.at(-1);
  return outcome && ({ kind: "recorded", outcome } as const);
}

function isSelected(event: AuditEvent, query: AuditQuery): boolean {
  const { operator, action, outcome, apps, subject, from = -Infinity, until = Infinity, before } = query;
  return (
    (operator === undefined || event.operator === operator) &&
    (action === undefined || event.action === action) &&
    (outcome === undefined || event.outcome === outcome) &&
    (subject === undefined || event.subject === subject || subjectName(event.subject) === subject) &&
    (apps === undefined || (event.appId !== undefined && apps.includes(event.appId))) &&
    event.at >= from &&
    event.at < until &&
    (before === undefined || newestFirst(before, event) < 0)
  );
}

function newestFirst(left: AuditPosition, right: AuditPosition): number {
  return right.at - left.at || right.seq - left.seq;
}
