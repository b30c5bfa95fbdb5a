import type { OrderKey } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import type { ResultAsync } from "neverthrow";
import { text } from "../sql/row.js";
import type { SqlRunner } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";
import { toStorageResult } from "../client/to-storage-result.js";

/** An order whose id another order has too. */
export type DoubledId = OrderKey & { readonly id: string };

/**
 * Returns orders that share their id with another order.
 *
 * Reads the whole index on the id, and fails with `storage.unavailable` after `timeoutMs`.
 *
 * @returns the orders of up to `limit` ids, sorted by id and key.
 * @example
 * ```ts
 * import { findDoubledIds } from "@tillkit/postgres";
 *
 * const doubled = await findDoubledIds(sql, "tillkit", { limit: 20, timeoutMs: 10_000 });
 * ```
 */
export function findDoubledIds(
  sql: SqlRunner,
  schema: string,
  { limit, timeoutMs }: { readonly limit: number; readonly timeoutMs: number },
): ResultAsync<readonly DoubledId[], StorageFailure> {
  const { orders } = tablesOf(schema);
  const ids = statement(
    "doubled_ids",
    `select id from ${orders} group by id having count(*) > 1 order by id limit $1`,
  );
  const owners = statement(
    "doubled_id_orders",
    `select id, app_id, biz_no from ${orders}
     where id = any(array(select json_array_elements_text($1::text::json))) order by id, app_id, biz_no`,
  );
  return toStorageResult(() =>
    sql.transaction(async (transaction) => {
      await transaction.script(`set local statement_timeout = ${Math.round(timeoutMs)}`);
      const found = (await transaction.query(ids, [limit])).map((row) => text(row, "id"));
      if (found.length === 0) return [];
      const rows = await transaction.query(owners, [JSON.stringify(found)]);
      return rows.map((row) => ({
        id: text(row, "id"),
        appId: text(row, "app_id"),
        bizNo: text(row, "biz_no"),
      }));
    }),
  );
}
