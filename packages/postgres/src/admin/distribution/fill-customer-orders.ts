import type { DistributionStep } from "./plan-distribution.js";
import { booleanValue } from "../../sql/row.js";
import type { SqlQueries } from "../../sql/sql-client.js";
import { statement } from "../../sql/statement.js";
import { tablesOf } from "../../sql/tables.js";

/**
 * Returns the step that adds the orders which `customer_orders` lacks.
 *
 * A host does not write to this table on a single server, or if it started before the tables were
 * distributed. Returns no step if both tables have the same number of rows.
 */
export async function plannedFill(sql: SqlQueries, schema: string): Promise<readonly DistributionStep[]> {
  const { orders, customer_orders: lookup } = tablesOf(schema);
  const compare = statement(
    "distribution_count_orders",
    `select (select count(*) from ${orders}) <> (select count(*) from ${lookup}) as differ`,
  );
  const [row] = await sql.query(compare, []);
  if (row === undefined || !booleanValue(row, "differ")) return [];
  const columns = "customer_identity, app_id, created_ms, id, biz_no";
  return [
    {
      action: "fill",
      subject: "customer_orders",
      sql: `insert into ${lookup} (${columns}) select ${columns} from ${orders} on conflict do nothing`,
    },
  ];
}
