import { ok, okAsync, Result, type ResultAsync } from "neverthrow";
import type { App } from "../apps/app.js";
import type { StorageFailure } from "../errors/failure.js";
import { forbiddenIdentity } from "../orders/identity-rules.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { importLines } from "../apps/import-lines.js";
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
  ports: Pick<Ports, "apps" | "services" | "clock" | "digest" | "policy">,
  inputs: readonly ImportedService[],
  options: ImportOptions = {},
): ResultAsync<readonly ImportOutcome[], StorageFailure> {
  return attempt(async () => {
    const apps = await appsOf(ports, inputs);
    if (apps.isErr()) return apps;
    const state = options.dryRunState ?? new Map<string, string>();
    const importTogether = (services: readonly ImportedService[]) =>
      attempt(async () =>
        Result.combine(
          await Promise.all(
            services.map((service) => {
              const refusal = refusalOf(ports, service, apps.value.get(service.appId));
              return refusal === undefined
                ? importOne(ports, service, options, state)
                : okAsync<ImportOutcome, StorageFailure>(refusal);
            }),
          ),
        ),
      );
    return importLines(inputs, (service) => [keyOf(service)], importTogether);
  });
}

/** What no two lines may share while they are imported. */
function keyOf({ appId, customerIdentity, serviceTypeNo }: ImportedService): string {
  return JSON.stringify([appId, customerIdentity, serviceTypeNo]);
}

function importOne(
  { services, digest }: Pick<Ports, "services" | "digest">,
  input: ImportedService,
  { dryRun = false }: ImportOptions,
  state: Map<string, string>,
): ResultAsync<ImportOutcome, StorageFailure> {
  return attempt(async () => {
    const [key, line] = [keyOf(input), digest.sha256(serviceLine(input))];
    const earlier = state.get(key);
    if (earlier !== undefined) return ok(earlier === line ? UNCHANGED : OTHER_VALUES);
    const listed = await services.list(input.appId, input.customerIdentity);
    if (listed.isErr()) return listed;
    const known = listed.value.find(({ serviceTypeNo }) => serviceTypeNo === input.serviceTypeNo);
    if (known !== undefined) return ok(compared(known, input));
    if (dryRun) {
      state.set(key, line);
      return ok(IMPORTED);
    }
    const stored = await services.importOnce(input);
    return stored.map(({ outcome, service }) => (outcome === "stored" ? IMPORTED : compared(service, input)));
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
  const rule = forbiddenIdentity(app, service, policy);
  return rule === undefined ? undefined : { outcome: "forbidden-identity", rule };
}

const IMPORTED: ImportOutcome = { outcome: "imported" };
const UNCHANGED: ImportOutcome = { outcome: "unchanged" };
const OTHER_VALUES: ImportOutcome = { outcome: "conflict", reason: "other-values" };

function compared(stored: ImportedService, input: ImportedService): ImportOutcome {
  return serviceLine(stored) === serviceLine(input) ? UNCHANGED : OTHER_VALUES;
}
