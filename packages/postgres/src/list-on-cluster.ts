import type { OrderKey, OrderListQuery } from "@tillkit/core";
import { ORDER_COLUMNS } from "./order-row.js";
import { integer, text } from "./row.js";
import type { SqlQueries, SqlRow, SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";
import type { Tables } from "./tables.js";

/** The statements that list the orders of a customer on a cluster. */
export interface ListOnClusterStatements {
  /** A page of the keys, newest first. Placeholders: customer, app, offset, limit. */
  readonly keys: SqlStatement;
  /** Placeholders: customer, app. */
  readonly count: SqlStatement;
  /** Placeholders: app, customer, status. */
  readonly countByStatus: SqlStatement;
  /** Placeholders: app, customer, status, offset, limit. */
  readonly pageByStatus: SqlStatement;
}

/** One page of orders, newest first. */
export interface OrderPage {
  readonly rows: readonly SqlRow[];
  readonly totalCount: number;
}

/** Creates the statements over `tables`. */
export function listOnClusterStatements({
  orders,
  customer_orders: lookup,
}: Pick<Tables, "orders" | "customer_orders">): ListOnClusterStatements {
  const ofCustomer = `from ${lookup} where customer_identity = $1 and app_id = $2`;
  const columns = ORDER_COLUMNS.join(", ");
  const inStatus = `from ${orders} where app_id = $1 and customer_identity = $2 and payment_status = $3`;
  return {
    keys: statement(
      "customer_order_keys",
      `select biz_no ${ofCustomer} order by created_ms desc, id desc offset $3 limit $4`,
    ),
    count: statement("customer_order_count", `select count(*) as total_count ${ofCustomer}`),
    countByStatus: statement("order_count_by_status", `select count(*) as total_count ${inStatus}`),
    pageByStatus: statement(
      "order_page_by_status",
      `select ${columns} ${inStatus} order by created_ms desc, id desc offset $4 limit $5`,
    ),
  };
}

/**
 * Lists the orders of a customer on a cluster.
 *
 * The node of the customer has the keys of the orders. Only the nodes of the page's orders return
 * them. A list of one status asks every node, because the status is stored with the order. `find`
 * returns the row of one order. Concurrent calls of it may share a statement.
 */
export async function listOnCluster(
  sql: SqlQueries,
  { keys, count, countByStatus, pageByStatus }: ListOnClusterStatements,
  find: (key: OrderKey) => Promise<readonly SqlRow[]>,
  { appId, customerIdentity, paymentStatus, offset, limit }: OrderListQuery,
): Promise<OrderPage> {
  if (paymentStatus !== undefined) {
    const filter = [appId, customerIdentity, paymentStatus];
    const [counted] = await sql.query(countByStatus, filter);
    const rows = await sql.query(pageByStatus, [...filter, offset, limit]);
    return { rows, totalCount: totalOf(counted) };
  }
  const page = await sql.query(keys, [customerIdentity, appId, offset, limit]);
  const bizNos = page.map((row) => text(row, "biz_no"));
  const seen = bizNos.length === 0 ? 0 : offset + bizNos.length;
  // The last page shows how many orders there are.
  const isLast = bizNos.length < limit && (bizNos.length > 0 || offset === 0);
  const [found, counted] = await Promise.all([
    Promise.all(bizNos.map((bizNo) => find({ bizNo, appId }))),
    isLast ? [] : sql.query(count, [customerIdentity, appId]),
  ]);
  // A commit reaches the nodes one after the other, so the order of a key may not be there yet.
  return { rows: found.flat(), totalCount: Math.max(seen, totalOf(counted[0])) };
}

function totalOf(row: SqlRow | undefined): number {
  return row === undefined ? 0 : integer(row, "total_count");
}
