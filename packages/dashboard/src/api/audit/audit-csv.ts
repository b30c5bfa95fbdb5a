import { type AuditEvent, type AuditQuery, isoTime } from "@tillkit/core";
import { csvLine } from "../csv.js";
import type { RouteContext } from "../route.js";

const PAGE = 500;

const HEADER = [
  ...["seq", "time", "operator", "action", "outcome", "subject", "appId", "reason", "detail", "from"],
  ...["traceId", "hash"],
];

/**
 * Writes the selected entries as CSV, newest first.
 *
 * Throws if the storage fails, so that the connection breaks: a shortened file must not look whole.
 */
export async function* auditCsv(
  { ports }: Pick<RouteContext, "ports">,
  query: Omit<AuditQuery, "before" | "limit">,
  isGone: () => boolean,
): AsyncGenerator<string, void, undefined> {
  const { timeZone } = ports.policy;
  const lineOf = ({ seq, at, operator, action, outcome, subject, appId, ...rest }: AuditEvent) =>
    csvLine([
      ...[seq, isoTime(timeZone, at), operator, action, outcome, subject, appId],
      ...[rest.reason, rest.detail, rest.from, rest.traceId, rest.hash],
    ]);
  // The mark tells spreadsheets that the file is UTF-8.
  yield `\uFEFF${csvLine(HEADER)}`;
  let before: number | undefined;
  do {
    const page = await ports.auditLog.search({ ...query, before, limit: PAGE });
    if (page.isErr()) throw new Error(`The export ended early: ${page.error.name}.`);
    if (page.value.length > 0) yield page.value.map(lineOf).join("");
    before = page.value.length === PAGE ? page.value.at(-1)?.seq : undefined;
  } while (before !== undefined && !isGone());
}
