import type { OrderKey } from "@tillkit/core";
import {
  type CustomerDataStore,
  type CustomerRecord,
  type ErasedLogin,
  erasureEntry,
  type ErasureMark,
  type LoginData,
  type LoginErasure,
  type LoginSubject,
  type OrderErasure,
  planOrderErasure,
} from "@tillkit/core/ports";
import { eventAppender, newEvent } from "../timeline/append-events.js";
import { arrayLiteral } from "../sql/array-literal.js";
import { billExceptionStatements } from "../bills/bill-exception-statements.js";
import { customerDataStatements } from "./customer-data-statements.js";
import { toOrder } from "../orders/order-row.js";
import { orderKeyValues } from "../timeline/order-key.js";
import { enumValue, integer, optionalInteger, optionalMember, text } from "../sql/row.js";
import { orderStatements } from "../orders/order-statements.js";
import { toRefundApproval } from "../refund-approvals/refund-approval-row.js";
import { refundApprovalStatements } from "../refund-approvals/refund-approval-statements.js";
import { toRefund } from "../refunds/refund-row.js";
import { refundStatements } from "../refunds/refund-statements.js";
import { removeRows } from "../sql/remove-expired.js";
import { toCustomer, toSession } from "../sessions/session-row.js";
import type { SqlClient, SqlQueries, SqlRow } from "../sql/sql-client.js";
import { storeClient } from "../cluster/store-client.js";
import { tablesOf } from "../sql/tables.js";
import { toTimelineEvent } from "../timeline/timeline-row.js";
import { toStorageResult } from "../client/to-storage-result.js";

const SCOPES = ["sms"] as const;

/** Creates a `CustomerDataStore` on PostgreSQL, over the tables of `schema`. */
export function postgresCustomerDataStore(client: SqlClient, schema: string): CustomerDataStore {
  const sql = storeClient(client, schema);
  const tables = tablesOf(schema);
  const statements = customerDataStatements(tables);
  const ofExceptions = billExceptionStatements(tables);
  const ofOrders = orderStatements(tables);
  const ofRefunds = refundStatements(tables);
  const ofApprovals = refundApprovalStatements(tables);
  const append = eventAppender(tables);

  const readPhones = async (
    queries: SqlQueries,
    appId: string,
    hashes: readonly string[],
    customerIds: readonly string[],
  ): Promise<readonly CustomerRecord[]> =>
    byText(
      "phone_hash",
      await queries.query(statements.phones, [appId, arrayLiteral(hashes), arrayLiteral(customerIds)]),
    ).map(toCustomer);

  /** Returns the phone numbers, their hashes and the ids of a customer. The lists are sorted. */
  const readCustomer = async (queries: SqlQueries, { appId, customerId, phoneHashes }: LoginSubject) => {
    const given = await readPhones(queries, appId, phoneHashes, customerId === undefined ? [] : [customerId]);
    const customerIds = sorted([
      ...(customerId === undefined ? [] : [customerId]),
      ...given.map((phone) => phone.customerId),
    ]);
    const phones = await readPhones(queries, appId, [], customerIds);
    const hashes = sorted([...phoneHashes, ...phones.map(({ phoneHash }) => phoneHash)]);
    return { phones, hashes, customerIds };
  };

  const readLogin = async (queries: SqlQueries, subject: LoginSubject): Promise<LoginData> => {
    const { appId } = subject;
    const { phones, hashes, customerIds } = await readCustomer(queries, subject);
    const literal = arrayLiteral(hashes);
    // Sorts the rows, because the nodes of a cluster answer in any order.
    const codes = byText("phone_hash", await queries.query(statements.codes, [appId, literal]));
    const counters = byText("subject", await queries.query(statements.counters, [literal]));
    const spacings = byText("subject", await queries.query(statements.spacings, [literal]));
    const sessions = await queries.query(statements.sessions, [appId, arrayLiteral(customerIds)]);
    const byTime = sessions
      .map(toSession)
      .toSorted((a, b) => b.gmtCreate - a.gmtCreate || (a.tokenHash < b.tokenHash ? 1 : -1));
    return {
      phones,
      codes: codes.map((row) => ({
        phoneHash: text(row, "phone_hash"),
        count: integer(row, "count"),
        tries: integer(row, "tries"),
        dayTries: integer(row, "day_tries"),
        endsAt: integer(row, "ends_ms"),
      })),
      counters: counters.map((row) => ({
        scope: enumValue(row, "scope", SCOPES),
        subject: text(row, "subject"),
        day: text(row, "day"),
        used: integer(row, "used"),
      })),
      spacings: spacings.map((row) => ({
        scope: enumValue(row, "scope", SCOPES),
        subject: text(row, "subject"),
        grantedAt: integer(row, "granted_ms"),
      })),
      sessions: byTime,
    };
  };

  const eraseLogin = async (
    queries: SqlQueries,
    { appId, customerIds, phoneHashes: given }: LoginErasure,
    at: number,
  ): Promise<ErasedLogin> => {
    const ids = sorted(customerIds);
    // Locks the customers first, in the order of their keys, as `movePhones` does. From now on, no
    // other transaction opens a session for them, or adds or removes a number.
    const neverLoggedIn = new Set<string>();
    for (const id of ids) {
      if ((await queries.query(statements.markOwner, [id, appId, at])).length > 0) continue;
      await queries.query(statements.insertMarkedOwner, [id, appId, at]);
      neverLoggedIn.add(id);
    }
    const phoneHashes: string[] = [];
    for (const { phoneHash, customerId } of await readPhones(queries, appId, [], ids)) {
      const values = [phoneHash, appId, arrayLiteral(ids)];
      if ((await queries.query(statements.removePhone, values)).length === 0) continue;
      phoneHashes.push(phoneHash);
      neverLoggedIn.delete(customerId);
    }
    // Only customers with a login or a phone number stay marked.
    for (const id of neverLoggedIn) await queries.query(statements.removeOwner, [id, appId]);
    const others = await readPhones(queries, appId, given, []);
    const free = given.filter((hash) => !others.some(({ phoneHash }) => phoneHash === hash));
    const clearedHashes = sorted([...phoneHashes, ...free]);
    let [codes, counters, sessions] = [0, 0, 0];
    for (const hash of clearedHashes)
      codes += (await queries.query(statements.removeCode, [hash, appId])).length;
    for (const hash of clearedHashes) await queries.query(statements.removeSpacings, [hash]);
    for (const hash of clearedHashes)
      counters += (await queries.query(statements.removeCounters, [hash])).length;
    for (const id of ids) sessions += (await queries.query(statements.removeSessions, [id, appId])).length;
    return { phoneHashes, clearedHashes, codes, counters, sessions };
  };

  const eraseOrder = async (
    queries: SqlQueries,
    key: OrderKey,
    mark: ErasureMark,
  ): Promise<OrderErasure | undefined> => {
    const values = orderKeyValues(key);
    // Reads the data of the order after its lock, because each change of the order locks it first.
    const [end] = await queries.query(ofApprovals.lockOrder, values);
    const [order] = await queries.query(ofOrders.find.one, values);
    if (end === undefined || order === undefined) return undefined;
    const deliveries = await queries.query(statements.deliveries, values);
    const plan = planOrderErasure({
      order: toOrder(order),
      refunds: (await queries.query(ofRefunds.list, values)).map(toRefund),
      approvals: (await queries.query(ofApprovals.listOfOrder, values)).map(toRefundApproval),
      deliveries: deliveries.map((row) => ({
        ...optionalMember("dueAt", optionalInteger(row, "due_ms")),
        ...optionalMember("parkedAt", optionalInteger(row, "parked_ms")),
      })),
      timeline: (await queries.query(ofOrders.timeline, values)).map(toTimelineEvent),
    });
    if (plan.kind !== "erase") return plan;
    await queries.query(statements.eraseOrder, values);
    await queries.query(statements.eraseRefunds, values);
    await queries.query(statements.eraseApprovals, values);
    await queries.query(statements.eraseEvents, values);
    const event = newEvent({
      key,
      seq: integer(end, "timeline_seq") + 1,
      previousHash: text(end, "timeline_hash"),
      entry: erasureEntry(mark, plan.erased),
    });
    await queries.query(ofApprovals.moveTimeline, [...values, event.seq, event.hash]);
    // This event of the timeline causes no event for handlers.
    await append(queries, [event], []);
    return plan;
  };

  return {
    readLogin: (subject) =>
      toStorageResult(() => sql.transaction((transaction) => readLogin(transaction, subject))),
    // Phone numbers and customers have different distribution columns, so this is a transaction of
    // the coordinator.
    eraseLogin: (erasure, at) =>
      toStorageResult(() => sql.transaction((transaction) => eraseLogin(transaction, erasure, at))),
    eraseOrder: ({ appId, bizNo }, mark) =>
      toStorageResult(() =>
        sql
          .near(tables.orders, bizNo)
          .transaction((transaction) => eraseOrder(transaction, { appId, bizNo }, mark)),
      ),
    eraseNotes: ({ id, bizNo, appId }) =>
      toStorageResult(async () => {
        const noted = await sql.query(ofExceptions.noted, [id, bizNo, appId]);
        if (noted.length === 0) return 0;
        const ids = JSON.stringify(noted.map((row) => text(row, "id")));
        return (await sql.query(ofExceptions.eraseNotes, [ids])).length;
      }),
    forgetNames: (before, limit) =>
      toStorageResult(() => removeRows(sql, statements.forgetNames, before, limit)),
  };
}

/** Returns each text once, in the order in which transactions lock rows. */
function sorted(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}

/** Sorts rows by a column of text. */
function byText(column: string, rows: readonly SqlRow[]): readonly SqlRow[] {
  return rows.toSorted((left, right) => (text(left, column) < text(right, column) ? -1 : 1));
}
