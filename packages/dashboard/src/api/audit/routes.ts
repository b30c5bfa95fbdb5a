import type { AuditEvent } from "@tillkit/core";
import { checkAuditLog, pastedNumber } from "@tillkit/core/operators";
import { AUDIT_ACTIONS, AUDIT_OUTCOMES } from "@tillkit/core/ports";
import * as z from "zod";
import { cursorInput, cursorText } from "../cursor.js";
import { listExport } from "../list-export.js";
import { filterObject, pageLimit, timeRangeInput, queryNumber } from "../query-input.js";
import { operatorRoute, operatorStream } from "../route.js";
import { singleLineText } from "../single-line-text.js";
import { time } from "../unit-schemas.js";
import { requireEveryApp, visibleApps } from "../visible-apps.js";
import { auditCsv } from "./audit-csv.js";

const auditRow = z
  .strictObject({
    seq: z.int(),
    at: z.int().describe("Milliseconds since the Unix epoch."),
    operator: z.string().describe("Empty for a request without a session."),
    action: z.enum(AUDIT_ACTIONS),
    outcome: z.enum(AUDIT_OUTCOMES),
    subject: z.string(),
    appId: z.string().optional(),
    reason: z.string(),
    detail: z.string().optional().describe("Facts as JSON text."),
    from: z.string().describe("The address of the peer, `cli` or `host`."),
    traceId: z.string(),
    changeId: z.string().optional().describe("The change whose outcome the entry is."),
    hash: z.string(),
  })
  .meta({ id: "AuditRow" });

function rowOf({ previousHash: _previous, change, ...event }: AuditEvent): z.output<typeof auditRow> {
  return change === undefined ? event : { ...event, changeId: change.id };
}

/** Schema of a subject, or of a number as an operator pastes it. A subject contains a colon. */
function subjectInput() {
  return z
    .string()
    .max(200)
    .transform((text) => (text.includes(":") ? text : pastedNumber(text)))
    .pipe(singleLineText(200));
}

/** The criteria of a list and of an export. */
function criteriaInput() {
  return {
    operator: singleLineText(64).optional(),
    action: z.enum(AUDIT_ACTIONS).optional(),
    outcome: z.enum(AUDIT_OUTCOMES).optional(),
    app: singleLineText(64).optional(),
    subject: subjectInput()
      .optional()
      .describe("A subject such as `order:app_1/biz-1`, or the number or the name in it."),
    ...timeRangeInput,
  };
}

const auditCheckSchema = z
  .strictObject({
    intactUpTo: z
      .strictObject({ seq: z.int(), at: z.int(), hash: z.string() })
      .optional()
      .describe("The last entry before which the chain is intact. Absent if the log is empty."),
    brokenAt: z
      .int()
      .optional()
      .describe("The first entry that was changed, or before which one was removed."),
  })
  .meta({ id: "AuditCheck" });

/** The endpoints of the audit log. */
export const auditRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/audit",
    allowed: "audit.read",
    input: () =>
      filterObject({
        ...criteriaInput(),
        before: cursorInput(z.object({ at: z.int(), seq: z.int() })).optional(),
        limit: pageLimit(),
      }),
    response: () =>
      z.strictObject({
        items: z.array(auditRow).readonly().describe("Newest first."),
        older: z.string().optional().describe("The value of `before` for the next page. Absent at the end."),
        searchedUntil: time()
          .optional()
          .describe("The time of the oldest entry that was examined. Present with `older`."),
      }),
    run: async (context, { app, ...criteria }) => {
      const apps = visibleApps(context, app);
      const found = await context.ports.auditLog.search({ ...criteria, apps });
      return found.map(({ items, next }) => ({
        value: {
          items: items.map(rowOf),
          ...(next === undefined ? {} : { older: cursorText(next), searchedUntil: next.at }),
        },
      }));
    },
  }),
  operatorRoute({
    method: "GET",
    path: "/api/audit/check",
    allowed: "audit.read",
    input: () =>
      z.object({
        seq: queryNumber()
          .optional()
          .describe("The number of an entry that was intact, and was kept elsewhere. Needs `hash`."),
        hash: z
          .string()
          .regex(/^[0-9a-f]{64}$/)
          .optional()
          .describe("The hash of that entry."),
      }),
    response: () => auditCheckSchema,
    run: async (context, { seq, hash }) => {
      const unlimited = requireEveryApp(context);
      if (unlimited.isErr()) return unlimited;
      const since = seq === undefined || hash === undefined ? undefined : { seq, hash };
      return (await checkAuditLog(context.ports, since)).map((value) => ({ value }));
    },
  }),
  operatorStream({
    path: "/api/audit.csv",
    allowed: "audit.export",
    input: () => filterObject(criteriaInput()),
    run: async (context, { app, ...criteria }, request) => {
      const apps = visibleApps(context, app);
      return listExport(context, request, {
        action: "audit.export",
        subject: "audit-log",
        apps,
        filter: { app, ...criteria },
        fileName: "audit.csv",
        lines: auditCsv(context.ports, { ...criteria, apps }),
      });
    },
  }),
];
