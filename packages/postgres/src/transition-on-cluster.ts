import type { OrderKey, OrderTransition } from "@tillkit/core";
import { eventAppender, newEvent } from "./append-events.js";
import { handlerNames, handlersSql } from "./handler-names.js";
import { orderColumns, orderKeyValues } from "./order-row.js";
import { integer, text } from "./row.js";
import type { SqlQueries, SqlRow, SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";
import type { StoreClient } from "./store-client.js";
import type { Tables } from "./tables.js";

/** A change of the payment status. */
export interface TransitionCall {
  readonly key: OrderKey;
  readonly change: OrderTransition;
}

/** The row of an order, and whether the call changed it. */
export interface TransitionRow {
  readonly changed: boolean;
  readonly row: SqlRow;
}

/** The maximum number of attempts while others append events to the same timeline. */
const ATTEMPTS = 20;

/**
 * Creates the function that changes the payment status on a cluster.
 *
 * Reads the end of the timeline without a lock, and computes the next hash. The update repeats the
 * conditions, so it changes nothing if another call was faster. Each statement names the key, and
 * has one table, so that the cluster plans it at the lowest cost. `find` reads an order by its key.
 */
export function transitionOnCluster(
  sql: StoreClient,
  tables: Pick<Tables, "orders" | "timeline" | "event_handlers" | "event_deliveries">,
  find: SqlStatement,
) {
  const ofKey = "biz_no = $1 and app_id = $2";
  const head = statement(
    "order_head",
    `select payment_status, timeline_seq, timeline_hash, ${handlersSql(tables)} as handlers from ${tables.orders} where ${ofKey}`,
  );
  const update = statement(
    "order_transition_row",
    `update ${tables.orders} set payment_status = $4, modified_ms = $5, paid_ms = coalesce($6, paid_ms),
       wallet_trade_no = coalesce($7, wallet_trade_no), next_query_ms = $8, timeline_seq = $9, timeline_hash = $10
     where ${ofKey} and payment_status = $3 and timeline_seq = $9 - 1
     returning ${orderColumns()}`,
  );
  const append = eventAppender(tables);

  const tryOnce = async (queries: SqlQueries, { key, change }: TransitionCall, end: SqlRow) => {
    const { from, to, at, pmtDt, walletTradeNo, nextQueryAt, entry } = change;
    const seq = integer(end, "timeline_seq") + 1;
    const event = newEvent({ key, seq, previousHash: text(end, "timeline_hash"), entry });
    const facts = [from, to, at, pmtDt ?? null, walletTradeNo ?? null, nextQueryAt ?? null];
    const [row] = await queries.query(update, [...orderKeyValues(key), ...facts, seq, event.hash]);
    if (row !== undefined) await append(queries, [event], handlerNames(end));
    return row;
  };

  return async (call: TransitionCall, within?: SqlQueries): Promise<TransitionRow | undefined> => {
    const { key, change } = call;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const [end] = await (within ?? sql).query(head, orderKeyValues(key));
      if (end === undefined) return undefined;
      if (text(end, "payment_status") !== change.from) {
        const [row] = await (within ?? sql).query(find, orderKeyValues(key));
        return row && { changed: false, row };
      }
      const row = await (within === undefined
        ? sql.transaction((queries) => tryOnce(queries, call, end))
        : tryOnce(within, call, end));
      if (row !== undefined) return { changed: true, row };
    }
    throw new Error("Other calls appended events to the timeline before each attempt.");
  };
}
