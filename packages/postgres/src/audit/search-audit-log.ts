import type { AuditQuery, FoundEntries } from "@tillkit/core/ports";
import { AUDIT_COLUMNS, toAuditEvent } from "./audit-row.js";
import {
  type BoundedList,
  boundedList,
  equalTo,
  type ListPart,
  type ListPosition,
  type ListShape,
  readBoundedList,
} from "../sql/bounded-list.js";
import { appsFilter } from "../sql/apps-filter.js";
import { integer } from "../sql/row.js";
import type { SqlQueries, SqlRow } from "../sql/sql-client.js";
import type { Tables } from "../sql/tables.js";

/** Returns a page of entries, newest first. */
export async function searchAuditLog(
  sql: SqlQueries,
  statements: AuditSearchStatements,
  query: AuditQuery,
): Promise<FoundEntries> {
  const { operator, subject, action, outcome, apps, from, until, before, limit } = query;
  const { rows, next } = await readBoundedList(
    sql,
    statements.shape,
    {
      parts: partsOf(statements, query),
      from,
      until,
      limit,
      before: before && [before.at, before.seq],
      filter: [operator ?? null, subject ?? null, action ?? null, outcome ?? null, appsFilter(apps)],
      isDistributed: false,
    },
    positionOf,
  );
  const [at, seq] = next ?? [];
  return {
    items: rows.map(toAuditEvent),
    ...(at === undefined ? {} : { next: { at, seq: Number(seq) } }),
  };
}

/** `subjectName` of core in SQL. The index has the same expression. */
const SUBJECT_NAME = "coalesce(substring(r.subject from '^[^:]*:(?:[^/]*/)?(.*)$'), r.subject)";

/** The statements of the search, by the condition that an index serves. */
interface AuditSearchStatements {
  readonly shape: ListShape;
  readonly all: BoundedList;
  readonly ofSubject: BoundedList;
  readonly ofSubjectName: BoundedList;
  readonly ofOperator: BoundedList;
  readonly ofAction: BoundedList;
  readonly ofOutcome: BoundedList;
  readonly ofApp: BoundedList;
}

/** Creates the statements over the log. */
export function auditSearchStatements({ audit_log }: Pick<Tables, "audit_log">): AuditSearchStatements {
  const shape: ListShape = {
    table: audit_log,
    isDistributed: false,
    columns: AUDIT_COLUMNS.map((column) => `r.${column}`).join(", "),
    position: new Map([
      ["at_ms", "0"],
      ["seq", "0"],
    ]),
    filter: (first) =>
      `($${first}::text is null or r.operator = $${first})
       and ($${first + 1}::text is null or r.subject = $${first + 1} or ${SUBJECT_NAME} = $${first + 1})
       and ($${first + 2}::text is null or r.action = $${first + 2})
       and ($${first + 3}::text is null or r.outcome = $${first + 3})
       and ($${first + 4}::text[] is null or r.app_id = any ($${first + 4}::text[]))`,
  };
  const equal = (method: string, column: string) =>
    boundedList(shape, `audit_search_${method}`, equalTo(column));
  return {
    shape,
    all: boundedList(shape, "audit_search"),
    ofSubject: equal("subject", "r.subject"),
    ofSubjectName: equal("subject_name", SUBJECT_NAME),
    ofOperator: equal("operator", "r.operator"),
    ofAction: equal("action", "r.action"),
    ofOutcome: boundedList(shape, "audit_search_outcome", {
      sql: (first) => `r.outcome = $${first} and r.outcome <> 'done'`,
      values: 1,
    }),
    ofApp: equal("app", "r.app_id"),
  };
}

/** Returns the parts of a list. Most entries are `done`, so this outcome has no index. */
function partsOf(
  statements: AuditSearchStatements,
  { subject, operator, outcome, action, apps }: AuditQuery,
): readonly ListPart[] {
  if (subject !== undefined)
    return [
      { list: statements.ofSubject, leading: [subject] },
      { list: statements.ofSubjectName, leading: [subject] },
    ];
  if (operator !== undefined) return [{ list: statements.ofOperator, leading: [operator] }];
  if (outcome !== undefined && outcome !== "done")
    return [{ list: statements.ofOutcome, leading: [outcome] }];
  if (action !== undefined) return [{ list: statements.ofAction, leading: [action] }];
  if (apps !== undefined)
    return [...new Set(apps)].map((app) => ({ list: statements.ofApp, leading: [app] }));
  return [{ list: statements.all, leading: [] }];
}

function positionOf(row: SqlRow): ListPosition {
  return [integer(row, "at_ms"), integer(row, "seq")];
}
