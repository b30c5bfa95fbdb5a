import { AUDIT_ACTIONS, AUDIT_OUTCOMES, type AuditEvent } from "@tillkit/core";
import * as z from "zod";
import { visibleApps } from "../visible-apps.js";
import { singleLineText } from "../single-line-text.js";
import { pageLimit, queryNumber } from "../query-input.js";
import { operatorRoute } from "../route.js";

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
    hash: z.string(),
  })
  .meta({ id: "AuditRow" });

function rowOf({ previousHash: _previous, ...event }: AuditEvent): z.output<typeof auditRow> {
  return event;
}

/** The endpoints of the audit log. */
export const auditRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/audit",
    allowed: "audit.read",
    input: () =>
      z.object({
        operator: singleLineText(64).optional(),
        action: z.enum(AUDIT_ACTIONS).optional(),
        outcome: z.enum(AUDIT_OUTCOMES).optional(),
        app: singleLineText(64).optional(),
        subject: singleLineText(200).optional(),
        from: queryNumber().optional(),
        until: queryNumber().optional(),
        before: queryNumber().optional(),
        limit: pageLimit(),
      }),
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
];
