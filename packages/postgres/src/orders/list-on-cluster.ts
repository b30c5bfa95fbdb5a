import type { OrderListQuery } from "@tillkit/core/ports";
import { arrayLiteral } from "../sql/array-literal.js";
import { batchInputSql, batchInputValues, rowsByIndex } from "../batching/batch-input.js";
import type { BatchedMethod } from "../batching/batched.js";
import type { ShardedMethod } from "../batching/batched-by-shard.js";
import { ORDER_COLUMNS } from "./order-row.js";
import { orderKeyText, rowKeyText } from "../timeline/order-key.js";
import { integer, optionalText } from "../sql/row.js";
import type { SqlQueries, SqlRow, SqlStatement } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { byShard, type StoreClient } from "../cluster/store-client.js";
import type { Tables } from "../sql/tables.js";

/** The statements that list the orders of a customer on a cluster. */
export interface ListOnClusterStatements {
  /**
   * Pages of keys, newest first, each row with the count of the customer's orders.
   *
   * Placeholders: see {@link batchInputSql}, then the customers as an array literal. A customer
   * without keys on the page has one row without a key.
   */
  readonly pages: SqlStatement;
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

/** The keys of one page of orders, newest first. */
interface KeyPage {
  readonly bizNos: readonly string[];
  readonly totalCount: number;
}

/** Creates the statements over `tables`. */
export function listOnClusterStatements({
  orders,
  customer_orders: lookup,
}: Pick<Tables, "orders" | "customer_orders">): ListOnClusterStatements {
  const asked = batchInputSql("customer_identity text, app_id text, skipped bigint, at_most bigint");
  const ofCustomer = `from ${lookup} where customer_identity = any($2::text[])
    and customer_identity = asked.customer_identity and app_id = asked.app_id`;
  const columns = ORDER_COLUMNS.join(", ");
  const inStatus = `from ${orders} where app_id = $1 and customer_identity = $2 and payment_status = $3`;
  return {
    pages: statement(
      "customer_order_pages",
      `select asked.n, counted.total_count, page.biz_no from ${asked}
       cross join lateral (select count(*) as total_count ${ofCustomer}) counted
       left join lateral (
         select biz_no, created_ms, id ${ofCustomer}
         order by created_ms desc, id desc offset asked.skipped limit asked.at_most
       ) page on true
       order by asked.n, page.created_ms desc, page.id desc`,
    ),
    countByStatus: statement("order_count_by_status", `select count(*) as total_count ${inStatus}`),
    pageByStatus: statement(
      "order_page_by_status",
      `select ${columns} ${inStatus} order by created_ms desc, id desc offset $4 limit $5`,
    ),
  };
}

/** Creates the method that lists the keys of a customer's orders, on the node of the customer. */
export function keyPagesOnCluster({
  pages,
}: Pick<ListOnClusterStatements, "pages">): ShardedMethod<OrderListQuery, KeyPage> {
  const run = async (
    calls: readonly OrderListQuery[],
    sql: SqlQueries,
  ): Promise<ReadonlyMap<number, KeyPage>> => {
    const asked = calls.map(({ appId, customerIdentity, offset, limit }) => ({
      customer_identity: customerIdentity,
      app_id: appId,
      skipped: offset,
      at_most: limit,
    }));
    const customers = arrayLiteral(calls.map(({ customerIdentity }) => customerIdentity));
    const found = rowsByIndex(calls, await sql.query(pages, [...batchInputValues(asked), customers]));
    return new Map(
      [...found].map(([place, rows]) => {
        const bizNos = rows.flatMap((row) => optionalText(row, "biz_no") ?? []);
        return [place, { bizNos, totalCount: totalOf(rows[0]) }];
      }),
    );
  };
  return {
    distributionValueOf: ({ customerIdentity }) => customerIdentity,
    runOne: async (call, sql) => (await run([call], sql)).get(0) ?? { bizNos: [], totalCount: 0 },
    runBatch: run,
  };
}

/**
 * Creates the method that lists the orders of a customer on a cluster.
 *
 * `keysOf` lists the keys on the node of the customer. Then one statement of the coordinator reads
 * the orders of all calls. With direct connections, one statement per shard reads them on the node
 * of the shard.
 */
export function listOnCluster(
  sql: StoreClient,
  table: string,
  { findMany }: { readonly findMany: SqlStatement },
  keysOf: (query: OrderListQuery) => Promise<KeyPage>,
): BatchedMethod<OrderListQuery, OrderPage> {
  const runBatch = async (calls: readonly OrderListQuery[]): Promise<ReadonlyMap<number, OrderPage>> => {
    const pages = await Promise.all(calls.map(keysOf));
    const bizNos = pages.flatMap((page) => page.bizNos);
    const apps = [...new Set(calls.map(({ appId }) => appId))];
    const find = (of: readonly string[], queries: SqlQueries) =>
      queries.query(findMany, [of, apps].map(arrayLiteral));
    const groups = sql.hasNodes ? await byShard(sql, table, bizNos, (bizNo) => bizNo) : [];
    const found = sql.hasNodes
      ? groups.map(({ shard, items }) => find(items, sql.at(shard)))
      : bizNos.length === 0
        ? []
        : [find(bizNos, sql)];
    const rows = (await Promise.all(found)).flat();
    const stored = new Map(rows.map((row) => [rowKeyText(row), row]));
    return new Map(
      pages.map((page, place) => {
        const appId = calls[place]?.appId ?? "";
        // A commit reaches the nodes one after the other, so an order may still be missing on its
        // node.
        const orders = page.bizNos.map((bizNo) => stored.get(orderKeyText({ bizNo, appId })));
        return [place, { rows: orders.filter((row) => row !== undefined), totalCount: page.totalCount }];
      }),
    );
  };
  return {
    maxConcurrent: 1,
    readsNodes: true,
    runOne: async (call) => (await runBatch([call])).get(0) ?? { rows: [], totalCount: 0 },
    runBatch,
  };
}

/**
 * Lists a customer's orders in one status. Queries all nodes, because only `orders` has the status.
 */
export async function listByStatusOnCluster(
  sql: SqlQueries,
  { countByStatus, pageByStatus }: Pick<ListOnClusterStatements, "countByStatus" | "pageByStatus">,
  { appId, customerIdentity, paymentStatus, offset, limit }: OrderListQuery,
): Promise<OrderPage> {
  const filter = [appId, customerIdentity, paymentStatus ?? null];
  const [counted] = await sql.query(countByStatus, filter);
  const rows = await sql.query(pageByStatus, [...filter, offset, limit]);
  return { rows, totalCount: totalOf(counted) };
}

function totalOf(row: SqlRow | undefined): number {
  return row === undefined ? 0 : integer(row, "total_count");
}
