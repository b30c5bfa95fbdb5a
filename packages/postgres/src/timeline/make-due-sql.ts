import { EVENT_CAUSES } from "@tillkit/core/ports";
import type { Tables } from "../sql/tables.js";

/** The columns of a new delivery, in the order of the inserted values. */
export const NEW_DELIVERY_COLUMNS =
  "biz_no, app_id, handler, next_seq, next_index, last_seq, last_ms, due_ms, tries";

/** The SQL condition that a timeline event causes an event: `causesEvent` of core. */
export const CAUSES_EVENT = `(type in (${EVENT_CAUSES.map((type) => `'${type}'`).join(", ")}) or alarm)`;

/**
 * The end of a statement that inserts new deliveries `d`.
 *
 * An existing delivery keeps its position. A parked delivery stays parked, and a due delivery stays
 * due.
 */
export const UNLESS_DELIVERING = `on conflict (biz_no, app_id, handler) do update
  set last_seq = excluded.last_seq, last_ms = excluded.last_ms,
    due_ms = case when d.parked_ms is null then coalesce(d.due_ms, excluded.due_ms) end`;

/**
 * Returns a CTE that makes the deliveries of appended events due for every registered handler.
 *
 * `events` are the CTEs of `appendSql`, which append to locked orders. Without a handler, the CTE
 * costs one read of an empty table. The deliveries of an order are locked in the order of their
 * handlers.
 */
export function makeDueSql(
  {
    event_deliveries: deliveries,
    event_handlers: handlers,
  }: Pick<Tables, "event_deliveries" | "event_handlers">,
  ...events: readonly string[]
): string {
  const appended = events.map((event) => `select * from ${event}`).join(" union all ");
  return `made_due as (
    insert into ${deliveries} as d (${NEW_DELIVERY_COLUMNS})
    select biz_no, app_id, name, first_seq, 0, last_seq, last_ms, first_ms, 0
    from (
      select biz_no, app_id, min(seq) as first_seq, max(seq) as last_seq, min(at_ms) as first_ms, max(at_ms) as last_ms
      from (${appended}) appended where ${CAUSES_EVENT} group by biz_no, app_id
    ) caused cross join (select name from ${handlers} order by name) handlers
    ${UNLESS_DELIVERING}
    returning handler
  )`;
}
