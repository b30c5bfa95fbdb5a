import { ok, okAsync, type ResultAsync } from "neverthrow";
import type { FailureOf, StorageFailure } from "../errors/failure.js";
import { audited } from "../operators/audited.js";
import type { OperatorCommand } from "../operators/operator-command.js";
import { ERASED_TEXTS, type ErasedText } from "../orders/event-details.js";
import { keyOf, type Order, type OrderKey } from "../orders/order.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { customerSubject } from "./customer-subject.js";
import { proofsOf } from "./find-erasures.js";
import { type CustomerRef, findCustomer, type FindCustomerPorts } from "./find-customer.js";
import {
  type ErasureMark,
  type InFlightReason,
  type OrderErasure,
  planOrderErasure,
} from "./order-erasure.js";
import { type OrderDataPorts, readOrderData, visitOrders } from "./orders-of-customer.js";

/** An order whose texts are still needed. */
export interface OrderInFlight {
  readonly bizNo: string;
  readonly because: readonly InFlightReason[];
}

/** What an erasure removed, or what it would remove. */
export interface CustomerErasure {
  readonly customerIdentities: readonly string[];
  /** The number of stored hashes of phone numbers. */
  readonly phones: number;
  readonly codes: number;
  /** The number of counters of SMS. */
  readonly counters: number;
  readonly sessions: number;
  /** The number of orders whose texts were erased. */
  readonly orders: number;
  /** For each kind of text, the number of orders from which it was erased. */
  readonly texts: Readonly<Record<ErasedText, number>>;
  /** The number of notes of operators about differences of bills. */
  readonly notes: number;
  /** The orders that keep their texts for now. Erase the customer again when they have ended. */
  readonly inFlight: readonly OrderInFlight[];
}

/** The ports that {@link previewErasure} uses. */
export type PreviewErasurePorts = FindCustomerPorts & OrderDataPorts;

/** The ports that {@link eraseCustomer} uses. */
export type EraseCustomerPorts = FindCustomerPorts & Pick<Ports, "auditLog" | "clock" | "orders" | "random">;

/**
 * Returns what {@link eraseCustomer} would erase now. Changes nothing.
 *
 * @returns the numbers, and the orders that are in flight.
 * @example
 * ```ts
 * import { previewErasure } from "@tillkit/core/operators";
 *
 * const preview = await previewErasure(ports, "app_1", { customerIdentity: "customer-7" });
 * ```
 */
export function previewErasure(
  ports: PreviewErasurePorts,
  appId: string,
  ref: CustomerRef,
): ResultAsync<CustomerErasure, FailureOf<"mobile-no.invalid"> | StorageFailure> {
  return attempt(async () => {
    const customer = await findCustomer(ports, appId, ref);
    if (customer.isErr()) return customer;
    const { identities, login } = customer.value;
    const orders = orderTally();
    const visit = await visitOrders(ports, appId, identities, (order) =>
      readOrderData(ports, order).map((data) => {
        const withNote = data.billExceptions.filter(({ note = "" }) => note !== "");
        orders.add(order, planOrderErasure(data), withNote.length);
      }),
    );
    if (visit.isErr()) return visit;
    return ok({
      customerIdentities: identities,
      phones: login.phones.length,
      codes: login.codes.length,
      counters: login.counters.length,
      sessions: login.sessions.length,
      ...orders.result(),
    });
  });
}

/**
 * Erases what is personal about a customer of an app, and keeps the record of the money.
 *
 * Removes the hash of the phone number, codes, counters and sessions. From each order that is not
 * in flight, removes `customerName`, `attachData`, the id at the wallet and the options of the
 * wallet request. Also removes what operators wrote about the order, its refunds and its
 * differences to bills. Amounts, numbers, times, the identity, services and the hash chains stay.
 *
 * Erases each order in one step, and then the notes about its differences. After all orders, erases
 * the login in one step. If the process dies meanwhile, call this function again: what is erased
 * stays erased. A repeated call erases only what remains, such as orders that were in flight.
 *
 * Appends one entry to the audit log, with numbers and with a keyed digest of each erased hash of a
 * phone number: see {@link findErasures}.
 *
 * @param by - who erases, and why. The reason must not name the customer.
 * @returns what it erased, and the orders that are in flight.
 * @example
 * ```ts
 * import { eraseCustomer } from "@tillkit/core/operators";
 *
 * const by = { operator: "li", reason: "request 42", from: "192.0.2.1", traceId: "" };
 * const erased = await eraseCustomer(ports, "app_1", { customerIdentity: "customer-7" }, by);
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/personal-data.md |
 *   Orders are checked for personal data, and customers can be erased}
 */
export function eraseCustomer(
  ports: EraseCustomerPorts,
  appId: string,
  ref: CustomerRef,
  by: OperatorCommand,
): ResultAsync<CustomerErasure, FailureOf<"mobile-no.invalid"> | StorageFailure> {
  return attempt(async () => {
    const customer = await findCustomer(ports, appId, ref);
    if (customer.isErr()) return customer;
    const { identities, subject } = customer.value;
    const [identity = "", ...others] = identities;
    const facts = {
      action: "customer.erase",
      subject: customerSubject(appId, identity),
      appId,
    } as const;
    const mark = { at: ports.clock.now(), actor: `operator:${by.operator}` };
    const erase = (): ResultAsync<Erased, StorageFailure> =>
      attempt(async () => {
        const orders = orderTally();
        const visit = await visitOrders(ports, appId, identities, (order) =>
          eraseOrder(ports, order, mark).map(
            ({ erased, notes }) => erased && orders.add(order, erased, notes),
          ),
        );
        if (visit.isErr()) return visit;
        const { phoneHashes: hashes } = subject;
        // Only the customers whose orders were visited: the number may have another owner by now.
        const erasing = { appId, customerIds: identities, phoneHashes: hashes };
        const login = await ports.customerData.eraseLogin(erasing, mark.at);
        if (login.isErr()) return login;
        const { phoneHashes, clearedHashes, codes, counters, sessions } = login.value;
        const counts = { phones: phoneHashes.length, codes, counters, sessions, ...orders.result() };
        return ok({
          erasure: { customerIdentities: identities, ...counts },
          proofs: clearedHashes.map((hash) => proofsOf(ports.digest, hash)[0]),
          others,
        });
      });
    const outcome = await audited(ports, by, facts, erase, detailOf);
    return outcome.map(({ erasure }) => erasure);
  });
}

/**
 * Erases the texts of an order and the notes about its differences.
 *
 * An order in flight keeps both. The notes are stored apart from the order. If the process dies
 * before their erasure, the next erasure of the customer finds them.
 */
function eraseOrder(
  { customerData }: Pick<Ports, "customerData">,
  order: Order,
  mark: ErasureMark,
): ResultAsync<{ readonly erased: OrderErasure | undefined; readonly notes: number }, StorageFailure> {
  return customerData.eraseOrder(keyOf(order), mark).andThen((erasure) => {
    if (erasure?.kind === "in-flight") return okAsync({ erased: erasure, notes: 0 });
    return customerData.eraseNotes(order).map((notes) => ({ erased: erasure, notes }));
  });
}

interface Erased {
  readonly erasure: CustomerErasure;
  readonly proofs: readonly string[];
  /** The identities that are not the subject of the audit entry. */
  readonly others: readonly string[];
}

/** Returns the detail of the audit entry: numbers, identities and keyed digests of phones. */
function detailOf({ erasure, proofs, others }: Erased): string {
  const { customerIdentities: _identities, inFlight, ...counts } = erasure;
  const detail = { ...counts, inFlight: inFlight.length, proofs };
  return JSON.stringify(others.length === 0 ? detail : { ...detail, others });
}

/** Collects what happens to the orders of a customer. */
function orderTally() {
  const texts = Object.fromEntries(ERASED_TEXTS.map((text) => [text, 0]));
  const inFlight: OrderInFlight[] = [];
  let [orders, notes] = [0, 0];
  return {
    add: ({ bizNo }: OrderKey, erasure: OrderErasure, ofOrder: number): void => {
      if (erasure.kind === "in-flight") inFlight.push({ bizNo, because: erasure.because });
      else notes += ofOrder;
      if (erasure.kind !== "erase") return;
      orders += 1;
      for (const text of erasure.erased) texts[text] = (texts[text] ?? 0) + 1;
    },
    result: () => {
      const { customerName = 0, attachData = 0, payerId = 0, walletOptions = 0, reasons = 0 } = texts;
      return {
        orders,
        texts: { customerName, attachData, payerId, walletOptions, reasons },
        notes,
        inFlight,
      };
    },
  };
}
