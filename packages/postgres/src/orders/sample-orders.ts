import type { OrderKey } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import type { ResultAsync } from "neverthrow";
import { integer, text } from "../sql/row.js";
import type { SqlQueries } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";
import { toStorageResult } from "../client/to-storage-result.js";

/** The maximum number of orders in the two parts of a sample. */
export interface SampleSize {
  /** The newest orders. */
  readonly newest: number;
  /** Orders from the whole time since the first order. */
  readonly spread: number;
}

/** How many orders the sample takes from one point in time. */
const AT_ONCE = 10;

/**
 * Returns the keys of the newest orders, and of orders from the whole time since the first one.
 *
 * Reads a bounded number of rows by the index on the creation time, however long the table is. Two
 * calls return the same orders if no order was created in between.
 *
 * @returns the keys, each once.
 * @example
 * ```ts
 * import { sampleOrders } from "@tillkit/postgres";
 *
 * const keys = await sampleOrders(sql, "tillkit", { newest: 200, spread: 200 });
 * ```
 */
export function sampleOrders(
  sql: SqlQueries,
  schema: string,
  { newest, spread }: SampleSize,
): ResultAsync<readonly OrderKey[], StorageFailure> {
  const { orders } = tablesOf(schema);
  const latest = statement(
    "sample_newest",
    `select app_id, biz_no, created_ms from ${orders} order by created_ms desc limit $1`,
  );
  const after = statement(
    "sample_after",
    `select app_id, biz_no, created_ms from ${orders} where created_ms >= $1 order by created_ms limit $2`,
  );
  return toStorageResult(async () => {
    const rows = [...(await sql.query(latest, [newest]))];
    const [first] = await sql.query(after, [0, 1]);
    const [last] = rows;
    if (first === undefined || last === undefined) return [];
    const from = integer(first, "created_ms");
    const points = Math.ceil(spread / AT_ONCE);
    const step = (integer(last, "created_ms") - from) / points;
    for (let nth = 0; nth < points; nth += 1)
      rows.push(...(await sql.query(after, [from + Math.floor(nth * step), AT_ONCE])));
    const keys = rows.map((row) => ({ appId: text(row, "app_id"), bizNo: text(row, "biz_no") }));
    return [...new Map(keys.map((key) => [JSON.stringify([key.appId, key.bizNo]), key])).values()];
  });
}
