import { batchInputSql } from "./batch-input.js";
import { ORDER_COLUMNS, orderColumns } from "./order-row.js";
import type { SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";
import type { Tables } from "./tables.js";
import { appendSql, hashSql } from "./timeline-sql.js";

/** The batch statements of the order store that have no single form. `$1` is the batch. */
export interface OrderBatchStatements {
  /** Each call has the columns of an order and its `entry`. Returns the orders that are new. */
  readonly insert: SqlStatement;
}

const COLUMNS = orderColumns();
/** Columns of times and money have the type bigint. All others have the type text. */
const TYPED = ORDER_COLUMNS.map((column) => `${column} ${/_(ms|cents)$/.test(column) ? "bigint" : "text"}`);

/** Creates the batch statements of the order store over `tables`. */
export function orderBatchStatements(tables: Tables): OrderBatchStatements {
  const { orders } = tables;
  return {
    // Rows are inserted in the order of their keys, so that two batches cannot deadlock.
    insert: statement(
      "order_insert_grouped",
      `with asked as (
         select * from ${batchInputSql(`${TYPED.join(", ")}, entry text`)}
       ), made as (
         insert into ${orders} (${COLUMNS}, timeline_seq, timeline_hash)
         select ${COLUMNS}, 1, ${hashSql("id", "entry")} from asked order by biz_no, app_id
         on conflict do nothing
         returning ${COLUMNS}, timeline_hash
       ), begun as (
         select entry, made.* from asked join made using (biz_no, app_id)
       ), event as (
         ${appendSql(tables, { from: "begun", entry: "entry", seq: "1", previous: "id", hash: "timeline_hash" })}
       )
       select ${COLUMNS} from made`,
    ),
  };
}
