import { causesEvent, type Order, type TimelineEntry } from "@tillkit/core";
import { eventAppender, newEvent, type NewEvent } from "./append-events.js";
import type { BatchedMethod } from "./batched.js";
import { handlerNames, handlersSql } from "./handler-names.js";
import type { FilledStatement } from "./insert-once.js";
import { insertRowsStatement } from "./insert-rows-statement.js";
import { ORDER_COLUMNS, orderKeyText, orderValues, toOrder } from "./order-row.js";
import { text } from "./row.js";
import type { SqlClient, SqlQueries, SqlRow } from "./sql-client.js";
import { statement } from "./statement.js";
import type { Tables } from "./tables.js";

/** The columns of `customer_orders`, which are columns of the order. */
const LOOKUP_COLUMNS = ["customer_identity", "app_id", "created_ms", "id", "biz_no"];

/** An order to store, with its first event. */
export interface InsertCall {
  readonly order: Order;
  readonly entry: TimelineEntry;
}

/**
 * Creates the batched method that stores orders with their first events on a cluster.
 *
 * Each table takes one statement with a row per call, because a cluster splits such a statement by
 * node. The statements of a batch are one transaction. A batch has no row for a call whose order
 * exists already. Such a call then runs alone, and finds the order with `find`.
 */
export function insertOrdersOnCluster(
  sql: SqlClient,
  tables: Pick<Tables, "orders" | "timeline" | "customer_orders" | "event_handlers" | "event_deliveries">,
  find: (call: InsertCall) => FilledStatement,
): BatchedMethod<InsertCall, Order> {
  const insertOrders = insertRowsStatement(
    "order_insert_rows",
    [...ORDER_COLUMNS, "timeline_seq", "timeline_hash"],
    (rows, columns) =>
      `insert into ${tables.orders} (${columns}) values ${rows} on conflict do nothing returning biz_no, app_id`,
  );
  const append = eventAppender(tables);
  const insertLookups = insertRowsStatement(
    "customer_order_insert_rows",
    LOOKUP_COLUMNS,
    (rows, columns) => `insert into ${tables.customer_orders} (${columns}) values ${rows}`,
  );
  const listHandlers = statement("event_handler_names", `select ${handlersSql(tables)} as handlers`);
  /** Reads the handlers only if an event is delivered to them, because a new order causes none. */
  const handlersOf = async (queries: SqlQueries, fresh: readonly { readonly event: NewEvent }[]) => {
    if (!fresh.some(({ event }) => causesEvent(event.entry))) return [];
    return (await queries.query(listHandlers, [])).flatMap(handlerNames);
  };
  /** Returns the keys of the orders that were new. */
  const insert = (calls: readonly InsertCall[]): Promise<ReadonlySet<string>> =>
    sql.transaction(async (transaction) => {
      const sorted = calls
        .toSorted((a, b) => (keyOfCall(a) < keyOfCall(b) ? -1 : 1))
        .map((call) => ({
          key: keyOfCall(call),
          row: orderValues(call.order),
          event: newEvent({ key: call.order, seq: 1, previousHash: call.order.id, entry: call.entry }),
        }));
      const values = sorted.flatMap(({ row, event }) => [...Object.values(row), event.seq, event.hash]);
      const rows = await transaction.query(insertOrders(sorted.length), values);
      const made = new Set(rows.map(keyOfRow));
      if (made.size === 0) return made;
      const fresh = sorted.filter(({ key }) => made.has(key));
      await append(
        transaction,
        fresh.map(({ event }) => event),
        await handlersOf(transaction, fresh),
      );
      const lookups = fresh.flatMap(({ row }) => LOOKUP_COLUMNS.map((column) => row[column] ?? null));
      await transaction.query(insertLookups(fresh.length), lookups);
      return made;
    });
  return {
    keyOf: keyOfCall,
    runOne: async (call) => {
      if ((await insert([call])).size > 0) return call.order;
      const { statement: finding, values } = find(call);
      const [stored] = await sql.query(finding, values);
      if (stored === undefined) throw new Error("The order was neither stored nor found.");
      return toOrder(stored);
    },
    runBatch: async (calls) => {
      const made = await insert(calls);
      return new Map(
        calls.flatMap((call, place) => (made.has(keyOfCall(call)) ? [[place, call.order] as const] : [])),
      );
    },
  };
}

function keyOfCall({ order }: InsertCall): string {
  return orderKeyText(order);
}

function keyOfRow(row: SqlRow): string {
  return orderKeyText({ bizNo: text(row, "biz_no"), appId: text(row, "app_id") });
}
