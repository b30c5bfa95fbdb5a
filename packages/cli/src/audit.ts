import { audited, type AuditedPorts, type AuditFacts, type OperatorCommand } from "@tillkit/core/operators";
import { isBlank } from "@tillkit/core/text";
import { err, ok, type Result, type ResultAsync } from "neverthrow";
import { type CliFailure, coreFailure, usage } from "./failure.js";
import type { Io } from "./io.js";

/** The options of {@link AUDIT_OPTIONS}, as the user typed them. */
export interface AuditOptions {
  readonly operator?: string | undefined;
  readonly reason?: string | undefined;
}

/**
 * Returns who runs a command, and why, for the audit log.
 *
 * Without `--operator`, the operator is `TILLKIT_OPERATOR`, or the user name on this machine.
 */
export function commandOf(
  { env }: Pick<Io, "env">,
  { operator, reason = "" }: AuditOptions,
): Result<OperatorCommand, CliFailure> {
  const name =
    operator ?? [env["TILLKIT_OPERATOR"], env["USER"], env["LOGNAME"], env["USERNAME"]].find(Boolean) ?? "";
  if (operator === "" || (name !== "" && isBlank(name)) || !isLineTo(64, name))
    return err(
      usage(
        "The operator's name must have 1 to 64 characters, in one line: correct --operator or TILLKIT_OPERATOR.",
      ),
    );
  if (!isLineTo(200, reason))
    return err(usage("The reason must have at most 200 characters, in one line: correct --reason."));
  return ok({ operator: name, reason, from: "cli", traceId: "" });
}

/**
 * The origin of this program's commands in the audit log.
 *
 * For functions of core whose input contains the operator.
 */
export const FROM_CLI = { from: "cli", traceId: "" } as const;

/** Like `audited` of core, for work that fails with failures of this program. */
export function auditedCommand<T>(
  ports: AuditedPorts,
  by: OperatorCommand,
  facts: AuditFacts,
  work: () => ResultAsync<T, CliFailure>,
  detailOf?: (value: T) => string,
): ResultAsync<T, CliFailure> {
  return audited(ports, by, facts, work, detailOf).mapErr((problem) =>
    "exitReason" in problem ? problem : coreFailure(problem),
  );
}

/** Returns the facts of the audit entry of a command about one order. */
export function orderFacts(
  action: AuditFacts["action"],
  { app, bizNo }: { readonly app: string; readonly bizNo: string },
  detail?: Readonly<Record<string, string | number>>,
): AuditFacts {
  const facts = { action, subject: `order:${app}/${bizNo}`, appId: app };
  return detail === undefined ? facts : { ...facts, detail: JSON.stringify(detail) };
}

function isLineTo(length: number, text: string): boolean {
  return [...text].length <= length && !/\p{Cc}/u.test(text);
}
