import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { AuditEntry } from "../audit/audit-entry.js";
import { fail, type FailureOf, type StorageFailure, type StorageFailureName } from "../errors/failure.js";
import { auditEntryIfAny, type AuditFacts, type OperatorCommand } from "../operators/operator-command.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { type InputFailure, lazySchema, parseInput, nonBlankText } from "../shared/input.js";
import type { ServiceType } from "./service-type.js";

type ChangePorts = Pick<Ports, "serviceTypes" | "clock">;
type ChangeFailure = FailureOf<"service-type.unknown" | StorageFailureName>;

const nameInput = lazySchema(() => z.object({ serviceName: nonBlankText(64) }));

/**
 * Changes the name of a service type, which customers read.
 *
 * Stored orders and services keep the name under which they were sold, also if a later order
 * extends the service.
 *
 * @param serviceName - 1 to 64 characters.
 * @param by - the operator. If set, the audit log gets an entry in the same transaction.
 * @returns the changed type. Fails with `service-type.unknown` if it does not exist.
 * @example
 * ```ts
 * import { renameServiceType } from "@tillkit/core/operators";
 *
 * const renamed = await renameServiceType(ports, appId, "membership-30", "Premium, 30 days");
 * ```
 */
export function renameServiceType(
  ports: ChangePorts,
  appId: string,
  serviceTypeNo: string,
  serviceName: string,
  by?: OperatorCommand,
): ResultAsync<ServiceType, InputFailure | ChangeFailure> {
  return attempt(async () => {
    const parsed = parseInput(nameInput(), { serviceName });
    if (parsed.isErr()) return parsed;
    const name = parsed.value.serviceName;
    const detail = JSON.stringify({ serviceName: name });
    return changed(ports, appId, serviceTypeNo, by, { action: "service-type.rename", detail }, (audit) =>
      ports.serviceTypes.rename(appId, serviceTypeNo, name, audit),
    );
  });
}

/**
 * Stops the sale of a service type: a new order that names it fails with `service-type.retired`.
 *
 * Takes effect at once in every process. Open orders can still be paid, and customers keep and use
 * their services. Safe to retry: a retired type keeps the time at which it was retired.
 *
 * @param by - the operator. If set, the audit log gets an entry in the same transaction.
 * @returns the retired type. Fails with `service-type.unknown` if it does not exist.
 * @example
 * ```ts
 * import { retireServiceType } from "@tillkit/core/operators";
 *
 * const retired = await retireServiceType(ports, appId, "membership-30");
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/services.md |
 *   Timed services}
 */
export function retireServiceType(
  ports: ChangePorts,
  appId: string,
  serviceTypeNo: string,
  by?: OperatorCommand,
): ResultAsync<ServiceType, ChangeFailure> {
  return changed(ports, appId, serviceTypeNo, by, { action: "service-type.retire" }, (audit) =>
    ports.serviceTypes.retire(appId, serviceTypeNo, ports.clock.now(), audit),
  );
}

/**
 * Sells a retired service type again. Its number, name and duration stay as they are.
 *
 * Takes effect at once in every process. Safe to retry.
 *
 * @param by - the operator. If set, the audit log gets an entry in the same transaction.
 * @returns the restored type. Fails with `service-type.unknown` if it does not exist.
 * @example
 * ```ts
 * import { restoreServiceType } from "@tillkit/core/operators";
 *
 * const restored = await restoreServiceType(ports, appId, "membership-30");
 * ```
 */
export function restoreServiceType(
  ports: ChangePorts,
  appId: string,
  serviceTypeNo: string,
  by?: OperatorCommand,
): ResultAsync<ServiceType, ChangeFailure> {
  return changed(ports, appId, serviceTypeNo, by, { action: "service-type.restore" }, (audit) =>
    ports.serviceTypes.restore(appId, serviceTypeNo, audit),
  );
}

function changed(
  ports: ChangePorts,
  appId: string,
  serviceTypeNo: string,
  by: OperatorCommand | undefined,
  facts: Pick<AuditFacts, "action" | "detail">,
  change: (audit: AuditEntry | undefined) => ResultAsync<ServiceType | undefined, StorageFailure>,
): ResultAsync<ServiceType, ChangeFailure> {
  const subject = `service-type:${appId}/${serviceTypeNo}`;
  return change(auditEntryIfAny(ports, by, { ...facts, subject, appId })).andThen((type) =>
    type === undefined ? fail("service-type.unknown") : ok(type),
  );
}
