import { ok, okAsync, Result, type ResultAsync } from "neverthrow";
import type { App } from "../apps/app.js";
import type { StorageFailure } from "../errors/failure.js";
import { forbiddenIdentity } from "../orders/identity-rules.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { importLines } from "../apps/import-lines.js";
import { replacedDetail } from "../apps/replaced-record.js";
import type { AuditEntry } from "../audit/audit-entry.js";
import { auditEntryOf, besideChange, type OperatorCommand } from "../operators/operator-command.js";
import { appsOf, futureTime, type ImportOptions, type ImportOutcome } from "../apps/import-outcome.js";
import { type ImportedService, serviceLine } from "../services/imported-service.js";

type ImportServicesPorts = Pick<Ports, "apps" | "services" | "clock" | "digest" | "policy">;

/**
 * Stores timed services of another service's customers, each in one atomic step.
 *
 * Safe to retry and to run concurrently. An import changes a stored service only with
 * `replaceUntouched`. New orders of the same type extend an imported service, and a refund never
 * removes the imported time.
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
  ports: ImportServicesPorts,
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

/** Returns the key of the service. Lines with the same key are imported one after another. */
function keyOf({ appId, customerIdentity, serviceTypeNo }: ImportedService): string {
  return JSON.stringify([appId, customerIdentity, serviceTypeNo]);
}

function importOne(
  ports: ImportServicesPorts,
  input: ImportedService,
  options: ImportOptions,
  state: Map<string, string>,
): ResultAsync<ImportOutcome, StorageFailure> {
  return attempt(async () => {
    const { services, digest } = ports;
    const { dryRun = false, replaceUntouched } = options;
    const [key, line] = [keyOf(input), digest.sha256(serviceLine(input))];
    const earlier = state.get(key);
    if (earlier === line) return ok(UNCHANGED);
    if (earlier !== undefined) {
      if (replaceUntouched === undefined) return ok(OTHER_VALUES);
      state.set(key, line);
      return ok(REPLACED);
    }
    const current = await find(ports, input);
    if (current.isErr()) return current;
    if (current.value !== undefined) {
      const comparison = await compare(ports, current.value, input, options);
      // A later line is compared with what the run would have stored.
      if (dryRun && comparison.isOk() && comparison.value.outcome === "replaced") state.set(key, line);
      return comparison;
    }
    if (dryRun) {
      state.set(key, line);
      return ok(IMPORTED);
    }
    const result = await services.importOnce(input);
    if (result.isErr()) return result;
    const { outcome, service } = result.value;
    return outcome === "stored" ? ok(IMPORTED) : compare(ports, service, input, options);
  });
}

function find({ services }: Pick<Ports, "services">, input: ImportedService) {
  return services
    .list(input.appId, input.customerIdentity)
    .map((list) => list.find(({ serviceTypeNo }) => serviceTypeNo === input.serviceTypeNo));
}

/** Compares a stored service with its line, and replaces it if the options allow it. */
function compare(
  ports: ImportServicesPorts,
  start: ImportedService,
  input: ImportedService,
  { replaceUntouched: by, dryRun = false }: ImportOptions,
): ResultAsync<ImportOutcome, StorageFailure> {
  return attempt(async () => {
    let previous: ImportedService | undefined = start;
    for (;;) {
      if (previous !== undefined && serviceLine(previous) === serviceLine(input)) return ok(UNCHANGED);
      if (previous === undefined || by === undefined) return ok(OTHER_VALUES);
      const result = dryRun
        ? await ports.services.isUntouchedImport(previous)
        : await ports.services.replaceImported(previous, input, replacedAudit(ports, by, previous, input));
      if (result.isErr()) return result;
      if (result.value === true || result.value === "replaced") return ok(REPLACED);
      if (result.value !== "changed") return ok(TOUCHED);
      const current = await find(ports, input);
      if (current.isErr()) return current;
      previous = current.value;
    }
  });
}

/** The members of a line that contain no personal data. */
const OPEN_MEMBERS = ["serviceName", "expireTime", "gmtCreate"];

function replacedAudit(
  ports: Pick<Ports, "clock" | "digest">,
  by: OperatorCommand,
  previous: ImportedService,
  input: ImportedService,
): AuditEntry {
  const { appId, serviceTypeNo } = input;
  return auditEntryOf(ports, besideChange(by), {
    action: "service.replace",
    subject: `service:${appId}/${serviceTypeNo}`,
    appId,
    detail: replacedDetail(ports.digest, [serviceLine(previous), serviceLine(input)], OPEN_MEMBERS),
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
const REPLACED: ImportOutcome = { outcome: "replaced" };
const TOUCHED: ImportOutcome = { outcome: "conflict", reason: "touched" };
const OTHER_VALUES: ImportOutcome = { outcome: "conflict", reason: "other-values" };
