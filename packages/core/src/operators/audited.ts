import { err, ok, type ResultAsync } from "neverthrow";
import { detailWithFailure, outcomeOfFailure } from "../audit/recorded-failure.js";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { newId } from "../shared/random.js";
import { type AuditFacts, auditEntryOf, type OperatorCommand } from "./operator-command.js";

/**
 * How long a command may run before the log records its outcome as unknown, in milliseconds.
 *
 * Long, because an import of many orders is one command.
 */
const COMMAND_LEASE = 24 * 60 * 60_000;

/** The ports that {@link audited} uses. */
export type AuditedPorts = Pick<Ports, "auditLog" | "clock" | "random">;

/**
 * Runs a command that has more steps than one transaction, and appends its entry to the audit log.
 *
 * For calls of a wallet, imports and exports. The function first stores that the command has begun.
 * If the process dies meanwhile, housekeeping appends an entry with the outcome `unknown`.
 * Otherwise the command has exactly one entry with its outcome, appended after `work`. If
 * `by.change` is set, the caller has already stored that the command has begun.
 *
 * @param detailOf - returns the detail of the entry from the value of `work`. Defaults to
 *   `facts.detail`.
 * @param isNothing - returns whether `work` changed nothing and the caller begins again. The
 *   command then gets no entry.
 * @returns the result of `work`. Fails with `storage.unavailable`, and does not run `work`, if the
 *   beginning cannot be stored. Fails with `storage.unavailable` after `work`, if the entry cannot
 *   be stored: repeat the command.
 * @example
 * ```ts
 * import { syncOrder } from "@tillkit/core";
 * import { audited } from "@tillkit/core/operators";
 *
 * const by = { operator: "li", reason: "the customer calls", from: "192.0.2.1", traceId: "" };
 * const facts = { action: "order.sync", subject: "order:app_1/biz-1", appId: "app_1" } as const;
 * const synced = await audited(ports, by, facts, () => syncOrder(ports, "app_1", "biz-1"));
 * ```
 */
export function audited<T, E extends { readonly name: string }>(
  ports: AuditedPorts,
  by: OperatorCommand,
  facts: Omit<AuditFacts, "outcome">,
  work: () => ResultAsync<T, E>,
  detailOf?: (value: T) => string,
  isNothing: (value: T) => boolean = () => false,
): ResultAsync<T, E | StorageFailure> {
  return attempt(async () => {
    const command = await begin(ports, by, facts);
    if (command.isErr()) return err<T, E | StorageFailure>(command.error);
    const result = await work();
    if (result.isOk() && isNothing(result.value)) {
      // If the caller began the change, the caller ends it.
      const own = by.change === undefined ? command.value.change : undefined;
      if (own === undefined) return ok(result.value);
      const withdrawal = await ports.auditLog.withdraw(by.operator, own.id);
      return withdrawal.map(() => result.value);
    }
    const detail = result.isOk() && detailOf !== undefined ? { detail: detailOf(result.value) } : {};
    const outcome = result.isOk() ? detail : failureFacts(result.error, facts);
    const entry = auditEntryOf(ports, command.value, { ...facts, ...outcome });
    const appended = await ports.auditLog.append(entry);
    if (appended.isOk()) by.onRecorded?.(appended.value);
    // The failure of the work is the one to report, also if the log fails now.
    if (result.isErr()) return err<T, E | StorageFailure>(result.error);
    return appended.isErr() ? err<T, E | StorageFailure>(appended.error) : ok(result.value);
  });
}

/** Stores that the command has begun, and returns the command with its change. */
function begin(ports: AuditedPorts, by: OperatorCommand, facts: Omit<AuditFacts, "outcome">) {
  return attempt(async () => {
    if (by.change !== undefined) return ok(by);
    const command = { ...by, change: { id: newId(ports), digest: "" } };
    const { outcome: _none, ...draft } = auditEntryOf(ports, command, facts);
    const leaseUntil = draft.at + COMMAND_LEASE;
    const change = { draft: { ...draft, change: command.change }, leaseUntil };
    const beginning = await ports.auditLog.begin(change, draft.at);
    return beginning.isErr() ? beginning : ok(command);
  });
}

/** Returns the outcome of a change that failed, and its detail. */
function failureFacts(
  failure: { readonly name: string },
  { action, detail }: Pick<AuditFacts, "action" | "detail">,
): Pick<AuditFacts, "outcome" | "detail"> {
  // An export changes nothing, so its outcome after a failure is never `unknown`.
  const outcome = action.endsWith(".export") ? "failed" : outcomeOfFailure(failure);
  return { outcome, detail: detailWithFailure(failure, detail) };
}
