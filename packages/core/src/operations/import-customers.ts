import { err, ok, Result, type ResultAsync } from "neverthrow";
import type { App } from "../apps/app.js";
import type { StorageFailure } from "../errors/failure.js";
import { forbiddenIdentity } from "../orders/identity-rules.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
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
  { dryRun = false }: ImportOptions = {},
): ResultAsync<readonly ImportOutcome[], StorageFailure> {
  return attempt(async () => {
    const apps = await appsOf(ports, inputs);
    if (apps.isErr()) return apps;
    // Later lines of the batch with the same phone number are compared with this customer id.
    const first = new Map<string, string>();
    const outcomes: Promise<Result<ImportOutcome, StorageFailure>>[] = [];
    for (const input of inputs) {
      const checked = checkedHashes(ports, input, apps.value.get(input.appId));
      if (checked.isErr()) {
        outcomes.push(Promise.resolve(ok(checked.error)));
        continue;
      }
      const key = JSON.stringify([input.appId, checked.value[0]]);
      const earlier = first.get(key);
      first.set(key, earlier ?? input.customerId);
      outcomes.push(
        earlier === undefined
          ? importOne(ports, input, checked.value, dryRun)
          : Promise.resolve(ok(compared(earlier, input, "unchanged"))),
      );
    }
    return Result.combine(await Promise.all(outcomes));
  });
}

type Hashes = readonly [current: string, ...older: string[]];

async function importOne(
  { sessions }: Pick<Ports, "sessions">,
  input: ImportedCustomer,
  hashes: Hashes,
  dryRun: boolean,
): Promise<Result<ImportOutcome, StorageFailure>> {
  const { appId, customerId, gmtCreate } = input;
  const known = await sessions.findCustomer(appId, hashes);
  if (known.isErr()) return err(known.error);
  if (known.value !== undefined) return ok(compared(known.value, input, "unchanged"));
  if (dryRun) return ok({ outcome: "imported" });
  const stored = await sessions.identify(appId, hashes, customerId, gmtCreate);
  return stored.map((found) => compared(found, input, "imported"));
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
  if (forbiddenIdentity(app, { customerIdentity: customerId }, policy) !== undefined)
    return err({ outcome: "forbidden-identity" });
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

function compared(
  stored: string,
  { customerId }: ImportedCustomer,
  equal: "imported" | "unchanged",
): ImportOutcome {
  return stored === customerId ? { outcome: equal } : { outcome: "conflict", reason: "other-values" };
}
