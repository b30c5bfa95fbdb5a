import { BILL_EXCEPTION_KINDS, REFUND_STATUSES } from "@tillkit/core";
import { ERROR_CATALOG, type FailureName } from "@tillkit/core/errors";
import { REFUND_APPROVAL_STATES } from "@tillkit/core/ports";
import { z } from "zod";
import { approvalFailure, unseenFailure } from "../approval-answer.js";
import { catalogFailure, type CliFailure, type ExitReason, failure } from "../failure.js";

/** Schema of why the server refused a request. */
export const serverErrorSchema = z.object({
  error: z.object({
    name: z.string(),
    message: z.string(),
    parameter: z.string().optional(),
    traceId: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .optional()
      .catch(undefined),
    activity: z
      .object({
        seen: z.int(),
        approvals: z.array(
          z.object({
            refundNo: z.string(),
            amount: z.int(),
            requestedBy: z.string(),
            state: z.enum(REFUND_APPROVAL_STATES),
          }),
        ),
        refunds: z.array(
          z.object({
            refundNo: z.string(),
            amount: z.int(),
            operator: z.string(),
            status: z.enum(REFUND_STATUSES),
          }),
        ),
        alarms: z.array(z.object({ type: z.string() })),
        exceptions: z.array(z.object({ kind: z.enum(BILL_EXCEPTION_KINDS), day: z.string() })),
      })
      .optional(),
  }),
});
/** Why the server refused a request. */
export type ServerError = z.output<typeof serverErrorSchema>["error"];

/** What to do if the server accepts the session no longer. */
const signInAgain = (server: string) => `Run \`tillkit login --server ${server}\`.`;

/** The exit reasons and texts for failures whose message in the page is only about the page. */
const TEXTS: Readonly<Record<string, readonly [ExitReason, (server: string) => string]>> = {
  "session.missing": [
    "refused",
    (server) => `You are not signed in to ${server}, or the session has ended. ${signInAgain(server)}`,
  ],
  "sign-in.elsewhere": [
    "refused",
    (server) =>
      `Operators sign in to this server by the single sign-on of the host. The command line cannot: use the page ${server}.`,
  ],
  "sign-in.needless": [
    "refused",
    (server) => `The host at ${server} needs no login: run the command with --server.`,
  ],
  "session.incomplete": ["refused", (server) => `The session is not complete. ${signInAgain(server)}`],
  "csrf.invalid": [
    "refused",
    (server) => `The server does not accept the stored session. ${signInAgain(server)}`,
  ],
  "password.must-change": ["refused", (server) => `Choose another password on the page first: ${server}`],
  "origin.forbidden": [
    "refused",
    () => "The server takes the command for a page of another site: check the proxy in front of the host.",
  ],
  "permission.denied": [
    "refused",
    () =>
      "Your role or your apps do not permit this action: ask an administrator. The guide of the command line lists the role of each command.",
  ],
  "app.unknown": ["refused", () => "There is no such app, or you do not see it: correct --app."],
  "change.running": [
    "unknown",
    () => "The server is still making this change. Look at the result, or repeat the command later.",
  ],
  "change.failed": ["refused", () => "This change failed, and nothing was changed. Repeat the command."],
  "storage.unavailable": [
    "unavailable",
    () => "The host cannot use its database now. Repeat the command later.",
  ],
  "alarm.not-open": ["refused", () => "The order has no open alarm."],
  "bill-exception.not-found": [
    "refused",
    () => "There is no exception with this id. `tillkit bills exceptions` lists the exceptions.",
  ],
  "bill-exception.not-open": ["refused", () => "The exception is no longer open."],
  "bill-exception.not-offered": [
    "refused",
    () =>
      "The exception cannot be closed in this way. `tillkit bills exceptions` lists what can be done about each exception.",
  ],
};

/** The failures of approvals whose message depends only on their name. */
const APPROVAL_FAILURES = [
  "refund.over-support-limit",
  "refund-approval.not-found",
  "refund-approval.own",
  "refund-approval.decided",
  "refund-approval.rejected",
] as const;

/**
 * Creates the failure for a refused request: the reason, and what to do.
 *
 * If the cause is in the log of the host, the message has the trace id of the log lines.
 */
export function serverFailure(server: string, error: ServerError): CliFailure {
  const failed = failureOf(server, error);
  const isInLog = failed.exitReason === "unavailable" || failed.exitReason === "unknown";
  if (!isInLog || error.traceId === undefined) return failed;
  return { ...failed, message: `${failed.message} The log of the host has the traceId ${error.traceId}.` };
}

function failureOf(server: string, { name, message, parameter, activity }: ServerError): CliFailure {
  if (activity !== undefined) return unseenFailure(activity);
  const approval = APPROVAL_FAILURES.find((one) => one === name);
  if (approval !== undefined) return approvalFailure({ name: approval });
  const text = TEXTS[name];
  if (text !== undefined) return failure(text[0], name, text[1](server));
  if (isInCatalog(name)) return catalogFailure(name, message);
  const about = parameter === undefined ? "" : ` (${parameter})`;
  return failure("refused", name, `${message}${about}.`);
}

function isInCatalog(name: string): name is FailureName {
  return Object.hasOwn(ERROR_CATALOG, name);
}
