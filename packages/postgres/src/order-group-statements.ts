import { askedSql } from "./asked.js";
import { ORDER_COLUMNS, orderColumns } from "./order-row.js";
import type { SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";
import type { Tables } from "./tables.js";
import { appendSql, hashSql } from "./timeline-sql.js";

/** The statements of the order store that serve several calls: `$1` is the asks, and each row but those of `insert` has the place of its ask in `n`. */
export interface OrderGroupStatements {
  /** The columns of each order, and its `entry`; gives the orders that are new. */
  readonly insert: SqlStatement;
}

const COLUMNS = orderColumns();
/** Times and money are numbers, everything else is text. */
const TYPED = ORDER_COLUMNS.map((column) => `${column} ${/_(ms|cents)$/.test(column) ? "bigint" : "text"}`);

/** The statements of groups of the order store over `tables`. */
export function orderGroupStatements(tables: Tables): OrderGroupStatements {
  const { orders } = tables;
  return {
    // Rows go in by the order of their keys: two groups that meet wait for each other at the first key they share, and never in a circle.
    insert: statement(
      "order_insert_grouped",
      `with asked as (
         select * from ${askedSql(`${TYPED.join(", ")}, entry text`)}
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
