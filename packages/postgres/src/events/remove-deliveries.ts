import type { EventDeliveryStatements } from "./event-delivery-statements.js";
import { text } from "../sql/row.js";
import type { SqlQueries } from "../sql/sql-client.js";

/** The number of rows that one statement removes, so that it ends before its timeout. */
const PAGE = 1_000;

/**
 * Removes the deliveries of a handler, in a transaction of the caller.
 *
 * Locks the rows in the order of their keys, as claims do.
 */
export async function removeDeliveries(
  transaction: Pick<SqlQueries, "query">,
  { ofHandler, remove }: Pick<EventDeliveryStatements, "ofHandler" | "remove">,
  handler: string,
): Promise<void> {
  let [lastBizNo, lastAppId] = ["", ""];
  for (;;) {
    const page = await transaction.query(ofHandler, [handler, lastBizNo, lastAppId, PAGE]);
    const keys = page.map((row) => ({
      biz_no: text(row, "biz_no"),
      app_id: text(row, "app_id"),
      handler: text(row, "handler"),
    }));
    const last = keys.at(-1);
    if (last === undefined) return;
    await transaction.query(remove, [JSON.stringify(keys)]);
    if (keys.length < PAGE) return;
    [lastBizNo, lastAppId] = [last.biz_no, last.app_id];
  }
}
