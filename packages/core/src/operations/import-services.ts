import { ok, okAsync, Result, type ResultAsync } from "neverthrow";
import type { App } from "../apps/app.js";
import type { StorageFailure } from "../errors/failure.js";
import { forbiddenIdentity } from "../orders/identity-rules.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { appsOf, futureTime, type ImportOptions, type ImportOutcome } from "../apps/import-outcome.js";
import { type ImportedService, serviceLine } from "../services/imported-service.js";

/**
 * Stores timed services of another service's customers, each in one atomic step.
 *
 * Safe to retry and to run concurrently: an import does not change a stored service. New orders of
 * the same type extend an imported service, and a refund never removes the imported time.
 *
 * @param inputs - one batch, for example of 500 services.
 * @returns one outcome per input, in the order of `inputs`.
 * @example
 * ```ts
 * import { importedServiceInput, importServices, parseInput } from "@tillkit/core";
 *
 * declare const line: Record<string, unknown>;
 *
 * const service = parseInput(importedServiceInput(ports.policy), line);
 * const outcomes = await service.asyncAndThen((input) => importServices(ports, [input]));
 * ```
 * @see {@link
 *   https://github.com/tillkit/tillkit/blob/main/docs/decisions/moving-an-existing-service.md |
 *   An app keeps its credentials, and old records are imported}
 */
export function importServices(
  ports: Pick<Ports, "apps" | "services" | "clock" | "policy">,
  inputs: readonly ImportedService[],
  { dryRun = false }: ImportOptions = {},
): ResultAsync<readonly ImportOutcome[], StorageFailure> {
  return attempt(async () => {
    const apps = await appsOf(ports, inputs);
    if (apps.isErr()) return apps;
    // Later lines of the batch with the same key are compared with this service.
    const first = new Map<string, ImportedService>();
    const results = await Promise.all(
      inputs.map((input) => {
        const refusal = refusalOf(ports, input, apps.value.get(input.appId));
        if (refusal !== undefined) return okAsync(refusal);
        const key = JSON.stringify([input.appId, input.customerIdentity, input.serviceTypeNo]);
        const earlier = first.get(key);
        if (earlier !== undefined) return okAsync(compared(earlier, input, "unchanged"));
        first.set(key, input);
        return importOne(ports, input, dryRun);
      }),
    );
    return Result.combine(results);
  });
}

function importOne(
  { services }: Pick<Ports, "services">,
  input: ImportedService,
  dryRun: boolean,
): ResultAsync<ImportOutcome, StorageFailure> {
  return attempt(async () => {
    const stored = await services.list(input.appId, input.customerIdentity);
    if (stored.isErr()) return stored;
    const known = stored.value.find(({ serviceTypeNo }) => serviceTypeNo === input.serviceTypeNo);
    if (known !== undefined) return ok(compared(known, input, "unchanged"));
    if (dryRun) return ok<ImportOutcome>({ outcome: "imported" });
    return services.insertOnce(input).map((service) => compared(service, input, "imported"));
  });
}

function refusalOf(
  { clock, policy }: Pick<Ports, "clock" | "policy">,
  service: ImportedService,
  app: App | undefined,
): ImportOutcome | undefined {
  if (app === undefined) return { outcome: "unknown-app" };
  const future = futureTime(service, ["gmtCreate"], clock.now());
  if (future !== undefined) return future;
  const isForbidden = forbiddenIdentity(app, service, policy) !== undefined;
  return isForbidden ? { outcome: "forbidden-identity" } : undefined;
}

function compared(
  stored: ImportedService,
  input: ImportedService,
  equal: "imported" | "unchanged",
): ImportOutcome {
  return serviceLine(stored) === serviceLine(input)
    ? { outcome: equal }
    : { outcome: "conflict", reason: "other-values" };
}
