import { ok, type Result } from "neverthrow";
import type { AuditAction } from "../audit/audit-action.js";
import type { AuditEntry, AuditEvent, ChangeRef } from "../audit/audit-entry.js";
import type { AuditLog } from "../audit/audit-log.js";
import type { StorageFailure } from "../errors/failure.js";
import type { Clock } from "../shared/clock.js";

/** Who does something, why and from where. */
export interface OperatorCommand {
  /** The name of the operator. */
  readonly operator: string;
  readonly reason: string;
  /** The address of the peer, `cli` or `host`. */
  readonly from: string;
  /** Empty for a command of the command line. */
  readonly traceId: string;
  /** The change that the operator asked for. Absent for a command of the command line. */
  readonly change?: ChangeRef;
  /**
   * Returns whether the audit log may get one more refusal of the operator. Defaults to true.
   *
   * A refused command changes nothing, so an operator must not fill the log with refused commands.
   */
  readonly mayRecordRefusal?: () => Promise<boolean>;
  /** Receives the entry of the command after `audited` has appended it. Must not throw. */
  readonly onRecorded?: (entry: AuditEvent) => void;
}

/** Where a request or command comes from. */
export type Origin = Pick<OperatorCommand, "from" | "traceId" | "change" | "mayRecordRefusal" | "onRecorded">;

/** The facts of an audit entry that its command does not contain. */
export type AuditFacts = Pick<AuditEntry, "subject" | "appId" | "detail"> & {
  readonly action: AuditAction;
  /** Defaults to `done`. */
  readonly outcome?: AuditEntry["outcome"];
};

/**
 * Returns the audit entry of a command at the current time.
 *
 * @returns the entry, for `auditLog.append` or the parameter `audit` of a store.
 * @example
 * ```ts
 * import { auditEntryOf } from "@tillkit/core/operators";
 *
 * const by = { operator: "li", reason: "customer asked", from: "192.0.2.1", traceId: "" };
 * const audit = auditEntryOf(ports, by, { action: "order.sync", subject: "order:app_1/biz-1" });
 * ```
 */
export function auditEntryOf(
  { clock }: { readonly clock: Clock },
  { operator, reason, from, traceId, change }: OperatorCommand,
  facts: AuditFacts,
): AuditEntry {
  const entry = { at: clock.now(), operator, outcome: "done", reason, from, traceId, ...facts } as const;
  return change === undefined ? entry : { ...entry, change };
}

/** Appends the entry of a refused command, unless `by.mayRecordRefusal` returns false. */
export async function appendRefusal(
  ports: { readonly clock: Clock; readonly auditLog: Pick<AuditLog, "append"> },
  by: OperatorCommand,
  facts: Omit<AuditFacts, "outcome">,
): Promise<Result<unknown, StorageFailure>> {
  const { mayRecordRefusal = async () => true } = by;
  if (!(await mayRecordRefusal())) return ok(undefined);
  return ports.auditLog.append(auditEntryOf(ports, by, { ...facts, outcome: "refused" }));
}

/**
 * Returns a command without its change, for a further entry beside the entry of the change.
 *
 * @returns the command without its change.
 */
export function besideChange({ operator, reason, from, traceId }: OperatorCommand): OperatorCommand {
  return { operator, reason, from, traceId };
}

/** Like {@link auditEntryOf}, but returns `undefined` if there is no command. */
export function auditEntryIfAny(
  ports: { readonly clock: Clock },
  by: OperatorCommand | undefined,
  facts: AuditFacts,
): AuditEntry | undefined {
  return by && auditEntryOf(ports, by, facts);
}
