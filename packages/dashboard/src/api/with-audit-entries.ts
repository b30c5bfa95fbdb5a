import { type AuditFacts, auditEntryOf } from "@tillkit/core";
import type { Failure, StorageFailure } from "@tillkit/core/errors";
import { err, type Result, type ResultAsync } from "neverthrow";
import type { RouteContext } from "./route.js";

/**
 * Records a change before it begins, and once more if it failed.
 *
 * For changes that call a wallet: the process may die during the call, and the log then has the
 * entry. The timeline of the order has the result.
 */
export async function withAuditEntries<T>(
  { ports, identified, origin }: RouteContext,
  facts: Omit<AuditFacts, "outcome">,
  reason: string,
  change: () => ResultAsync<T, Failure>,
): Promise<Result<T, Failure | StorageFailure>> {
  const by = { operator: identified?.operator.name ?? "", reason, ...origin };
  const begun = await ports.auditLog.append(auditEntryOf(ports, by, facts));
  if (begun.isErr()) return err(begun.error);
  const result = await change();
  if (result.isErr()) {
    const detail = JSON.stringify({ failure: result.error.name });
    await ports.auditLog.append(auditEntryOf(ports, by, { ...facts, outcome: "failed", detail }));
  }
  return result;
}
