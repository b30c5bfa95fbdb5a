import { ok, type ResultAsync } from "neverthrow";
import type { AuditEntry } from "../audit/audit-entry.js";
import type { AuditPosition } from "../audit/audit-log.js";
import type { BillException } from "../bills/bill-exception.js";
import type { FailureOf, StorageFailure } from "../errors/failure.js";
import type { EventDelivery } from "../events/event-delivery-store.js";
import type { Order } from "../orders/order.js";
import type { TimelineEvent } from "../orders/timeline.js";
import type { Ports } from "../ports.js";
import type { RefundApproval } from "../refund-approvals/refund-approval.js";
import type { Refund } from "../refunds/refund.js";
import type { CustomerService } from "../services/service-type.js";
import type { CustomerRecord, Session } from "../sessions/session.js";
import { attempt } from "../shared/attempt.js";
import type { LoginData } from "./customer-data-store.js";
import { customerSubject } from "./customer-subject.js";
import { type CustomerRef, findCustomer, type FindCustomerPorts } from "./find-customer.js";
import { type OrderDataPorts, readOrderData, type ReadOrderData, visitOrders } from "./orders-of-customer.js";

const PAGE_SIZE = 100;

/** An order of a customer, with everything that belongs to it. */
export interface ExportedOrder {
  readonly order: Omit<Order, "prepayment" | "prepaymentClaim">;
  readonly refunds: readonly Omit<Refund, "operator">[];
  readonly approvals: readonly Omit<RefundApproval, "requestedBy" | "decidedBy">[];
  /** The actor of an operator's event is `operator`, without the name. */
  readonly timeline: readonly Pick<
    TimelineEvent,
    "seq" | "type" | "at" | "actor" | "reason" | "details" | "refundNo"
  >[];
  readonly deliveries: readonly Pick<EventDelivery, "handler" | "dueAt" | "parkedAt">[];
  readonly billExceptions: readonly Omit<BillException, "operator">[];
  readonly auditEntries: readonly ExportedAuditEntry[];
}

/** An entry of the audit log, without the operator and the address. */
export type ExportedAuditEntry = Pick<
  AuditEntry,
  "at" | "action" | "outcome" | "subject" | "reason" | "detail"
>;

/** What is stored about a customer, for the customer. Times are epoch milliseconds. */
export interface CustomerData {
  readonly appId: string;
  readonly exportedAt: number;
  /** The identities under which the app knows the customer. */
  readonly customerIdentities: readonly string[];
  /** Phone numbers, codes and tokens are stored as hashes only, and an export contains no hash. */
  readonly login: {
    readonly phones: readonly Pick<CustomerRecord, "customerId" | "gmtCreate" | "usedAt">[];
    readonly codes: readonly Omit<LoginData["codes"][number], "phoneHash">[];
    readonly counters: readonly Omit<LoginData["counters"][number], "subject">[];
    readonly spacings: readonly Omit<LoginData["spacings"][number], "subject">[];
    readonly sessions: readonly Pick<
      Session,
      "customerId" | "gmtCreate" | "expiresAt" | "label" | "usedAt"
    >[];
  };
  readonly services: readonly CustomerService[];
  readonly orders: readonly ExportedOrder[];
  /** The entries about the customer. Entries about an order are in its {@link ExportedOrder}. */
  readonly auditEntries: readonly ExportedAuditEntry[];
}

/** The ports that {@link exportCustomer} uses. */
export type ExportCustomerPorts = FindCustomerPorts &
  OrderDataPorts &
  Pick<Ports, "auditLog" | "clock" | "services">;

/**
 * Returns what is stored about a customer, for an access request.
 *
 * Leaves out names of operators, hashes, and what is needed only to open a payment. The memory that
 * it takes grows with the number of the customer's orders.
 *
 * @returns the data, whose members are empty if nothing is stored.
 * @example
 * ```ts
 * import { exportCustomer } from "@tillkit/core/operators";
 *
 * const data = await exportCustomer(ports, "app_1", { customerIdentity: "customer-7" });
 * ```
 */
export function exportCustomer(
  ports: ExportCustomerPorts,
  appId: string,
  ref: CustomerRef,
): ResultAsync<CustomerData, FailureOf<"mobile-no.invalid"> | StorageFailure> {
  return attempt(async () => {
    const customer = await findCustomer(ports, appId, ref);
    if (customer.isErr()) return customer;
    const { identities, login } = customer.value;
    const services: CustomerService[] = [];
    const auditEntries: ExportedAuditEntry[] = [];
    for (const identity of identities) {
      const list = await ports.services.list(appId, identity);
      if (list.isErr()) return list;
      services.push(...list.value);
      const entries = await entriesAbout(ports, customerSubject(appId, identity));
      if (entries.isErr()) return entries;
      auditEntries.push(...entries.value);
    }
    const orders: ExportedOrder[] = [];
    const visit = await visitOrders(ports, appId, identities, (order) =>
      exportOrder(ports, order).map((data) => orders.push(data)),
    );
    if (visit.isErr()) return visit;
    return ok({
      appId,
      exportedAt: ports.clock.now(),
      customerIdentities: identities,
      login: withoutHashes(login),
      services,
      orders,
      auditEntries,
    });
  });
}

function withoutHashes({ phones, codes, counters, spacings, sessions }: LoginData): CustomerData["login"] {
  return {
    phones: phones.map(({ appId: _app, phoneHash: _hash, ...phone }) => phone),
    codes: codes.map(({ count, tries, dayTries, endsAt }) => ({ count, tries, dayTries, endsAt })),
    counters: counters.map(({ scope, day, used }) => ({ scope, day, used })),
    spacings: spacings.map(({ scope, grantedAt }) => ({ scope, grantedAt })),
    sessions: sessions.map(({ appId: _app, tokenHash: _hash, ...session }) => session),
  };
}

function exportOrder(ports: ExportCustomerPorts, order: Order): ResultAsync<ExportedOrder, StorageFailure> {
  return attempt(async () => {
    const data = await readOrderData(ports, order);
    if (data.isErr()) return data;
    const entries = await entriesAbout(ports, `order:${order.appId}/${order.bizNo}`);
    if (entries.isErr()) return entries;
    return ok({
      ...withoutOperators(data.value),
      billExceptions: data.value.billExceptions.map(({ operator: _name, ...exception }) => exception),
      auditEntries: entries.value,
    });
  });
}

function withoutOperators({ order, refunds, approvals, timeline, deliveries }: ReadOrderData) {
  const { prepayment: _prepayment, prepaymentClaim: _claim, ...facts } = order;
  return {
    order: facts,
    refunds: refunds.map(({ operator: _name, ...refund }) => refund),
    approvals: approvals.map(({ requestedBy: _asked, decidedBy: _decided, ...approval }) => approval),
    timeline: timeline.map(({ seq, type, at, actor, reason, details, refundNo }) => ({
      seq,
      type,
      at,
      actor: actor.replace(/^operator:.*$/s, "operator"),
      reason,
      ...(details === undefined ? {} : { details: withoutNames(details) }),
      ...(refundNo === undefined ? {} : { refundNo }),
    })),
    deliveries: deliveries.map(({ handler, dueAt, parkedAt }) => ({
      handler,
      ...(dueAt === undefined ? {} : { dueAt }),
      ...(parkedAt === undefined ? {} : { parkedAt }),
    })),
  };
}

/** The members of stored facts that name an operator. */
const NAMES: ReadonlySet<string> = new Set(["requestedBy", "approvedBy"]);

/** Returns stored facts, which are JSON text, without the names of operators. */
function withoutNames(facts: string): string {
  return JSON.stringify(JSON.parse(facts), (name, value: unknown) => (NAMES.has(name) ? undefined : value));
}

/** Returns all entries about a subject, newest first. */
function entriesAbout(
  { auditLog }: Pick<Ports, "auditLog">,
  subject: string,
): ResultAsync<readonly ExportedAuditEntry[], StorageFailure> {
  return attempt(async () => {
    const entries: ExportedAuditEntry[] = [];
    let before: AuditPosition | undefined;
    do {
      const page = await auditLog.search({ subject, before, limit: PAGE_SIZE });
      if (page.isErr()) return page;
      for (const { at, action, outcome, subject: about, reason, detail } of page.value.items)
        entries.push({
          at,
          action,
          outcome,
          subject: about,
          reason,
          ...(detail === undefined ? {} : { detail: withoutNames(detail) }),
        });
      before = page.value.next;
    } while (before !== undefined);
    return ok(entries);
  });
}
