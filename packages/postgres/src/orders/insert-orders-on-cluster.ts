import type { Order, TimelineEntry } from "@tillkit/core";
import { eventAppender, newEvent } from "../timeline/append-events.js";
import type { CallValues } from "../batching/batch-input.js";
import { batched, type BatchOptions } from "../batching/batched.js";
import { batchedByNode } from "../batching/batched-by-shard.js";
import { handlersReader } from "../timeline/handler-names.js";
import type { FilledStatement } from "../batching/insert-once.js";
import { insertRowsStatement } from "../sql/insert-rows-statement.js";
import { ORDER_COLUMNS, orderValues, toOrder } from "./order-row.js";
import { orderKeyText, rowKeyText } from "../timeline/order-key.js";
import type { SqlQueries, SqlRunner, SqlValue } from "../sql/sql-client.js";
import type { StoreClient } from "../cluster/store-client.js";
import type { Tables } from "../sql/tables.js";

/** The columns of `customer_orders`, which are columns of the order. */
export const LOOKUP_COLUMNS = ["customer_identity", "app_id", "created_ms", "id", "biz_no"] as const;

/** Returns a function that creates the statement for a number of rows of `customer_orders`. */
export function lookupInserter({ customer_orders }: Pick<Tables, "customer_orders">) {
  return insertRowsStatement(
    "customer_order_insert_rows",
    LOOKUP_COLUMNS,
    (rows, columns) => `insert into ${customer_orders} (${columns}) values ${rows}`,
  );
}

/** An order to store, with its first event. */
export interface InsertCall {
  readonly order: Order;
  readonly entry: TimelineEntry;
}

/** Stores those orders of `calls` that are new, with their first events. Returns their keys. */
export type OrderInserter = (
  transaction: SqlQueries,
  calls: readonly InsertCall[],
) => Promise<ReadonlySet<string>>;

type OrderTables = Pick<
  Tables,
  "orders" | "timeline" | "customer_orders" | "event_handlers" | "event_deliveries"
>;

/**
 * Creates the function that stores orders with their first events in a transaction on a cluster.
 *
 * One statement per table inserts a row for each call. Citus splits the statement by shard.
 */
export function orderInserterOnCluster(tables: OrderTables): OrderInserter {
  const insertOrders = insertRowsStatement(
    "order_insert_rows",
    [...ORDER_COLUMNS, "timeline_seq", "timeline_hash"],
    (rows, columns) =>
      `insert into ${tables.orders} (${columns}) values ${rows} on conflict do nothing returning biz_no, app_id`,
    ["timeline_hash"],
  );
  const append = eventAppender(tables);
  const insertLookups = lookupInserter(tables);
  const readHandlers = handlersReader(tables);
  return async (transaction, calls) => {
    const sorted = calls
      .toSorted((a, b) => (keyOfCall(a) < keyOfCall(b) ? -1 : 1))
      .map((call) => ({
        key: keyOfCall(call),
        row: orderValues(call.order),
        event: newEvent({ key: call.order, seq: 1, previousHash: call.order.id, entry: call.entry }),
      }));
    const values = sorted.flatMap(({ row, event }) => [
      ...valuesOf(row, ORDER_COLUMNS),
      event.seq,
      event.hash,
    ]);
    const rows = await transaction.query(insertOrders(sorted.length), values);
    const made = new Set(rows.map(rowKeyText));
    if (made.size === 0) return made;
    const fresh = sorted.filter(({ key }) => made.has(key));
    await append(
      transaction,
      fresh.map(({ event }) => event),
      await readHandlers(
        transaction,
        fresh.map(({ event }) => event.entry),
      ),
    );
    const lookups = fresh.flatMap(({ row }) => valuesOf(row, LOOKUP_COLUMNS));
    await transaction.query(insertLookups(fresh.length), lookups);
    return made;
  };
}

/**
 * Creates the function that stores orders with their first events on a cluster.
 *
 * Concurrent calls share one transaction. With direct connections, a batch has the orders of one
 * node, and runs there. A batch has no result for a call whose order exists already. Such a call
 * then runs alone, and finds the order with `find`.
 */
export function insertOrdersOnCluster(
  sql: StoreClient,
  tables: OrderTables,
  find: (call: InsertCall) => FilledStatement,
  batching: BatchOptions,
): (call: InsertCall) => Promise<Order> {
  const insertNew = orderInserterOnCluster(tables);
  /** Returns the keys of the orders that were new. */
  const insert = (calls: readonly InsertCall[], runner: SqlRunner): Promise<ReadonlySet<string>> =>
    runner.transaction((transaction) => insertNew(transaction, calls));
  const runOne = async (call: InsertCall, runner: SqlRunner): Promise<Order> => {
    if ((await insert([call], runner)).size > 0) return call.order;
    const { statement: finding, values } = find(call);
    const [stored] = await runner.query(finding, values);
    if (stored === undefined) throw new Error("The order was neither stored nor found.");
    return toOrder(stored);
  };
  const runBatch = async (calls: readonly InsertCall[], runner: SqlRunner) => {
    const made = await insert(calls, runner);
    return new Map(
      calls.flatMap((call, place) => (made.has(keyOfCall(call)) ? [[place, call.order] as const] : [])),
    );
  };
  if (sql.hasNodes) {
    const distributionValueOf = ({ order }: InsertCall) => order.bizNo;
    const method = { keyOf: keyOfCall, distributionValueOf, runOne, runBatch };
    return batchedByNode(sql, tables.orders, method, batching);
  }
  return batched(
    {
      maxConcurrent: 1,
      keyOf: keyOfCall,
      runOne: (call) => runOne(call, sql),
      runBatch: (calls) => runBatch(calls, sql),
    },
    batching,
  );
}

function valuesOf(row: CallValues, columns: readonly string[]): readonly SqlValue[] {
  return columns.map((column) => row[column] ?? null);
}

/** Returns the key of the order of a call as one text. */
export function keyOfCall({ order }: InsertCall): string {
  return orderKeyText(order);
}
