import {
  OPEN_REFUND_STATUSES,
  type Order,
  type OrderKey,
  type Refund,
  type TimelineEntry,
} from "@tillkit/core";
import {
  type AuditEntry,
  adoptableAmount,
  isOpenRefund,
  isSendable,
  isRefundedInFull,
  type RefundAdoption,
  type RefundAdoptOutcome,
  type RefundClaimOutcome,
  type RefundTransitionResult,
  type RefundRequestOutcome,
  type RefundSettleOutcome,
  type RefundStore,
  type RefundWithdrawOutcome,
} from "@tillkit/core/ports";
import { appendedText } from "../timeline/appended-text.js";
import { auditAppender, transactionWithAudit } from "../audit/append-audit.js";
import { eventAppender, newEvent, type NewEvent } from "../timeline/append-events.js";
import { type AppendingRun, appendingRunner } from "../timeline/appending-statement.js";
import type { BatchOptions } from "../batching/batched.js";
import { toDueWork } from "../timeline/due-work.js";
import { dueClaimer } from "../timeline/claim-due.js";
import { openByName } from "../sql/open-by-name.js";
import { toStorageResult } from "../client/to-storage-result.js";
import { handlerNames } from "../timeline/handler-names.js";
import { toOrder } from "../orders/order-row.js";
import { refundStatements } from "./refund-statements.js";
import { refundSearchStatements, searchRefunds } from "./search-refunds.js";
import { refundReader, refundValues, toRefund } from "./refund-row.js";
import type { OnUnreadable } from "../sql/row-reader.js";
import { booleanValue, enumValue, integer, optionalText, text } from "../sql/row.js";
import { serviceStatements } from "../services/service-statements.js";
import type { SqlClient, SqlQueries, SqlRow, SqlRunner, SqlValue } from "../sql/sql-client.js";
import { byDistribution, storeClient } from "../cluster/store-client.js";
import { tablesOf } from "../sql/tables.js";
import { toStoredRecord } from "./stored-record.js";

const KINDS = ["requested", "held", "changed", "not-paid", "in-progress", "exceeds-remaining"] as const;

/** Creates a `RefundStore` on PostgreSQL, over the tables of `schema`. */
export function postgresRefundStore(
  client: SqlClient,
  schema: string,
  batching?: BatchOptions,
  onUnreadable?: OnUnreadable,
): RefundStore {
  const sql = storeClient(client, schema);
  const tables = tablesOf(schema);
  const statements = refundStatements(tables);
  const searching = refundSearchStatements(tables);
  const services = serviceStatements(tables);
  const appender = auditAppender(sql, tables);
  const { all: toRefunds } = refundReader(onUnreadable);
  const near = ({ bizNo }: Pick<OrderKey, "bizNo">): SqlRunner => sql.near(tables.orders, bizNo);
  const runAppending = appendingRunner(sql, tables);
  const request = byDistribution(sql, {
    server: async ({ refund, entry, seen }: RequestCall) =>
      (await sql.query(statements.request, [...refundValues(refund), appendedText(entry), seen ?? null]))[0],
    cluster: (call) => requestOnCluster(near(call.refund), tables, statements, call),
  });
  /**
   * Runs a statement that may refund the whole order, and takes back the service time if it does.
   */
  const payBack = (run: AppendingRun, audit?: AuditEntry): Promise<SqlRow | undefined> =>
    inTransaction(run.key, audit, async (transaction) => {
      const row = await runAppending(run, transaction);
      if (row === undefined || !booleanValue(row, "changed")) return { changed: false, value: row };
      await takeBackTime(transaction, toOrder(row));
      return { changed: true, value: row };
    });
  /** Runs a change of an order and of a service, and appends its audit entry. */
  const inTransaction = <T>(
    key: OrderKey,
    audit: AuditEntry | undefined,
    run: (transaction: SqlQueries) => Promise<{ readonly changed: boolean; readonly value: T }>,
  ): Promise<T> =>
    // Orders and services have different distribution columns, so one statement cannot change both.
    // The lock of the audit log exists per node, so an audited change goes through the coordinator.
    transactionWithAudit(audit === undefined ? near(key) : sql, appender, audit, run);
  const takeBackTime = async (transaction: SqlQueries, order: Order): Promise<void> => {
    const { paymentStatus, customerIdentity, appId, id, service } = order;
    if (paymentStatus !== "REFUND" || service === undefined) return;
    const owner = [customerIdentity, appId, service.serviceTypeNo];
    // The lock comes first, because a statement cannot see rows that other transactions stored
    // while the statement waited.
    await transaction.query(services.lock, owner);
    await transaction.query(services.takeBack, [...owner, id]);
  };
  const claimDue = dueClaimer(
    sql,
    statements.claimDue,
    { all: toRefunds, keyOf: ({ bizNo, appId, refundNo }) => [bizNo, appId, refundNo] },
    batching,
  );
  return {
    request: (asked, entry, seen) =>
      toStorageResult(async (): Promise<RefundRequestOutcome> => {
        const refund = { ...asked, status: "REQUESTED" } as const;
        const row = await request({ refund, entry, seen });
        if (row === undefined) return { kind: "no-order" };
        const order = toOrder(row);
        const kind = enumValue(row, "kind", KINDS);
        if (kind === "requested") return { kind, order, refund };
        // The statement cannot see refunds that were stored while it waited for the order. So a
        // second statement reads the refund.
        const [stored] = await near(asked).query(statements.find, keyOf(asked, asked.refundNo));
        if (stored !== undefined) return { kind: "held", order, refund: toRefund(stored) };
        if (kind === "held") throw new Error("The refund with this number was not found.");
        if (kind === "exceeds-remaining") return { kind, order, remaining: integer(row, "remaining_cents") };
        if (kind !== "in-progress") return { kind, order };
        const key = keyOf(asked, optionalText(row, "open_refund_no") ?? "");
        const [other] = await near(asked).query(statements.find, key);
        if (other === undefined) throw new Error("The open refund was not found.");
        return { kind, order, refund: toRefund(other) };
      }),
    adopt: (adoption, audit) =>
      toStorageResult(() =>
        inTransaction(adoption.refund, audit, async (transaction) => {
          const value = await adopt(transaction, tables, statements, adoption);
          const changed = value.kind === "adopted";
          if (changed) await takeBackTime(transaction, value.order);
          return { changed, value };
        }),
      ),
    markSent: (key, refundNo, nextTryAt, entry, sendingUntil) =>
      toStorageResult(async () => {
        const facts = [entry.at, nextTryAt, sendingUntil ?? null];
        const values = (text: string) => [...keyOf(key, refundNo), text, ...facts];
        return moved(await runAppending({ statement: statements.markSent, values, key, entries: [entry] }));
      }),
    claimSend: (key, refundNo, { at, until }) =>
      toStorageResult(async (): Promise<RefundClaimOutcome | undefined> => {
        const values = [...keyOf(key, refundNo), at, until];
        const [claimed] = await near(key).query(statements.claimSend, values);
        if (claimed !== undefined) return { kind: "granted", refund: toRefund(claimed) };
        const [row] = await near(key).query(statements.find, keyOf(key, refundNo));
        if (row === undefined) return undefined;
        const refund = toRefund(row);
        return {
          kind: isSendable(refund) && refund.status !== "REQUESTED" ? "claimed" : "not-allowed",
          refund,
        };
      }),
    withdraw: (key, refundNo, { at, queriedAt, entry }, audit) =>
      toStorageResult(async (): Promise<RefundWithdrawOutcome | undefined> => {
        const values = (text: string) => [...keyOf(key, refundNo), text, at, queriedAt];
        const run = { statement: statements.withdraw, values, key, entries: [entry] };
        const row = await inTransaction(key, audit, async (transaction) => {
          const value = await runAppending(run, transaction);
          return { changed: value !== undefined && booleanValue(value, "changed"), value };
        });
        if (row === undefined) return undefined;
        const [refund, order] = [toRefund(row), toOrder(row)];
        if (booleanValue(row, "changed")) return { kind: "withdrawn", refund, order };
        return { kind: isSendable(refund) ? "sending" : "not-allowed", refund, order };
      }),
    progress: (key, refundNo, { seen, to, nextTryAt, walletRefundNo, sendingUntil, entry }) =>
      toStorageResult(async () => {
        const facts = [entry.at, nextTryAt, walletRefundNo ?? null, to, seen.status, seen.gmtModified];
        const values = (text: string) => [...keyOf(key, refundNo), text, ...facts, sendingUntil ?? null];
        return moved(await runAppending({ statement: statements.progress, values, key, entries: [entry] }));
      }),
    confirm: (key, refundNo, { at, walletRefundNo, from, entry, refundedEntry }) =>
      toStorageResult(async () => {
        const values = (text: string, refunded: string) => [
          ...keyOf(key, refundNo),
          text,
          at,
          refunded,
          walletRefundNo ?? null,
          from ?? null,
        ];
        const entries = [entry, refundedEntry];
        return moved(await payBack({ statement: statements.confirm, values, key, entries }));
      }),
    settle: (key, refundNo, { at, entry, refundedEntry, queriedAt, seen }, audit) =>
      toStorageResult(async (): Promise<RefundSettleOutcome | undefined> => {
        const values = (text: string, refunded: string) => [
          ...keyOf(key, refundNo),
          text,
          at,
          refunded,
          queriedAt,
          seen ?? null,
        ];
        const entries = [entry, refundedEntry];
        const row = await payBack({ statement: statements.settle, values, key, entries }, audit);
        if (row === undefined) return undefined;
        const [refund, order] = [toRefund(row), toOrder(row)];
        if (booleanValue(row, "changed")) return { kind: "settled", refund, order };
        if (refund.status !== "FAILED" && refund.status !== "WITHDRAWN") {
          if (!isOpenRefund(refund)) return { kind: "not-allowed", refund, order };
          if ((refund.sendingUntil ?? 0) > queriedAt) return { kind: "sending", refund, order };
        }
        if (seen !== undefined && integer(row, "timeline_seq") !== seen)
          return { kind: "changed", refund, order };
        return { kind: "exceeds-remaining", refund, order, remaining: integer(row, "remaining_cents") };
      }),
    reject: (key, refundNo, at, entry, { unlessAccepted = false } = {}) =>
      toStorageResult(async () => {
        const values = (text: string) => [...keyOf(key, refundNo), text, at, unlessAccepted];
        return moved(await runAppending({ statement: statements.reject, values, key, entries: [entry] }));
      }),
    readRecord: (key) =>
      toStorageResult(async () => {
        const [row] = await near(key).query(statements.record, [key.bizNo, key.appId]);
        return row && toStoredRecord(row);
      }),
    list: ({ bizNo, appId }) =>
      toStorageResult(async () =>
        (await near({ bizNo }).query(statements.list, [bizNo, appId])).map(toRefund),
      ),
    listConfirmed: ({ payToolIds, from, until, after, limit }) =>
      toStorageResult(async () => {
        const { gmtModified = from, bizNo = "", appId = "", refundNo = "" } = after ?? {};
        const place = [gmtModified, bizNo, appId, refundNo];
        const values = [JSON.stringify(payToolIds), from, until, ...place, limit];
        const rows = await sql.query(statements.listConfirmed, values);
        return rows.map((row) => ({ refund: toRefund(row), order: toOrder(row) }));
      }),
    search: (query) => toStorageResult(() => searchRefunds(sql, searching, toRefunds, query)),
    claimDue: (now, limit, lease) => toStorageResult(() => claimDue({ now, limit, until: now + lease })),
    dueSince: (now, atMost) =>
      toStorageResult(async () => toDueWork(await sql.query(statements.dueSince, [now, atMost]))),
    openByStatus: (atMost) =>
      toStorageResult(async () =>
        openByName(OPEN_REFUND_STATUSES, await sql.query(statements.openByStatus, [atMost])).map(
          ({ name: status, count, oldestAt }) => ({ status, count, oldestAt }),
        ),
      ),
    schedule: (key, refundNo, nextTryAt, walletRefundNo) =>
      toStorageResult(async () => {
        await near(key).query(statements.schedule, [
          ...keyOf(key, refundNo),
          nextTryAt,
          walletRefundNo ?? null,
        ]);
      }),
  };
}

/** A refund to store, with its event. */
interface RequestCall {
  readonly refund: Refund;
  readonly entry: TimelineEntry;
  readonly seen?: number | undefined;
}

/** Like the statement `request`, in one transaction of statements that a cluster can route. */
function requestOnCluster(
  sql: SqlRunner,
  tables: ReturnType<typeof tablesOf>,
  { hold, insert, reserve }: ReturnType<typeof refundStatements>,
  { refund, entry, seen }: RequestCall,
): Promise<SqlRow | undefined> {
  const append = eventAppender(tables);
  return sql.transaction(async (transaction) => {
    const [held] = await transaction.query(hold, [refund.bizNo, refund.appId, refund.amount, seen ?? null]);
    if (held === undefined || enumValue(held, "kind", KINDS) !== "requested") return held;
    const made = await transaction.query(insert, refundValues(refund));
    if (made.length === 0) return { ...held, kind: "held" };
    const event = newEvent({
      key: refund,
      seq: integer(held, "timeline_seq") + 1,
      previousHash: text(held, "timeline_hash"),
      entry,
    });
    const chain = [event.seq, event.hash];
    await transaction.query(reserve, [...keyOf(refund, refund.refundNo), refund.amount, ...chain]);
    await append(transaction, [event], handlerNames(held));
    return held;
  });
}

/** Stores an adopted refund in a transaction. The caller takes back the service time. */
async function adopt(
  transaction: SqlQueries,
  tables: ReturnType<typeof tablesOf>,
  { lockOrder, list, insert, count }: ReturnType<typeof refundStatements>,
  { refund: found, at, entry, refundedEntry, paidTwiceEntry }: RefundAdoption,
): Promise<RefundAdoptOutcome> {
  const key = [found.bizNo, found.appId];
  const [row] = await transaction.query(lockOrder, key);
  if (row === undefined) return { kind: "no-order" };
  const order = toOrder(row);
  // This statement follows the lock, so it sees every refund of the order.
  const refunds = (await transaction.query(list, key)).map(toRefund);
  const held = refunds.find(({ refundNo }) => refundNo === found.refundNo);
  if (held !== undefined) return { kind: "held", refund: held, order };
  if (order.paymentStatus !== "PAID" && order.paymentStatus !== "REFUND") return { kind: "not-paid", order };
  const { remaining, isPaidTwice } = adoptableAmount(order, refunds, found);
  if (found.amount > remaining) return { kind: "exceeds-amount", order, remaining };
  const { nextTryAt: _never, ...confirmed } = found;
  const refund: Refund = { ...confirmed, status: "CONFIRMED", gmtModified: at };
  await transaction.query(insert, refundValues(refund));
  const whole = isRefundedInFull(order, order.refundedAmount + found.amount);
  const events: NewEvent[] = [];
  for (const one of [entry, ...(whole ? [refundedEntry] : []), ...(isPaidTwice ? [paidTwiceEntry] : [])])
    events.push(
      newEvent({
        key: found,
        seq: integer(row, "timeline_seq") + events.length + 1,
        previousHash: events.at(-1)?.hash ?? text(row, "timeline_hash"),
        entry: one,
      }),
    );
  const last = events.at(-1);
  if (last === undefined) throw new Error("An adoption has an event.");
  const status = whole ? "REFUND" : order.paymentStatus;
  const values = [...key, found.amount, at, status, last.seq, last.hash];
  const [counted] = await transaction.query(count, values);
  if (counted === undefined) throw new Error("The locked order was not found.");
  await eventAppender(tables)(transaction, events, handlerNames(row));
  return { kind: "adopted", refund, order: toOrder(counted), isPaidTwice };
}

function keyOf({ bizNo, appId }: OrderKey, refundNo: string): readonly SqlValue[] {
  return [bizNo, appId, refundNo];
}

function moved(row: SqlRow | undefined): RefundTransitionResult | undefined {
  return row && { moved: booleanValue(row, "changed"), refund: toRefund(row), order: toOrder(row) };
}
