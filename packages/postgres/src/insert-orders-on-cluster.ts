import type { Order, TimelineEntry } from "@tillkit/core";
import { eventValues, hashOf } from "./appending-statement.js";
import type { BatchedMethod } from "./batched.js";
import type { FilledStatement } from "./insert-once.js";
import { ORDER_COLUMNS, orderValues, toOrder } from "./order-row.js";
import { text } from "./row.js";
import type { SqlClient, SqlRow, SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";
import type { Tables } from "./tables.js";
import { TIMELINE_COLUMNS } from "./timeline-sql.js";

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
  tables: Pick<Tables, "orders" | "timeline" | "customer_orders">,
  find: (call: InsertCall) => FilledStatement,
): BatchedMethod<InsertCall, Order> {
  const insertOrders = rowsStatement(
    "order_insert_rows",
    [...ORDER_COLUMNS, "timeline_seq", "timeline_hash"],
    (rows, columns) =>
      `insert into ${tables.orders} (${columns}) values ${rows} on conflict do nothing returning biz_no, app_id`,
  );
  const insertEvents = rowsStatement(
    "timeline_insert_rows",
    TIMELINE_COLUMNS.split(", "),
    (rows, columns) => `insert into ${tables.timeline} (${columns}) values ${rows}`,
  );
  const insertLookups = rowsStatement(
    "customer_order_insert_rows",
    LOOKUP_COLUMNS,
    (rows, columns) => `insert into ${tables.customer_orders} (${columns}) values ${rows}`,
  );
  /** Returns the keys of the orders that were new. */
  const insert = (calls: readonly InsertCall[]): Promise<ReadonlySet<string>> =>
    sql.transaction(async (transaction) => {
      const sorted = calls.toSorted((a, b) => (keyOfCall(a) < keyOfCall(b) ? -1 : 1));
      const values = sorted.flatMap(({ order, entry }) => [
        ...Object.values(orderValues(order)),
        1,
        hashOf({ previous: order.id, entry }),
      ]);
      const rows = await transaction.query(insertOrders(sorted.length), values);
      const made = new Set(rows.map(keyOfRow));
      if (made.size === 0) return made;
      const fresh = sorted.filter((call) => made.has(keyOfCall(call)));
      const events = fresh.flatMap(({ order, entry }) =>
        eventValues({ key: order, seq: 1, previous: order.id, entry }),
      );
      await transaction.query(insertEvents(fresh.length), events);
      const lookups = fresh.flatMap(({ order }) => {
        const row = orderValues(order);
        return LOOKUP_COLUMNS.map((column) => row[column] ?? null);
      });
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
  return JSON.stringify([order.bizNo, order.appId]);
}

function keyOfRow(row: SqlRow): string {
  return JSON.stringify([text(row, "biz_no"), text(row, "app_id")]);
}

/** Returns the statement that inserts a number of rows. Keeps one statement per number. */
function rowsStatement(
  method: string,
  columns: readonly string[],
  write: (rows: string, columns: string) => string,
): (count: number) => SqlStatement {
  const made = new Map<number, SqlStatement>();
  return (count) => {
    const known = made.get(count);
    if (known !== undefined) return known;
    const rows = Array.from(
      { length: count },
      (_, row) => `(${columns.map((_column, index) => `$${row * columns.length + index + 1}`).join(", ")})`,
    );
    const one = statement(method, write(rows.join(", "), columns.join(", ")));
    made.set(count, one);
    return one;
  };
}
