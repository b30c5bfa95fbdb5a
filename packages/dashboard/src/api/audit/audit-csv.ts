import { type AuditEvent, isoTime, type Ports } from "@tillkit/core";
import type { AuditPosition, AuditQuery } from "@tillkit/core/ports";
import { type CsvColumns, listCsv } from "../list-csv.js";

/** Writes the selected entries as CSV, newest first. */
export function auditCsv(
  { auditLog, policy: { timeZone } }: Pick<Ports, "auditLog" | "policy">,
  query: Omit<AuditQuery, "before" | "limit">,
): AsyncIterable<string> {
  const columns: CsvColumns<AuditEvent> = {
    seq: ({ seq }) => seq,
    time: ({ at }) => isoTime(timeZone, at),
    operator: ({ operator }) => operator,
    action: ({ action }) => action,
    outcome: ({ outcome }) => outcome,
    subject: ({ subject }) => subject,
    appId: ({ appId }) => appId,
    reason: ({ reason }) => reason,
    detail: ({ detail }) => detail,
    from: ({ from }) => from,
    traceId: ({ traceId }) => traceId,
    hash: ({ hash }) => hash,
  };
  return listCsv<AuditEvent, AuditPosition>(columns, (page) => auditLog.search({ ...query, ...page }));
}
