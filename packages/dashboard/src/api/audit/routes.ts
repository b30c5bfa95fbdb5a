import { AUDIT_ACTIONS, AUDIT_OUTCOMES, type AuditEvent, auditEntryOf, checkAuditLog } from "@tillkit/core";
import { err } from "neverthrow";
import * as z from "zod";
import { commandOf, operatorName } from "../command-of.js";
import { guardedExport } from "../guarded-export.js";
import { requireEveryApp, visibleApps } from "../visible-apps.js";
import { singleLineText } from "../single-line-text.js";
import { pageLimit, queryNumber } from "../query-input.js";
import { operatorRoute, operatorStream } from "../route.js";
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

/** The criteria of a list and of an export. */
function criteriaInput() {
  return {
    operator: singleLineText(64).optional(),
    action: z.enum(AUDIT_ACTIONS).optional(),
    outcome: z.enum(AUDIT_OUTCOMES).optional(),
    app: singleLineText(64).optional(),
    subject: singleLineText(200).optional(),
    from: queryNumber().optional(),
    until: queryNumber().optional(),
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
    input: () => z.object({ ...criteriaInput(), before: queryNumber().optional(), limit: pageLimit() }),
    response: () =>
      z.strictObject({
        items: z.array(auditRow).readonly(),
        older: z.int().optional().describe("The value of `before` for the next page. Absent at the end."),
      }),
    run: async (context, { app, limit, ...criteria }) => {
      const apps = visibleApps(context, app);
      const found = await context.ports.auditLog.search({ ...criteria, apps, limit: limit + 1 });
      return found.map((events) => {
        const items = events.slice(0, limit).map(rowOf);
        const older = events.length > limit ? items.at(-1)?.seq : undefined;
        return { value: { items, ...(older === undefined ? {} : { older }) } };
      });
    },
  }),
  operatorRoute({
    method: "GET",
    path: "/api/audit/check",
    allowed: "audit.read",
    input: () => z.object({}),
    response: () => auditCheckSchema,
    run: async (context) => {
      const unlimited = requireEveryApp(context);
      if (unlimited.isErr()) return unlimited;
      return (await checkAuditLog(context.ports)).map((value) => ({ value }));
    },
  }),
  operatorStream({
    path: "/api/audit.csv",
    allowed: "audit.export",
    input: () => z.object(criteriaInput()),
    run: async (context, { app, ...criteria }, request) => {
      if (context.exports.isFull(operatorName(context))) return err({ name: "exports.limited" });
      const detail = JSON.stringify({ app, ...criteria });
      const facts = { action: "audit.export", subject: "audit-log", detail } as const;
      const logged = await context.ports.auditLog.append(
        auditEntryOf(context.ports, commandOf(context, ""), facts),
      );
      const query = { ...criteria, apps: visibleApps(context, app) };
      const rights = { permission: "audit.export", apps: query.apps } as const;
      return logged.map(() => ({
        body: guardedExport(context, request, rights, auditCsv(context.ports, query)),
        contentType: "text/csv; charset=utf-8",
        fileName: "audit.csv",
      }));
    },
  }),
];
