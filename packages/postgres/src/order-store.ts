import { type OrderKey, type OrderStore, type OrderTransition, timelineText } from "@tillkit/core";
import { toDueWork } from "./due-work.js";
import { claimDue } from "./claim-due.js";
import { toStorageResult } from "./to-storage-result.js";
import type { BatchOptions } from "./batched.js";
import { orderBatches } from "./order-batches.js";
import { orderKeyValues, orderReader, toOrder } from "./order-row.js";
import { type OrderStatements, orderStatements } from "./order-statements.js";
import type { OnUnreadable } from "./row-reader.js";
import { booleanValue, integer } from "./row.js";
import { serviceStatements } from "./service-statements.js";
import type { SqlClient, SqlQueries, SqlRow } from "./sql-client.js";
import { tablesOf } from "./tables.js";
import { toTimelineEvent } from "./timeline-row.js";

/** Creates an `OrderStore` on PostgreSQL, over the tables of `schema`. */
export function postgresOrderStore(
  sql: SqlClient,
  schema: string,
  batching?: BatchOptions,
  onUnreadable?: OnUnreadable,
): OrderStore {
  const tables = tablesOf(schema);
  const statements = orderStatements(tables);
  const groups = orderBatches(sql, statements, batching);
  const services = serviceStatements(tables);
  const { all: toOrders } = orderReader(onUnreadable);
  return {
    insertOnce: (order, entry) =>
      toStorageResult(async () => toOrder(await groups.insert({ order, entry: timelineText(entry) }))),
    find: (key) => toStorageResult(async () => firstOrder(await groups.find(key))),
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
    listAll: ({ appId, after, limit }) =>
      toStorageResult(async () => {
        const values = [after?.bizNo ?? "", after?.appId ?? "", limit];
        const page =
          appId === undefined
            ? sql.query(statements.listAll, values)
            : sql.query(statements.listAllOfApp, [...values, appId]);
        return (await page).map(toOrder);
      }),
    list: (query) =>
      toStorageResult(async () => {
        const rows = await groups.list(query);
        const items = toOrders(rows.filter((row) => row["id"] !== null));
        return { items, totalCount: rows[0] === undefined ? 0 : integer(rows[0], "total_count") };
      }),
    claimPrepayment: (key, { id, until }, now) =>
      toStorageResult(async () => {
        const changed = firstChanged(
          await sql.query(statements.claimPrepayment, [...orderKeyValues(key), id, until, now]),
        );
        return changed && { granted: changed.changed, order: changed.order };
      }),
    attachPrepayment: (key, prepayment) =>
      toStorageResult(async () => firstOrder(await groups.attachPrepayment({ key, prepayment }))),
    releasePrepayment: (key, claimId) =>
      toStorageResult(async () => {
        await sql.query(statements.releasePrepayment, [...orderKeyValues(key), claimId]);
      }),
    transition: (key, change) =>
      toStorageResult(async () => {
        const { extendService } = change;
        if (extendService === undefined) return move(sql, statements, key, change);
        // Orders and services have different distribution columns, so one statement cannot change
        // both.
        return sql.transaction(async (transaction) => {
          const moved = await move(transaction, statements, key, change);
          if (moved?.moved === true && moved.order.service !== undefined) {
            const { customerIdentity, appId, id, service } = moved.order;
            const bought = [service.serviceTypeNo, extendService.serviceNo, service.serviceName];
            await transaction.query(services.extend, [
              ...[customerIdentity, appId, ...bought, change.at, service.durationMs, id],
            ]);
          }
          return moved;
        });
      }),
    connect: (key, payToolId, entry) =>
      toStorageResult(async () => {
        const facts = [payToolId, timelineText(entry), entry.at];
        return firstChanged(await sql.query(statements.connect, [...orderKeyValues(key), ...facts]))?.order;
      }),
    record: (key, entry) =>
      toStorageResult(() =>
        // The lock comes first, because a statement cannot see rows that others stored while it
        // waited.
        sql.transaction(async (transaction) => {
          await transaction.query(statements.lock, orderKeyValues(key));
          const facts = [timelineText(entry), entry.type, entry.evidence ?? null];
          return (await transaction.query(statements.record, [...orderKeyValues(key), ...facts])).length > 0;
        }),
      ),
    timeline: (key) =>
      toStorageResult(async () =>
        (await sql.query(statements.timeline, orderKeyValues(key))).map(toTimelineEvent),
      ),
    claimQuery: (key, now, interval) =>
      toStorageResult(
        async () =>
          (await sql.query(statements.claimQuery, [...orderKeyValues(key), now, interval])).length > 0,
      ),
    claimDue: (now, limit, lease) =>
      toStorageResult(() =>
        claimDue(
          sql,
          statements.claimDue,
          { now, limit, until: now + lease },
          { all: toOrders, keyOf: ({ bizNo, appId }) => [bizNo, appId] },
        ),
      ),
    dueSince: (now, atMost) =>
      toStorageResult(async () => toDueWork(await sql.query(statements.dueSince, [now, atMost]))),
    schedule: (key, nextQueryAt) =>
      toStorageResult(async () => {
        await sql.query(statements.schedule, [...orderKeyValues(key), nextQueryAt ?? null]);
      }),
  };
}

async function move(
  sql: SqlQueries,
  { transition }: Pick<OrderStatements, "transition">,
  key: OrderKey,
  { from, to, at, pmtDt, walletTradeNo, nextQueryAt, entry }: OrderTransition,
) {
  const facts = [
    from,
    to,
    at,
    pmtDt ?? null,
    walletTradeNo ?? null,
    timelineText(entry),
    nextQueryAt ?? null,
  ];
  const changed = firstChanged(await sql.query(transition, [...orderKeyValues(key), ...facts]));
  return changed && { moved: changed.changed, order: changed.order };
}

function firstOrder([row]: readonly SqlRow[]) {
  return row && toOrder(row);
}

function firstChanged([row]: readonly SqlRow[]) {
  return row && { changed: booleanValue(row, "changed"), order: toOrder(row) };
}
