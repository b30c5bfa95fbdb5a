import { type AuditEvent, type AuditQuery, isoTime, type Ports } from "@tillkit/core";
import { CSV_START, csvLine } from "../csv.js";

const PAGE = 500;

const HEADER = [
  ...["seq", "time", "operator", "action", "outcome", "subject", "appId", "reason", "detail", "from"],
  ...["traceId", "hash"],
];

/**
 * Writes the selected entries as CSV, newest first.
 *
 * Throws if the storage fails.
 */
export async function* auditCsv(
  { auditLog, policy: { timeZone } }: Pick<Ports, "auditLog" | "policy">,
  query: Omit<AuditQuery, "before" | "limit">,
): AsyncGenerator<string, void, undefined> {
  const lineOf = ({ seq, at, operator, action, outcome, subject, appId, ...rest }: AuditEvent) =>
    csvLine([
      ...[seq, isoTime(timeZone, at), operator, action, outcome, subject, appId],
      ...[rest.reason, rest.detail, rest.from, rest.traceId, rest.hash],
    ]);
  yield `${CSV_START}${csvLine(HEADER)}`;
  let before: number | undefined;
  do {
    const page = await auditLog.search({ ...query, before, limit: PAGE });
    if (page.isErr()) throw new Error(`The export ended early: ${page.error.name}.`);
    yield page.value.map(lineOf).join("");
    before = page.value.length === PAGE ? page.value.at(-1)?.seq : undefined;
  } while (before !== undefined);
}
