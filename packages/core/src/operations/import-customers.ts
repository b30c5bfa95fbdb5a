import { err, ok, okAsync, Result, type ResultAsync } from "neverthrow";
import type { App } from "../apps/app.js";
import type { StorageFailure } from "../errors/failure.js";
import { forbiddenIdentity } from "../orders/identity-rules.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { importLines } from "../apps/import-lines.js";
import { appsOf, futureTime, type ImportOptions, type ImportOutcome } from "../apps/import-outcome.js";
import type { ImportedCustomer } from "../sessions/imported-customer.js";
import { phoneHashes, readMobileNo } from "../sessions/phone-hash.js";

type ImportCustomersPorts = Pick<Ports, "apps" | "sessions" | "clock" | "digest" | "policy">;

/**
 * Stores customers of another service with their ids, so that a login by phone finds them.
 *
 * Safe to retry and to run concurrently: a phone number keeps the customer that it already has.
 * Tillkit stores only keyed hashes of the phone number. Two numbers with the same `customerId`
 * belong to one customer.
 *
 * @param inputs - one batch, for example of 500 customers.
 * @returns one outcome per input, in the order of `inputs`.
 * @example
 * ```ts
 * import { importCustomers, importedCustomerInput, parseInput } from "@tillkit/core";
 *
 * declare const line: Record<string, unknown>;
 *
 * const customer = parseInput(importedCustomerInput(ports.policy), line);
 * const outcomes = await customer.asyncAndThen((input) => importCustomers(ports, [input]));
 * ```
 * @see {@link
 *   https://github.com/tillkit/tillkit/blob/main/docs/decisions/moving-an-existing-service.md |
 *   An app keeps its credentials, and old records are imported}
 */
export function importCustomers(
  ports: ImportCustomersPorts,
  inputs: readonly ImportedCustomer[],
  options: ImportOptions = {},
): ResultAsync<readonly ImportOutcome[], StorageFailure> {
  return attempt(async () => {
    const apps = await appsOf(ports, inputs);
    if (apps.isErr()) return apps;
    const lines = inputs.map((input) => ({
      input,
      checked: checkedHashes(ports, input, apps.value.get(input.appId)),
    }));
    const state = options.dryRunState ?? new Map<string, string>();
    return importLines(lines, namesOf, (together) =>
      attempt(async () =>
        Result.combine(
          await Promise.all(
            together.map(({ input, checked }) =>
              checked.isErr()
                ? okAsync<ImportOutcome, StorageFailure>(checked.error)
                : importOne(ports, input, checked.value, options, state),
            ),
          ),
        ),
      ),
    );
  });
}

type Hashes = readonly [current: string, ...older: string[]];

/** A line of the file, with the hashes of its phone number or the reason for its refusal. */
interface CustomerLine {
  readonly input: ImportedCustomer;
  readonly checked: Result<Hashes, ImportOutcome>;
}

/**
 * Returns each hash of the phone number.
 *
 * Lines with a common hash are imported one after another.
 */
function namesOf({ input, checked }: CustomerLine): readonly string[] {
  return checked.isErr() ? [] : checked.value.map((hash) => `${input.appId} ${hash}`);
}

function importOne(
  { sessions }: Pick<Ports, "sessions">,
  input: ImportedCustomer,
  hashes: Hashes,
  { dryRun = false }: ImportOptions,
  state: Map<string, string>,
): ResultAsync<ImportOutcome, StorageFailure> {
  return attempt(async () => {
    const { appId, customerId, gmtCreate } = input;
    const records = await sessions.findPhones(appId, hashes);
    if (records.isErr()) return records;
    const names = hashes.map((hash) => `${appId} ${hash}`);
    const existing =
      records.value[0]?.customerId ?? names.map((name) => state.get(name)).find((id) => id !== undefined);
    if (existing !== undefined) return ok(compared(existing, input));
    if (dryRun) {
      for (const name of names) state.set(name, customerId);
      return ok(IMPORTED);
    }
    const outcome = await sessions.importCustomer(appId, hashes, customerId, gmtCreate);
    return outcome.map((result) =>
      result.outcome === "stored" ? IMPORTED : compared(result.customerId, input),
    );
  });
}

function checkedHashes(
  { clock, digest, policy }: Pick<Ports, "clock" | "digest" | "policy">,
  customer: ImportedCustomer,
  app: App | undefined,
): Result<Hashes, ImportOutcome> {
  const { appId, mobileNo, phoneHash, customerId } = customer;
  if (app === undefined) return err({ outcome: "unknown-app" });
  const future = futureTime(customer, ["gmtCreate"], clock.now());
  if (future !== undefined) return err(future);
  const rule = forbiddenIdentity(app, { customerIdentity: customerId }, policy);
  if (rule !== undefined) return err({ outcome: "forbidden-identity", rule });
  if (phoneHash !== undefined) {
    const versions = digest.keyed("").map(versionOf);
    return versions.includes(versionOf(phoneHash)) ? ok([phoneHash]) : err({ outcome: "unknown-pepper" });
  }
  return readMobileNo(mobileNo ?? "", policy)
    .map((number) => phoneHashes(digest, appId, number))
    .mapErr((): ImportOutcome => ({ outcome: "wrong-number" }));
}

function versionOf(hash: string): string {
  return hash.slice(0, hash.indexOf(":"));
}

const IMPORTED: ImportOutcome = { outcome: "imported" };

function compared(existing: string, { customerId }: ImportedCustomer): ImportOutcome {
  return existing === customerId ? { outcome: "unchanged" } : { outcome: "conflict", reason: "other-values" };
}
