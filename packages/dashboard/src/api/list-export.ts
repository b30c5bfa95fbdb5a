import type { HttpRequest } from "@tillkit/core/http";
import { auditEntryOf, type Permission } from "@tillkit/core/operators";
import type { AuditAction } from "@tillkit/core/ports";
import { err, ok, type Result } from "neverthrow";
import type { ApiFailure } from "./api-failure.js";
import { commandOf, operatorName } from "./command-of.js";
import { guardedExport } from "./guarded-export.js";
import type { Streamed } from "./route.js";
import type { RouteContext } from "./route-context.js";

/** What an export contains. */
export interface ListExport {
  /** The permission, which is the action in the audit log, too. */
  readonly action: AuditAction & Permission;
  readonly subject: string;
  /** The app to which the filter limits the list. */
  readonly appId?: string | undefined;
  /** The filter, for the audit log. Contains no personal data. */
  readonly filter: object;
  /** The apps of the list. `undefined` means every app. */
  readonly apps: readonly string[] | undefined;
  readonly fileName: string;
  /** The lines of the file. */
  readonly lines: AsyncIterable<string>;
}

/**
 * Answers with a list as a CSV file, and records the export in the audit log.
 *
 * Fails with `exports.limited` if the operator has too many exports running.
 */
export async function listExport(
  context: RouteContext,
  request: HttpRequest,
  { action, subject, appId, filter, apps, fileName, lines }: ListExport,
): Promise<Result<Streamed, ApiFailure>> {
  if (context.exports.isFull(operatorName(context))) return err({ name: "exports.limited" });
  const facts = { action, subject, detail: JSON.stringify(filter) };
  const entry = auditEntryOf(
    context.ports,
    commandOf(context, ""),
    appId === undefined ? facts : { ...facts, appId },
  );
  const logged = await context.ports.auditLog.append(entry);
  if (logged.isErr()) return err(logged.error);
  return ok({
    body: guardedExport(context, request, { permission: action, apps }, lines),
    contentType: "text/csv; charset=utf-8",
    fileName,
  });
}
