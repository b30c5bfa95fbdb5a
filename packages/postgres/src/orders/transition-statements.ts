import { hexSql } from "../sql/chained-hash.js";
import { makeDueSql } from "../timeline/make-due-sql.js";
import { orderColumns } from "./order-row.js";
import {
  type CallColumns,
  type StatementVariants,
  statementVariants,
} from "../batching/statement-variants.js";
import type { Tables } from "../sql/tables.js";
import { appendSql, hashSql } from "../timeline/timeline-sql.js";
import { withoutPrepayment } from "./without-prepayment.js";

/** The statements that change the payment status on one server. */
export interface TransitionStatements {
  /**
   * Moves an order if it is in the expected status, and appends the event.
   *
   * Returns the order with the column `changed`. Returns no row if the order does not exist. In a
   * batch, also returns no row if another transaction has locked or changed the order, or if the
   * order has a delivery of events.
   */
  readonly move: StatementVariants;
  /**
   * Like `move`, and extends the customer's service by the purchased time, once per order.
   *
   * A batch extends each service once, and returns no row for the other calls. It also returns no
   * row if another transaction has locked or changed the service.
   */
  readonly moveAndExtend: StatementVariants;
}

const MOVE = {
  biz_no: "text",
  app_id: "text",
  from_status: "text",
  to_status: "text",
  at_ms: "bigint",
  new_paid_ms: "bigint",
  new_trade_no: "text",
  next_ms: "bigint",
  entry: "text",
} as const satisfies CallColumns;

const COLUMNS = orderColumns();
const SERVICE_KEY = ["customer_identity", "app_id", "service_type_no"] as const;

/** Creates the statements over `tables`. */
export function transitionStatements(tables: Tables): TransitionStatements {
  return {
    move: moveStatement("order_transition", MOVE, tables),
    moveAndExtend: moveStatement(
      "order_transition_extending",
      { ...MOVE, new_service_no: "text" },
      tables,
      tables,
    ),
  };
}

/** Creates one of the statements. It extends services if `extended` has their tables. */
function moveStatement(
  method: string,
  types: CallColumns,
  tables: Tables,
  extended?: Pick<Tables, "services" | "service_grants">,
): StatementVariants {
  const { orders, event_deliveries: deliveries } = tables;
  return statementVariants(method, types, (form) => {
    const { value, isKey, isRow, lockPerCall, isHeld, inBatch, runsAfter } = form;
    const given = Object.keys(types).filter((column) => column !== "biz_no" && column !== "app_id");
    const values = given.map((column) => `${value(column)} as ${column}`).join(", ");
    // A batch must not wait for a delivery, which a handler's transaction may have locked. If no
    // order has a delivery, the batch only inserts new deliveries.
    const withoutDelivery = inBatch(
      `and not exists (select from ${deliveries} d where ${isRow("d", "biz_no", "app_id")})`,
    );
    const ofKey = `from ${orders} where ${isKey("biz_no", "app_id")} ${withoutDelivery}`;
    const chain = { seq: "timeline_seq", hash: "timeline_hash" };
    const service = extended && {
      free: inBatch(`, free as (${freeServices(extended)})`),
      isFree: inBatch("and held.n in (select n from free)"),
      extend: `, ${extendSql(extended, runsAfter("made_due"))}`,
    };
    // `held` has the current rows, so decisions from `held` are up to date.
    return `with held as (
       ${lockPerCall(`${COLUMNS}, timeline_seq, ${hexSql("timeline_hash")} as timeline_hash, ${values}`, ofKey)}
     ) ${service?.free ?? ""}, moved as (
       update ${orders} o set payment_status = held.to_status, modified_ms = held.at_ms,
         paid_ms = coalesce(held.new_paid_ms, o.paid_ms),
         wallet_trade_no = coalesce(held.new_trade_no, o.wallet_trade_no),
         next_query_ms = held.next_ms, ${withoutPrepayment("held.to_status", "o")},
         timeline_seq = held.timeline_seq + 1, timeline_hash = ${hashSql("held.timeline_hash", "held.entry")}
       from held
       where ${isHeld("o", "biz_no", "app_id")} and held.payment_status = held.from_status ${service?.isFree ?? ""}
       returning held.n, ${orderColumns("o")}, o.timeline_seq, o.timeline_hash, held.entry, held.at_ms
         ${extended === undefined ? "" : ", held.new_service_no"}
     ), event as (
       ${appendSql(tables, { from: "moved", entry: "entry", ...chain })}
     ), ${makeDueSql(tables, "event")} ${service?.extend ?? ""}
     select n, true as changed, ${COLUMNS} from moved
     union all
     select n, false, ${COLUMNS} from held where payment_status <> from_status`;
  });
}

/**
 * Returns SQL for the calls of a batch that may extend their services: one call per service.
 *
 * Locks the services. Leaves out a call if another transaction has locked its service, or changed
 * it since the statement began.
 */
function freeServices({ services }: Pick<Tables, "services">): string {
  const key = SERVICE_KEY.join(", ");
  const ofKey = `from ${services} s where ${SERVICE_KEY.map((column) => `s.${column} = first.${column}`).join(" and ")}`;
  return `select first.n from (
      select n, ${key}, row_number() over (partition by ${key} order by n) as nth
      from held where payment_status = from_status
    ) first left join lateral (
      select ctid ${ofKey} limit 1 for update skip locked
    ) locked on true
    where nth = 1 and (select ctid ${ofKey}) is not distinct from locked.ctid`;
}

/**
 * Returns CTEs that extend the service of each row of `moved`, and store the grants.
 *
 * The statement locks services after deliveries: for a single call, the condition `afterDeliveries`
 * ensures this. It locks services in the order of their keys, so that two batches cannot deadlock.
 * An existing service keeps its number.
 */
function extendSql(
  { services, service_grants: grants }: Pick<Tables, "services" | "service_grants">,
  afterDeliveries: string,
): string {
  const key = SERVICE_KEY.join(", ");
  const isGranted = [...SERVICE_KEY.map((column) => `g.${column} = m.${column}`), "g.order_id = m.id"];
  // The rule of the end is `extendedExpireTime` in `services/service-time.ts` of `@tillkit/core`.
  return `extended as (
      insert into ${services} as held (${key}, service_no, service_name, expire_ms, grants_made, created_ms)
      select ${key}, new_service_no, service_name, at_ms + service_duration_ms, 1, at_ms
      from moved m
      where service_type_no is not null and ${afterDeliveries}
        and not exists (select from ${grants} g where ${isGranted.join(" and ")})
      order by ${key}
      on conflict (${key}) do update
        set expire_ms = greatest(held.expire_ms, excluded.created_ms) + (excluded.expire_ms - excluded.created_ms),
          grants_made = held.grants_made + 1
      returning ${key}, grants_made
    ), granted as (
      insert into ${grants} (${key}, order_id, seq, granted_ms, duration_ms)
      select ${key}, m.id, extended.grants_made, m.at_ms, m.service_duration_ms
      from extended join moved m using (${key})
    )`;
}
