import type { Order, OrderKey, Prepayment } from "@tillkit/core";
import { causesEvent, type OrderListQuery } from "@tillkit/core/ports";
import { batched, type BatchOptions } from "../batching/batched.js";
import { batchedByShard } from "../batching/batched-by-shard.js";
import { orderValues, toOrder } from "./order-row.js";
import { orderKeyText, orderKeyValues } from "../timeline/order-key.js";
import type { OrderStatements } from "./order-statements.js";
import { batchedOnServer, changeRows, readRows } from "../batching/batched-methods.js";
import { type InsertCall, insertOrdersOnCluster } from "./insert-orders-on-cluster.js";
import {
  keyPagesOnCluster,
  listByStatusOnCluster,
  listOnCluster,
  type OrderPage,
} from "./list-on-cluster.js";
import { readOnCluster } from "../batching/read-on-cluster.js";
import { integer, jsonRow, text } from "../sql/row.js";
import type { SqlQueries, SqlRow } from "../sql/sql-client.js";
import { byDistribution, type StoreClient } from "../cluster/store-client.js";
import type { Tables } from "../sql/tables.js";

/** The batched methods of the order store. */
export interface OrderBatches {
  /** Stores an order and its first event, or finds the existing order. Returns the stored order. */
  readonly insert: (call: InsertCall) => Promise<Order>;
  readonly find: (key: OrderKey) => Promise<readonly SqlRow[]>;
  readonly findOwn: (call: OwnOrderCall) => Promise<readonly SqlRow[]>;
  /** Returns the rows in the order of the page, and the count of all matching orders. */
  readonly list: (query: OrderListQuery) => Promise<OrderPage>;
  readonly attachPrepayment: (call: PrepaymentCall) => Promise<readonly SqlRow[]>;
}

/** The prepayment to store, with the key of its order. */
interface PrepaymentCall {
  readonly key: OrderKey;
  readonly prepayment: Prepayment;
}

/** The maximum batch size of lists. Each call of a batch waits for the longest list. */
const LISTS_AT_MOST = 8;

/** The maximum batch size of lists on a cluster, where a statement costs more than its rows. */
const LISTS_ON_CLUSTER_AT_MOST = 16;

/** The maximum batch size of inserts on a cluster. Larger batches are not faster. */
const INSERTS_AT_MOST = 16;

/** A call for the order of one customer. */
interface OwnOrderCall {
  readonly key: OrderKey;
  readonly customerIdentity: string;
}

/** Creates the batched methods. A call that gets no result from its batch runs again alone. */
export function orderBatches(
  sql: StoreClient,
  tables: Tables,
  statements: OrderStatements,
  batching: BatchOptions = {},
): OrderBatches {
  const atMost = (most: number): BatchOptions => ({
    maxBatchSize: Math.min(batching.maxBatchSize ?? most, most),
  });
  const lists = atMost(LISTS_AT_MOST);
  const list = batched(readRows(sql, statements.list, pageRecord), lists);
  const listByStatus = batched(readRows(sql, statements.listByStatus, pageRecord), lists);
  const find = readRows(sql, statements.find, keyRecord);
  const findStored = ({ order }: InsertCall) => ({
    statement: statements.find.one,
    values: orderKeyValues(order),
  });
  const inserts = readRows(sql, statements.insert, ({ order, entry }: InsertCall) =>
    orderValues(order, entry),
  );
  const attachments = (queries: SqlQueries) =>
    changeRows(queries, statements.attachPrepayment, ({ key, prepayment }: PrepaymentCall) => ({
      biz_no: key.bizNo,
      app_id: key.appId,
      issued_ms: prepayment.issuedAt,
      valid_ms: prepayment.validUntil,
      prepayment: JSON.stringify(prepayment.values),
    }));
  // A newly stored order equals the given order, so the database does not return it.
  const insertOne = async (call: InsertCall): Promise<Order> => {
    const [inserted] = await inserts.runOne(call);
    if (inserted !== undefined) return call.order;
    const [stored] = await find.runOne(call.order);
    if (stored === undefined) throw new Error("The order was neither stored nor found.");
    return toOrder(stored);
  };
  const insertOnServer = batched(
    {
      keyOf: ({ order }: InsertCall) => orderKeyText(order),
      runOne: insertOne,
      runBatch: async (calls) => {
        const inserted = await inserts.runBatch(calls);
        const results = new Map<number, Order>();
        const repeated: number[] = [];
        for (const [place, { order }] of calls.entries()) {
          if (inserted.get(place)?.length === 1) results.set(place, order);
          else repeated.push(place);
        }
        if (repeated.length === 0) return results;
        const existing = await find.runBatch(repeated.flatMap((place) => calls[place]?.order ?? []));
        for (const [nth, place] of repeated.entries()) {
          const [row] = existing.get(nth) ?? [];
          if (row !== undefined) results.set(place, toOrder(row));
        }
        return results;
      },
    },
    batching,
  );
  const listKeyPages = batched(
    listOnCluster(
      sql,
      tables.orders,
      statements,
      batchedByShard(sql, tables.customer_orders, keyPagesOnCluster(statements.listOnCluster), batching),
    ),
    atMost(LISTS_ON_CLUSTER_AT_MOST),
  );
  return {
    insert: byDistribution(sql, {
      // Batches do not look for event handlers, so an order whose entry causes an event runs alone.
      server: (call) => (causesEvent(call.entry) ? insertOne(call) : insertOnServer(call)),
      cluster: insertOrdersOnCluster(sql, tables, findStored, atMost(INSERTS_AT_MOST)),
    }),
    find: byDistribution(sql, {
      server: batched(find, batching),
      cluster: readOnCluster(
        sql,
        {
          table: tables.orders,
          ...statements.findOnCluster,
          values: orderKeyValues,
          keyOf: ({ bizNo, appId }: OrderKey) => [bizNo, appId],
          toRow: (row) => jsonRow(row, "stored"),
          keyOfRow: (row) => [text(row, "biz_no"), text(row, "app_id")],
        },
        batching,
      ),
    }),
    findOwn: byDistribution(sql, {
      server: batched(
        readRows(sql, statements.findOwn, ({ key, customerIdentity }: OwnOrderCall) => ({
          ...keyRecord(key),
          customer_identity: customerIdentity,
        })),
        batching,
      ),
      cluster: readOnCluster(
        sql,
        {
          table: tables.orders,
          ...statements.findOwnOnCluster,
          values: ({ key, customerIdentity }: OwnOrderCall) => [...orderKeyValues(key), customerIdentity],
          keyOf: ({ key, customerIdentity }: OwnOrderCall) => [key.bizNo, key.appId, customerIdentity],
          toRow: (row) => jsonRow(row, "stored"),
          keyOfRow: (row) => ["biz_no", "app_id", "customer_identity"].map((column) => text(row, column)),
        },
        batching,
      ),
    }),
    list: byDistribution(sql, {
      server: async (query) => {
        const rows = await (query.paymentStatus === undefined ? list : listByStatus)(query);
        const found = rows.filter((row) => row["id"] !== null);
        return { rows: found, totalCount: rows[0] === undefined ? 0 : integer(rows[0], "total_count") };
      },
      cluster: (query) =>
        query.paymentStatus === undefined
          ? listKeyPages(query)
          : listByStatusOnCluster(sql, statements.listOnCluster, query),
    }),
    attachPrepayment: batchedOnServer(
      sql,
      { table: tables.orders, valueOf: ({ key }: PrepaymentCall) => key.bizNo },
      (queries) => ({
        keyOf: ({ key }: PrepaymentCall) => orderKeyText(key),
        ...attachments(queries),
      }),
      batching,
    ),
  };
}

function keyRecord({ bizNo, appId }: OrderKey) {
  return { biz_no: bizNo, app_id: appId };
}

function pageRecord({ appId, customerIdentity, paymentStatus, offset, limit }: OrderListQuery) {
  return {
    app_id: appId,
    customer_identity: customerIdentity,
    payment_status: paymentStatus ?? null,
    skipped: offset,
    at_most: limit,
  };
}
