import {
  causesEvent,
  type Order,
  type OrderKey,
  type OrderListQuery,
  type Prepayment,
  timelineText,
} from "@tillkit/core";
import { batched, type BatchOptions } from "./batched.js";
import { orderKeyText, orderKeyValues, orderValues, toOrder } from "./order-row.js";
import type { OrderStatements } from "./order-statements.js";
import { batchedOnServer, changeRows, insertRows, readRows } from "./batched-methods.js";
import { type InsertCall, insertOrdersOnCluster } from "./insert-orders-on-cluster.js";
import { listOnCluster, type OrderPage } from "./list-on-cluster.js";
import { readOnCluster } from "./read-on-cluster.js";
import { integer, text } from "./row.js";
import type { SqlRow } from "./sql-client.js";
import { byDistribution, type StoreClient } from "./store-client.js";
import type { Tables } from "./tables.js";

/** The batched methods of the order store. */
export interface OrderBatches {
  /** Stores an order and its first event, or finds the existing order. Returns the stored order. */
  readonly insert: (call: InsertCall) => Promise<Order>;
  readonly find: (key: OrderKey) => Promise<readonly SqlRow[]>;
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

/** The maximum batch size of inserts on a cluster. A longer statement does not save more. */
const INSERTS_AT_MOST = 16;

/** Creates the batched methods. Calls that a batch leaves open run as `statements`. */
export function orderBatches(
  sql: StoreClient,
  tables: Tables,
  statements: OrderStatements,
  batching: BatchOptions = {},
): OrderBatches {
  const { maxBatchSize = LISTS_AT_MOST } = batching;
  const lists = { maxBatchSize: Math.min(maxBatchSize, LISTS_AT_MOST) };
  const list = batched(readRows(sql, statements.list, pageRecord), lists);
  const listByStatus = batched(readRows(sql, statements.listByStatus, pageRecord), lists);
  const find = readRows(sql, statements.find, keyRecord);
  const findStored = ({ order }: InsertCall) => ({
    statement: statements.find.one,
    values: orderKeyValues(order),
  });
  const inserts = insertRows(
    sql,
    statements.insert,
    ({ order, entry }: InsertCall) => ({ ...orderValues(order), entry: timelineText(entry) }),
    findStored,
  );
  const attachments = changeRows(sql, statements.attachPrepayment, ({ key, prepayment }: PrepaymentCall) => ({
    ...keyRecord(key),
    issued_ms: prepayment.issuedAt,
    valid_ms: prepayment.validUntil,
    prepayment: JSON.stringify(prepayment.values),
  }));
  const insertOnServer = batched(
    {
      keyOf: ({ order }: InsertCall) => orderKeyText(order),
      runOne: inserts.runOne,
      runBatch: async (calls) => {
        const stored = new Map(await inserts.runBatch(calls));
        const places = [...calls.keys()].filter((place) => !stored.has(place));
        if (places.length === 0) return stored;
        const repeated = calls.filter((_, place) => !stored.has(place)).map(({ order }) => order);
        for (const [nth, [row]] of await find.runBatch(repeated)) {
          const place = places[nth];
          if (place !== undefined && row !== undefined) stored.set(place, row);
        }
        return stored;
      },
    },
    batching,
  );
  const findOnCluster = batched(
    readOnCluster(sql, {
      one: statements.find.one,
      values: orderKeyValues,
      many: statements.findMany,
      keyOf: ({ bizNo, appId }: OrderKey) => [bizNo, appId],
      keyOfRow: (row) => [text(row, "biz_no"), text(row, "app_id")],
    }),
    batching,
  );
  return {
    insert: byDistribution(sql, {
      // A new order causes no event for handlers, so the batch need not look for them.
      server: async (call) =>
        toOrder(await (causesEvent(call.entry) ? inserts.runOne(call) : insertOnServer(call))),
      cluster: batched(insertOrdersOnCluster(sql, tables, findStored), {
        maxBatchSize: Math.min(batching.maxBatchSize ?? INSERTS_AT_MOST, INSERTS_AT_MOST),
      }),
    }),
    find: byDistribution(sql, { server: batched(find, batching), cluster: findOnCluster }),
    list: byDistribution(sql, {
      server: async (query) => {
        const rows = await (query.paymentStatus === undefined ? list : listByStatus)(query);
        const found = rows.filter((row) => row["id"] !== null);
        return { rows: found, totalCount: rows[0] === undefined ? 0 : integer(rows[0], "total_count") };
      },
      cluster: (query) => listOnCluster(sql, statements.listOnCluster, findOnCluster, query),
    }),
    attachPrepayment: batchedOnServer(
      sql,
      { keyOf: ({ key }: PrepaymentCall) => orderKeyText(key), ...attachments },
      batching,
    ),
  };
}

function keyRecord({ bizNo, appId }: OrderKey) {
  return { biz_no: bizNo, app_id: appId };
}

function pageRecord({ appId, customerIdentity, paymentStatus, offset, limit }: OrderListQuery) {
  const filter = {
    app_id: appId,
    customer_identity: customerIdentity,
    payment_status: paymentStatus ?? null,
  };
  return { ...filter, skipped: offset, at_most: limit };
}
