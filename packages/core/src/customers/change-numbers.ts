import { err, ok, type Result, type ResultAsync } from "neverthrow";
import type { FailureOf, StorageFailure } from "../errors/failure.js";
import { auditEntryOf, type OperatorCommand } from "../operators/operator-command.js";
import type { Ports } from "../ports.js";
import { phoneHashes, readMobileNo } from "../sessions/phone-hash.js";
import type { CustomerRecord, PhoneMove } from "../sessions/session.js";
import { attempt } from "../shared/attempt.js";
import { customerSubject } from "./customer-subject.js";

/**
 * Why a phone number keeps its customer.
 *
 * - `number.unassigned`: the number has no customer, or its customer is not the given one.
 * - `number.taken`: the new number has another customer, so merge the two customers instead. Or the
 *   new number equals the old number.
 * - `customer.without-number`: a customer to merge has no number, or both ids are the same.
 * - `number.changed`: a number got another customer meanwhile, or the customer was erased.
 */
export interface NumberFailure {
  readonly name: "number.unassigned" | "number.taken" | "customer.without-number" | "number.changed";
}

/** What a change of phone numbers did. */
export interface ChangedNumbers {
  /** The customer who lost a number. */
  readonly customerId: string;
  /** The number of sessions of this customer that ended. */
  readonly sessions: number;
}

/** The ports that changes of phone numbers use. */
export type ChangeNumbersPorts = Pick<Ports, "clock" | "customerData" | "digest" | "policy" | "sessions">;

type Changed = ResultAsync<ChangedNumbers, NumberFailure | FailureOf<"mobile-no.invalid"> | StorageFailure>;

/** A change that a store makes in one step. */
interface Plan {
  readonly customerId: string;
  readonly moves: readonly PhoneMove[];
  /** The customer who gets a number. */
  readonly into?: string;
}

/**
 * Takes a phone number from its customer. The next login with it starts a new customer.
 *
 * For a number that now belongs to another person. All sessions of the customer end, because the
 * other person may have logged in. Orders and services stay with the customer. Appends an audit
 * entry without the number. If `customerId` is set, the number must belong to this customer.
 *
 * @returns the customer and the number of ended sessions. Fails with `number.unassigned` or
 *   `number.changed`.
 * @example
 * ```ts
 * import { detachNumber } from "@tillkit/core/operators";
 *
 * const by = { operator: "li", reason: "number was recycled", from: "192.0.2.1", traceId: "" };
 * const detached = await detachNumber(ports, "app_1", { mobileNo: "13800138000" }, by);
 * ```
 */
export function detachNumber(
  ports: ChangeNumbersPorts,
  appId: string,
  number: { readonly mobileNo: string; readonly customerId?: string },
  by: OperatorCommand,
): Changed {
  const { mobileNo, customerId } = number;
  return attempt(async () => {
    const hashes = hashesOf(ports, appId, mobileNo);
    if (hashes.isErr()) return hashes;
    const plan = () => planDetach(ports, appId, hashes.value, customerId);
    return change(ports, appId, "customer.detach-number", by, plan);
  });
}

/**
 * Gives a customer a new phone number in place of the old one.
 *
 * All sessions of the customer end: the customer logs in with the new number. Appends an audit
 * entry without the numbers. If `customerId` is set, the old number must belong to this customer.
 *
 * @returns the customer and the number of ended sessions. Fails with `number.unassigned` for the
 *   old number, with `number.taken` for a new number that has another customer or equals the old
 *   one, and with `number.changed`.
 * @example
 * ```ts
 * import { moveNumber } from "@tillkit/core/operators";
 *
 * const numbers = { from: "13800138000", to: "13900139000" };
 * const by = { operator: "li", reason: "new number", from: "192.0.2.1", traceId: "" };
 * const moved = await moveNumber(ports, "app_1", numbers, by);
 * ```
 */
export function moveNumber(
  ports: ChangeNumbersPorts,
  appId: string,
  numbers: { readonly from: string; readonly to: string; readonly customerId?: string },
  by: OperatorCommand,
): Changed {
  return attempt(async () => {
    const from = hashesOf(ports, appId, numbers.from);
    if (from.isErr()) return from;
    const to = hashesOf(ports, appId, numbers.to);
    if (to.isErr()) return to;
    const plan = (): ResultAsync<Plan, NumberFailure | StorageFailure> =>
      attempt(async () => {
        const detachment = await planDetach(ports, appId, from.value, numbers.customerId);
        if (detachment.isErr()) return detachment;
        const { customerId, moves } = detachment.value;
        const records = await ports.sessions.findPhones(appId, to.value);
        if (records.isErr()) return records;
        const isTaken = records.value.some((phone) => phone.customerId !== customerId);
        if (isTaken || from.value[0] === to.value[0])
          return err<Plan, NumberFailure>({ name: "number.taken" });
        const additions = to.value
          .filter((phoneHash) => !records.value.some((phone) => phone.phoneHash === phoneHash))
          .map((phoneHash) => ({ phoneHash, to: customerId }));
        return ok({ customerId, moves: [...moves, ...additions] });
      });
    return change(ports, appId, "customer.move-number", by, plan);
  });
}

/**
 * Gives the phone numbers of one customer to another customer of the app.
 *
 * For a person whom Tillkit stores as two customers, each with a phone number. All sessions of
 * `from` end, and logins with its numbers open sessions of `into`. Orders and services stay with
 * the id under which they were bought. To export or erase the person, do it for both ids. Appends
 * an audit entry.
 *
 * @returns the customer `from` and the number of ended sessions. Fails with
 *   `customer.without-number` or `number.changed`.
 * @example
 * ```ts
 * import { mergeCustomers } from "@tillkit/core/operators";
 *
 * const by = { operator: "li", reason: "one person", from: "192.0.2.1", traceId: "" };
 * const merged = await mergeCustomers(ports, "app_1", { from: "cus_2", into: "cus_1" }, by);
 * ```
 */
export function mergeCustomers(
  ports: ChangeNumbersPorts,
  appId: string,
  customers: { readonly from: string; readonly into: string },
  by: OperatorCommand,
): Changed {
  const { from, into } = customers;
  const phonesOf = (customerId: string) =>
    ports.customerData.readLogin({ appId, customerId, phoneHashes: [] }).map(({ phones }) => phones);
  const plan = (): ResultAsync<Plan, NumberFailure | StorageFailure> =>
    attempt(async () => {
      const [losing, getting] = [await phonesOf(from), await phonesOf(into)];
      if (losing.isErr()) return losing;
      if (getting.isErr()) return getting;
      if (from === into || losing.value.length === 0 || getting.value.length === 0)
        return err<Plan, NumberFailure>({ name: "customer.without-number" });
      const moves = losing.value.map(({ phoneHash }) => ({ phoneHash, from, to: into }));
      return ok({ customerId: from, into, moves });
    });
  return change(ports, appId, "customer.merge", by, plan);
}

function hashesOf(
  { digest, policy }: Pick<Ports, "digest" | "policy">,
  appId: string,
  mobileNo: string,
): Result<readonly string[], FailureOf<"mobile-no.invalid">> {
  return readMobileNo(mobileNo, policy).map((number) => phoneHashes(digest, appId, number));
}

/** Plans to take a number from its customer. If `owner` is given, the customer must be `owner`. */
function planDetach(
  { sessions }: Pick<Ports, "sessions">,
  appId: string,
  hashes: readonly string[],
  owner: string | undefined,
): ResultAsync<Plan, NumberFailure | StorageFailure> {
  return attempt(async () => {
    const phones = await sessions.findPhones(appId, hashes);
    if (phones.isErr()) return phones;
    const [first] = phones.value;
    return first === undefined || (owner !== undefined && first.customerId !== owner)
      ? err<Plan, NumberFailure>({ name: "number.unassigned" })
      : ok({ customerId: first.customerId, moves: phones.value.map(takenFrom) });
  });
}

function takenFrom({ phoneHash, customerId }: CustomerRecord): PhoneMove {
  return { phoneHash, from: customerId };
}

/** Makes a planned change, and appends its audit entry in the same step. */
function change(
  ports: ChangeNumbersPorts,
  appId: string,
  action: "customer.detach-number" | "customer.move-number" | "customer.merge",
  by: OperatorCommand,
  plan: () => ResultAsync<Plan, NumberFailure | StorageFailure>,
): Changed {
  return attempt(async () => {
    const outcome = await plan();
    if (outcome.isErr()) return outcome;
    const { customerId, moves, into } = outcome.value;
    const subject = customerSubject(appId, customerId);
    const detail = into === undefined ? {} : { detail: JSON.stringify({ into }) };
    const audit = auditEntryOf(ports, by, { action, subject, appId, ...detail });
    const moved = await ports.sessions.movePhones(appId, moves, audit.at, audit);
    if (moved.isErr()) return moved;
    if (moved.value === undefined) return err<never, NumberFailure>({ name: "number.changed" });
    return ok({ customerId, sessions: moved.value });
  });
}
