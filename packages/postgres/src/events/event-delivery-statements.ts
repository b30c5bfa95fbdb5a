import { type ClaimDueStatements, claimDueStatements } from "../timeline/claim-due.js";
import { dueWorkSql } from "../timeline/due-work.js";
import { DELIVERY_KEY, deliveryColumns } from "./event-delivery-row.js";
import { CAUSES_EVENT, NEW_DELIVERY_COLUMNS } from "../timeline/make-due-sql.js";
import { type RemovalStatements, removalStatements } from "../sql/remove-expired.js";
import type { SqlStatement } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import type { Tables } from "../sql/tables.js";

/** The statements of the event delivery store. */
export interface EventDeliveryStatements {
  /** Returns a row if the handler is new. Placeholders: name, time. */
  readonly register: SqlStatement;
  /** Returns a row if the handler was registered. Placeholder: name. */
  readonly unregister: SqlStatement;
  /** Finds the keys of a handler's deliveries. Placeholders: name, last key, limit. */
  readonly ofHandler: SqlStatement;
  /** Removes deliveries. Placeholder: keys as a JSON array. */
  readonly remove: SqlStatement;
  readonly listHandlers: SqlStatement;
  /** The value of the filter is the handler. */
  readonly claimDue: ClaimDueStatements;
  /** Placeholders: key, claim id, claimed position, next position, end of the claim. */
  readonly advance: SqlStatement;
  /**
   * Placeholders: key, claim id, claimed position, time of next attempt, time of parking, failure.
   */
  readonly fail: SqlStatement;
  /**
   * Returns the `seq` and time of the last timeline event of an order that causes an event.
   *
   * Returns no row if the order or the handler does not exist. Placeholders: key.
   */
  readonly lastEvent: SqlStatement;
  /** Placeholders: key, next position, `seq` and time of the last event, time. */
  readonly replay: SqlStatement;
  readonly find: SqlStatement;
  readonly list: Readonly<Record<"waiting" | "parked", PageStatements>>;
  /** Placeholders: time, limit, handler. */
  readonly dueSince: SqlStatement;
  /** Placeholders: time, limit, handler. */
  readonly parkedSince: SqlStatement;
  readonly removeDelivered: RemovalStatements;
}

/** The statements for pages of deliveries. Placeholders: key of the last delivery, limit. */
export interface PageStatements {
  readonly all: SqlStatement;
  /** Further placeholder: handler. */
  readonly ofHandler: SqlStatement;
}

const KEY = "d.biz_no = $1 and d.app_id = $2 and d.handler = $3";
const HELD = `${KEY} and d.claim_id = $4 and d.next_seq = $5 and d.next_index = $6`;
const COLUMNS = deliveryColumns("d");

/**
 * Creates the statement that returns a row if a claim is still valid.
 *
 * Placeholders: key, claim id, claimed position.
 */
export function heldStatement({
  event_deliveries: deliveries,
}: Pick<Tables, "event_deliveries">): SqlStatement {
  return statement("event_delivery_held", `select d.handler from ${deliveries} d where ${HELD}`);
}

/** Creates the statements of the event delivery store over `tables`. */
export function eventDeliveryStatements(tables: Tables): EventDeliveryStatements {
  const { event_handlers: handlers, event_deliveries: deliveries, orders, timeline } = tables;
  const page = (method: string, state: string): PageStatements => {
    const of = (name: string, more: string): SqlStatement =>
      statement(
        name,
        `select ${COLUMNS} from ${deliveries} d
         where (biz_no, app_id, handler) > ($1, $2, $3) and (${state})${more}
         order by biz_no, app_id, handler limit $4`,
      );
    return { all: of(method, ""), ofHandler: of(`${method}_of_handler`, " and handler = $5") };
  };
  return {
    register: statement(
      "event_handler_register",
      `insert into ${handlers} (name, registered_ms) values ($1, $2) on conflict do nothing returning name`,
    ),
    unregister: statement("event_handler_remove", `delete from ${handlers} where name = $1 returning name`),
    ofHandler: statement(
      "event_delivery_of_handler",
      `select biz_no, app_id, handler from ${deliveries}
       where (biz_no, app_id, handler) > ($2, $3, $1) and handler = $1 order by biz_no, app_id, handler limit $4`,
    ),
    // Locks the rows in the order of their keys, so that a removal and a claim cannot deadlock.
    remove: statement(
      "event_delivery_remove",
      `delete from ${deliveries} d
       using (
         select * from json_to_recordset($1::text::json) as listed (biz_no text, app_id text, handler text)
         order by biz_no, app_id, handler
       ) due
       where d.biz_no = due.biz_no and d.app_id = due.app_id and d.handler = due.handler`,
    ),
    listHandlers: statement("event_handler_list", `select name from ${handlers} order by name`),
    claimDue: claimDueStatements({
      method: "event_delivery",
      table: deliveries,
      key: DELIVERY_KEY,
      column: "due_ms",
      open: "parked_ms is null",
      columns: deliveryColumns("r"),
      filter: `handler = $4 and exists (select from ${handlers} where name = $4)`,
      claimColumn: "claim_id",
    }),
    // A delivery without waiting events is not due and has no claim.
    advance: statement(
      "event_delivery_advance",
      `update ${deliveries} d set next_seq = $7, next_index = $8, tries = 0, failure = null,
         due_ms = case when $7 <= d.last_seq then $9::bigint end,
         claim_id = case when $7 <= d.last_seq then d.claim_id end
       where ${HELD} returning ${COLUMNS}`,
    ),
    fail: statement(
      "event_delivery_fail",
      `update ${deliveries} d set tries = d.tries + 1, due_ms = $7, parked_ms = $8, failure = $9, claim_id = null
       where ${HELD} returning d.handler`,
    ),
    lastEvent: statement(
      "event_delivery_last_event",
      `select coalesce(max(seq), 0) as seq, coalesce(max(at_ms), 0) as at_ms
       from (select id from ${orders} where biz_no = $1 and app_id = $2) o
       join ${handlers} on name = $3
       left join (
         select seq, at_ms from ${timeline} where biz_no = $1 and app_id = $2 and ${CAUSES_EVENT} order by seq desc limit 1
       ) t on true
       group by name`,
    ),
    replay: statement(
      "event_delivery_replay",
      `insert into ${deliveries} as d (${NEW_DELIVERY_COLUMNS})
       values ($1, $2, $3, $4::int, $5, $6::int, $7, case when $4::int <= $6::int then $8::bigint end, 0)
       on conflict (biz_no, app_id, handler) do update
       set next_seq = excluded.next_seq, next_index = excluded.next_index, tries = 0, failure = null,
         parked_ms = null, claim_id = null,
         due_ms = case when excluded.next_seq <= d.last_seq then $8::bigint end`,
    ),
    find: statement("event_delivery_find", `select ${COLUMNS} from ${deliveries} d where ${KEY}`),
    list: {
      waiting: page("event_delivery_list_waiting", "due_ms is not null or parked_ms is not null"),
      parked: page("event_delivery_list_parked", "parked_ms is not null"),
    },
    dueSince: statement("event_delivery_due_since", dueWorkSql(deliveries, "due_ms", "handler = $3")),
    parkedSince: statement(
      "event_delivery_parked_since",
      dueWorkSql(deliveries, "parked_ms", "handler = $3"),
    ),
    removeDelivered: removalStatements({
      method: "event_delivery_remove_delivered",
      table: deliveries,
      key: DELIVERY_KEY,
      column: "last_ms",
      removable: "due_ms is null and parked_ms is null",
    }),
  };
}
