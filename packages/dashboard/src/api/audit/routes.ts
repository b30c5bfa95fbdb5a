import { AUDIT_ACTIONS, AUDIT_OUTCOMES, type AuditEvent } from "@tillkit/core";
import * as z from "zod";
import { line } from "../line-input.js";
import { operatorRoute } from "../route.js";

const MAX_PAGE = 100;

/** A number in a query, such as `limit=20`. */
const queryNumber = () =>
  z
    .string()
    .regex(/^\d{1,16}$/)
    .transform(Number)
    .refine(Number.isSafeInteger);

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
        operator: line(64).optional(),
        action: z.enum(AUDIT_ACTIONS).optional(),
        outcome: z.enum(AUDIT_OUTCOMES).optional(),
        app: line(64).optional(),
        subject: line(200).optional(),
        from: queryNumber().optional(),
        until: queryNumber().optional(),
        before: queryNumber().optional(),
        limit: queryNumber().pipe(z.int().min(1).max(MAX_PAGE)).default(50),
      }),
    response: () =>
      z.strictObject({
        items: z.array(auditRow).readonly(),
        older: z.int().optional().describe("The value of `before` for the next page. Absent at the end."),
      }),
    run: async ({ ports, identified }, { app, limit, ...criteria }) => {
      const visible = identified?.operator.apps;
      const asked = app === undefined ? visible : [app].filter((one) => visible?.includes(one) ?? true);
      const apps = asked === undefined ? {} : { apps: asked };
      const found = await ports.auditLog.search({ ...criteria, ...apps, limit: limit + 1 });
      return found.map((events) => {
        const items = events.slice(0, limit).map(rowOf);
        const older = events.length > limit ? items.at(-1)?.seq : undefined;
        return { value: { items, ...(older === undefined ? {} : { older }) } };
      });
    },
  }),
];
