import { type AuditEvent, type AuditPosition, type AuditQuery, isoTime, type Ports } from "@tillkit/core";
import { csvLine } from "../csv.js";
import { listCsv } from "../list-csv.js";

const HEADER = [
  "seq",
  "time",
  "operator",
  "action",
  "outcome",
  "subject",
  "appId",
  "reason",
  "detail",
  "from",
  "traceId",
  "hash",
];

/** Writes the selected entries as CSV, newest first. */
export function auditCsv(
  { auditLog, policy: { timeZone } }: Pick<Ports, "auditLog" | "policy">,
  query: Omit<AuditQuery, "before" | "limit">,
): AsyncIterable<string> {
  const lineOf = ({ seq, at, operator, action, outcome, subject, appId, ...rest }: AuditEvent) =>
    csvLine([
      seq,
      isoTime(timeZone, at),
      operator,
      action,
      outcome,
      subject,
      appId,
      rest.reason,
      rest.detail,
      rest.from,
      rest.traceId,
      rest.hash,
    ]);
  return listCsv<AuditEvent, AuditPosition>(HEADER, (page) => auditLog.search({ ...query, ...page }), lineOf);
}
