import type { OrderListQuery } from "@tillkit/core";
import { arrayLiteral } from "./array-literal.js";
import { ORDER_COLUMNS } from "./order-row.js";
import { integer, text } from "./row.js";
import type { SqlQueries, SqlRow, SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";
import type { Tables } from "./tables.js";

/** The statements that list the orders of a customer on a cluster. */
export interface ListOnClusterStatements {
  /**
   * One page of the keys of a customer's orders, newest first. Each row has the `total_count`.
   *
   * A page without orders is one row without a key. Placeholders: customer, app, offset, limit.
   */
  readonly keys: SqlStatement;
  /** Placeholders: `bizNo`s as an array literal, app. */
  readonly findAll: SqlStatement;
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
      `select counted.total_count, page.biz_no from (select count(*) as total_count ${ofCustomer}) counted
       left join lateral (
         select biz_no, created_ms, id ${ofCustomer} order by created_ms desc, id desc offset $3 limit $4
       ) page on true
       order by page.created_ms desc, page.id desc`,
    ),
    findAll: statement(
      "order_find_all",
      `select ${columns} from ${orders} where biz_no = any($1::text[]) and app_id = $2`,
    ),
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
 * them. A list of one status asks every node, because the status is stored with the order.
 */
export async function listOnCluster(
  sql: SqlQueries,
  { keys, findAll, countByStatus, pageByStatus }: ListOnClusterStatements,
  { appId, customerIdentity, paymentStatus, offset, limit }: OrderListQuery,
): Promise<OrderPage> {
  if (paymentStatus !== undefined) {
    const filter = [appId, customerIdentity, paymentStatus];
    const [counted] = await sql.query(countByStatus, filter);
    const rows = await sql.query(pageByStatus, [...filter, offset, limit]);
    return { rows, totalCount: totalOf(counted) };
  }
  const page = await sql.query(keys, [customerIdentity, appId, offset, limit]);
  const bizNos = page.filter((row) => row["biz_no"] !== null).map((row) => text(row, "biz_no"));
  if (bizNos.length === 0) return { rows: [], totalCount: totalOf(page[0]) };
  const found = new Map(
    (await sql.query(findAll, [arrayLiteral(bizNos), appId])).map((row) => [text(row, "biz_no"), row]),
  );
  // A commit reaches the nodes one after the other, so the order of a key may not be there yet.
  const rows = bizNos.map((bizNo) => found.get(bizNo)).filter((row) => row !== undefined);
  return { rows, totalCount: totalOf(page[0]) };
}

function totalOf(row: SqlRow | undefined): number {
  return row === undefined ? 0 : integer(row, "total_count");
}
