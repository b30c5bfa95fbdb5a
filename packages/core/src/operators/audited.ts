import { type Result, ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { type AuditFacts, auditEntryOf, type OperatorCommand } from "./operator-command.js";

/**
 * Appends the entry of a command to the audit log, and then runs it.
 *
 * For what cannot be stored in the transaction of the entry, such as calls of a wallet and files:
 * if the process dies meanwhile, the log has the entry. If `work` fails, another entry has the
 * outcome `failed`.
 *
 * @returns the result of `work`. Fails with `storage.unavailable`, and does not run `work`, if the
 *   entry cannot be stored.
 * @example
 * ```ts
 * import { audited, syncOrder } from "@tillkit/core";
 *
 * const by = { operator: "li", reason: "the customer calls", from: "192.0.2.1", traceId: "" };
 * const facts = { action: "order.sync", subject: "order:app_1/biz-1", appId: "app_1" } as const;
 * const synced = await audited(ports, by, facts, () => syncOrder(ports, "app_1", "biz-1"));
 * ```
 */
export function audited<T, E extends { readonly name: string }>(
  ports: Pick<Ports, "auditLog" | "clock">,
  by: OperatorCommand,
  facts: Omit<AuditFacts, "outcome">,
  work: () => ResultAsync<T, E>,
): ResultAsync<T, E | StorageFailure> {
  const append = (outcome: Pick<AuditFacts, "outcome" | "detail">) =>
    ports.auditLog.append(auditEntryOf(ports, by, { ...facts, ...outcome }));
  const run = async (): Promise<Result<T, E>> => {
    const done = await work();
    if (done.isErr()) {
      const detail = JSON.stringify({ failure: done.error.name });
      // The failure of the work is the one to report, also if the log fails now.
      await append({ outcome: "failed", detail }).unwrapOr(undefined);
    }
    return done;
  };
  return append({}).andThen(() => new ResultAsync(run()));
}
