import type { OrderKey, TimelineEntry } from "@tillkit/core";
import type { AuditEntry, OrderStore } from "@tillkit/core/ports";
import { auditAppender, transactionWithAudit } from "../audit/append-audit.js";
import { type AppendingStatement, appendingRunner } from "../timeline/appending-statement.js";
import { toDueWork } from "../timeline/due-work.js";
import { dueClaimer } from "../timeline/claim-due.js";
import { toStorageResult } from "../client/to-storage-result.js";
import type { BatchOptions } from "../batching/batched.js";
import { orderImporter } from "./import-orders.js";
import { orderBatches } from "./order-batches.js";
import { orderReader, toOrder } from "./order-row.js";
import { orderKeyValues } from "../timeline/order-key.js";
import { orderStatements } from "./order-statements.js";
import type { OnUnreadable } from "../sql/row-reader.js";
import { booleanValue } from "../sql/row.js";
import type { SqlClient, SqlQueries, SqlRow, SqlRunner, SqlValue } from "../sql/sql-client.js";
import { importedOrderReplacer } from "./replace-imported-order.js";
import { storeClient } from "../cluster/store-client.js";
import { tablesOf } from "../sql/tables.js";
import { toTimelineEvent } from "../timeline/timeline-row.js";
import { transitionBatches } from "./transition-batches.js";

/** An entry that changes no status, with the statement that appends it. */
interface RecordedEntry {
  readonly key: OrderKey;
  readonly entry: TimelineEntry;
  readonly audit: AuditEntry | undefined;
  readonly statement: AppendingStatement;
  /** The parameters that the statement has after those of the statement `record`. */
  readonly more: readonly SqlValue[];
}

/** Creates an `OrderStore` on PostgreSQL, over the tables of `schema`. */
export function postgresOrderStore(
  client: SqlClient,
  schema: string,
  batching?: BatchOptions,
  onUnreadable?: OnUnreadable,
): OrderStore {
  const sql = storeClient(client, schema);
  const tables = tablesOf(schema);
  const statements = orderStatements(tables);
  const groups = orderBatches(sql, tables, statements, batching);
  const importOnce = orderImporter(sql, tables, statements, batching);
  const replaceImported = importedOrderReplacer(sql, tables, statements);
  const runAppending = appendingRunner(sql, tables);
  const appender = auditAppender(sql, tables);
  const transition = transitionBatches(sql, tables, statements.find.one, batching);
  const { all: toOrders } = orderReader(onUnreadable);
  const near = ({ bizNo }: OrderKey): SqlRunner => sql.near(tables.orders, bizNo);
  const claimDue = dueClaimer(
    sql,
    statements.claimDue,
    { all: toOrders, keyOf: ({ bizNo, appId }) => [bizNo, appId] },
    batching,
  );
  const recordEntry = ({ key, entry, audit, statement, more }: RecordedEntry) =>
    // In a cluster, each server has its own lock of the audit log. So an audited change goes
    // through the coordinator, and any other directly to the order's server.
    transactionWithAudit(
      audit === undefined ? near(key) : sql,
      appender,
      audit,
      async (transaction: SqlQueries) => {
        // The lock comes first, because a statement cannot see rows that other transactions stored
        // while the statement waited.
        await transaction.query(statements.lock, orderKeyValues(key));
        const facts = [entry.type, entry.evidence ?? null, ...more];
        const values = (eventText: string) => [...orderKeyValues(key), eventText, ...facts];
        const run = { statement, values, key, entries: [entry] };
        const recorded = (await runAppending(run, transaction)) !== undefined;
        return { changed: recorded, value: recorded };
      },
    );
  return {
    insertOnce: (order, entry) => toStorageResult(() => groups.insert({ order, entry })),
    importOnce: (order, entry) => toStorageResult(() => importOnce({ order, entry })),
    replaceImported: (previous, order, entry, audit) =>
      toStorageResult(() => replaceImported({ previous, order, entry, audit })),
    find: (key) => toStorageResult(async () => firstOrder(await groups.find(key))),
    findOwn: (key, customerIdentity) =>
      toStorageResult(async () => firstOrder(await groups.findOwn({ key, customerIdentity }))),
    findById: (id) => toStorageResult(async () => firstOrder(await sql.query(statements.findById, [id]))),
    findByIds: (ids) =>
      toStorageResult(async () =>
        (await sql.query(statements.findByIds, [JSON.stringify(ids)])).map(toOrder),
      ),
    listPaid: ({ payToolId, from, until, after, limit }) =>
      toStorageResult(async () => {
        const values = [payToolId, from, until, after?.pmtDt ?? from, after?.id ?? "", limit];
        return (await sql.query(statements.listPaid, values)).map(toOrder);
      }),
    listAll: ({ appId, from = 0, until = Number.MAX_SAFE_INTEGER, after, limit }) =>
      toStorageResult(async () => {
        const values = [after?.bizNo ?? "", after?.appId ?? "", limit, from, until];
        const page =
          appId === undefined
            ? sql.query(statements.listAll, values)
            : sql.query(statements.listAllOfApp, [...values, appId]);
        return (await page).map(toOrder);
      }),
    list: (query) =>
      toStorageResult(async () => {
        const { rows, totalCount } = await groups.list(query);
        return { items: toOrders(rows), totalCount };
      }),
    claimPrepayment: (key, { id, until }, now) =>
      toStorageResult(async () => {
        const changed = firstChanged(
          await near(key).query(statements.claimPrepayment, [...orderKeyValues(key), id, until, now]),
        );
        return changed && { granted: changed.changed, order: changed.order };
      }),
    attachPrepayment: (key, prepayment) =>
      toStorageResult(async () => firstOrder(await groups.attachPrepayment({ key, prepayment }))),
    releasePrepayment: (key, claimId) =>
      toStorageResult(async () => {
        await near(key).query(statements.releasePrepayment, [...orderKeyValues(key), claimId]);
      }),
    transition: (key, change) => toStorageResult(() => transition({ key, change })),
    connect: (key, payToolId, entry) =>
      toStorageResult(async () => {
        const values = (eventText: string) => [...orderKeyValues(key), payToolId, eventText, entry.at];
        const row = await runAppending({ statement: statements.connect, values, key, entries: [entry] });
        return row && toOrder(row);
      }),
    record: (key, entry, audit) =>
      toStorageResult(() => recordEntry({ key, entry, audit, statement: statements.record, more: [] })),
    timeline: (key) =>
      toStorageResult(async () =>
        (await near(key).query(statements.timeline, orderKeyValues(key))).map(toTimelineEvent),
      ),
    claimQuery: (key, now, interval) =>
      toStorageResult(
        async () =>
          (await near(key).query(statements.claimQuery, [...orderKeyValues(key), now, interval])).length > 0,
      ),
    claimDue: (now, limit, lease) => toStorageResult(() => claimDue({ now, limit, until: now + lease })),
    dueSince: (now, atMost) =>
      toStorageResult(async () => toDueWork(await sql.query(statements.dueSince, [now, atMost]))),
    schedule: (key, nextQueryAt) =>
      toStorageResult(async () => {
        await near(key).query(statements.schedule, [...orderKeyValues(key), nextQueryAt ?? null]);
      }),
    scheduleShipment: (key, nextReportAt) =>
      toStorageResult(async () => {
        await near(key).query(statements.scheduleShipment, [...orderKeyValues(key), nextReportAt ?? null]);
      }),
    recordShipment: (key, entry, nextReportAt, audit) =>
      toStorageResult(() =>
        recordEntry({
          key,
          entry,
          audit,
          statement: statements.recordShipment,
          more: [nextReportAt ?? null],
        }),
      ),
  };
}

function firstOrder([row]: readonly SqlRow[]) {
  return row && toOrder(row);
}

function firstChanged([row]: readonly SqlRow[]) {
  return row && { changed: booleanValue(row, "changed"), order: toOrder(row) };
}
