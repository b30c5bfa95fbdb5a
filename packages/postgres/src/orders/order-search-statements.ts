import { EXAMINED_ROWS } from "../sql/bounded-list.js";
import { orderColumns } from "./order-row.js";
import type { SqlStatement } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { CAUSES_EVENT } from "../timeline/make-due-sql.js";
import type { Tables } from "../sql/tables.js";

/** The maximum number of open alarms that a list or a count considers. The newest come first. */
export const CONSIDERED_ALARMS = 1_000;

/** The statements of one list. Both have the placeholders of the filter and of the position. */
export interface ListStatements {
  /** Returns a page. The last placeholder is the limit. */
  readonly page: SqlStatement;
  /** Counts up to the limit, which is the last placeholder. */
  readonly count: SqlStatement;
}

/** The statements of the order search. The first placeholder of a summary is the apps. */
export interface OrderSearchStatements {
  /** Newest first. Examines at most {@link EXAMINED_ROWS} orders. */
  readonly recent: ListStatements;
  /** `recent` for a cluster: each node examines all of its orders in the time range. */
  readonly recentOnCluster: ListStatements;
  /** The last order that a page of `recent` examines. Placeholders: start and end of the range. */
  readonly examined: SqlStatement;
  readonly ofCustomer: ListStatements;
  /** Examines all payments in the time range of the filter. */
  readonly ofPayments: ListStatements;
  readonly withAlarm: ListStatements;
  /** Placeholders: apps, text, limit. */
  readonly lookUp: SqlStatement;
  /** Finds the orders with an open alarm. Placeholders: `bizNo`s and apps as array literals. */
  readonly alarmsOf: SqlStatement;
  /** Placeholders: apps, limit. */
  readonly alarms: SqlStatement;
  /** The entries that cause events. Placeholders: apps, start of the time range, limit. */
  readonly events: SqlStatement;
  /** Placeholders: apps, from, until. */
  readonly payments: SqlStatement;
  readonly refunds: SqlStatement;
  readonly hours: SqlStatement;
  /** Placeholders: apps, limit. */
  readonly countPending: SqlStatement;
  /** Placeholder: apps. */
  readonly oldestPending: SqlStatement;
}

const NEWEST_FIRST = "order by created_ms desc, id desc";
const PENDING = "o.payment_status = 'PENDING' and o.pay_tool_id <> ''";
const HOUR = 3_600_000;

/** Returns the SQL condition that the app of `alias` is one of `$1`, or that `$1` is null. */
const inApps = (alias: string): string => `($1::text[] is null or ${alias}.app_id = any ($1::text[]))`;

/**
 * Returns the SQL condition that the order `o` is in a range of its time and id.
 *
 * Its placeholders, from the number `first`: start, time and id of the exclusive end. The condition
 * compares rows. With two bounds of one column, the planner would expect few rows and sort them.
 * The index on `created_ms` serves both comparisons.
 */
const inRange = (first: number): string =>
  `(o.created_ms, o.id) >= ($${first}, '') and (o.created_ms, o.id) < ($${first + 1}, $${first + 2})`;

/** Creates the statements of the order search over `tables`. */
export function orderSearchStatements(tables: Tables): OrderSearchStatements {
  const { apps, orders, pay_tools: payTools, refunds, timeline } = tables;
  const filter = `${inApps("o")} and ($2::text is null or o.payment_status = $2)
     and ($3::text is null or o.pay_channel = $3) and ($4::text is null or o.customer_identity = $4)
     and o.amount_cents >= $8 and o.amount_cents <= $9
     and ($10::bigint is null or o.paid_ms >= $10) and ($11::bigint is null or o.paid_ms < $11)`;
  const columns = orderColumns("o");
  const lists = (method: string, from: string): ListStatements => ({
    page: statement(`order_search_${method}`, `select ${columns} from ${from} ${NEWEST_FIRST} limit $12`),
    count: statement(
      `order_count_${method}`,
      `select count(*) as found from (select 1 from ${from} limit $12) found`,
    ),
  });
  // An acknowledgement contains the number of the last alarm that it covers.
  const openAlarmOf = (keys: string) => `a.alarm and not exists (
    select from ${timeline} k where k.biz_no = a.biz_no and k.app_id = a.app_id and ${keys}
      and case when k.type = 'ALARM_ACKNOWLEDGED' then k.evidence::bigint >= a.seq else false end
  )`;
  const openAlarm = openAlarmOf("true");
  const newestAlarms = `select a.biz_no, a.app_id, a.at_ms, a.seq, a.type, a.refund_no from ${timeline} a
    where ${inApps("a")} and ${openAlarm} order by a.at_ms desc limit ${CONSIDERED_ALARMS}`;
  // The index begins with the last four characters of the pay tool's id.
  const paidIn = (from: string, until: string) => `o.paid_ms >= ${from} and o.paid_ms < ${until}
    and right(o.pay_tool_id, 4) = any (array_append(array(select right(id, 4) from ${payTools}), ''))`;
  const examined = `${orders} o where ${inRange(5)}`;
  const ordersWhere = (condition: string) => `${orders} o where ${inApps("o")} and ${condition}`;
  return {
    recent: lists(
      "recent",
      `(select ${columns} from ${examined} ${NEWEST_FIRST} limit ${EXAMINED_ROWS}) o where ${filter}`,
    ),
    recentOnCluster: lists("recent_on_cluster", `${examined} and ${filter}`),
    examined: statement(
      "order_search_examined",
      `select o.created_ms, o.id from ${orders} o where ${inRange(1)}
       ${NEWEST_FIRST} offset ${EXAMINED_ROWS - 1} limit 1`,
    ),
    ofCustomer: lists(
      "of_customer",
      `${examined} and o.app_id in (select app_id from ${apps}) and ${filter}`,
    ),
    ofPayments: lists("of_payments", `${examined} and ${paidIn("$10", "$11")} and ${filter}`),
    withAlarm: lists(
      "with_alarm",
      `(select distinct biz_no, app_id from (${newestAlarms}) newest) alarmed
       join ${orders} o on o.biz_no = alarmed.biz_no and o.app_id = alarmed.app_id
       where ${inRange(5)} and ${filter}`,
    ),
    // Each part has an index of its own. An order that matches twice is returned twice.
    lookUp: statement(
      "order_look_up",
      [
        "o.biz_no = $2",
        "o.id = $2",
        "hashtextextended(o.wallet_trade_no, 0) = hashtextextended($2, 0) and o.wallet_trade_no = $2",
        `o.app_id in (select app_id from ${apps}) and o.customer_identity = $2`,
      ]
        .map((condition) => `(select ${columns} from ${ordersWhere(condition)} ${NEWEST_FIRST} limit $3)`)
        .join(" union all "),
    ),
    alarmsOf: statement(
      "order_alarms_of",
      `select distinct a.biz_no, a.app_id from ${timeline} a
       where a.biz_no = any ($1::text[]) and a.app_id = any ($2::text[])
         and ${openAlarmOf("k.biz_no = any ($1::text[])")}`,
    ),
    alarms: statement(
      "order_alarms",
      `select biz_no, app_id, seq, type, at_ms, refund_no from (
         select distinct on (biz_no, app_id) * from (${newestAlarms}) newest order by biz_no, app_id, seq desc
       ) of_orders order by at_ms desc, biz_no, app_id limit $2`,
    ),
    events: statement(
      "order_events",
      `select e.biz_no, e.app_id, e.seq, e.type, e.at_ms, e.alarm, e.refund_no, o.id, o.service_type_no
       from (
         select biz_no, app_id, seq, type, at_ms, alarm, refund_no from ${timeline} t
         where at_ms >= $2 and ${CAUSES_EVENT} and ${inApps("t")} order by at_ms, biz_no, app_id, seq limit $3
       ) e join ${orders} o on o.biz_no = e.biz_no and o.app_id = e.app_id
       order by e.at_ms, e.biz_no, e.app_id, e.seq`,
    ),
    payments: statement(
      "order_sales_payments",
      `select o.app_id, o.pay_channel, count(*) as number, sum(o.amount_cents)::bigint as cents from ${orders} o
       where ${inApps("o")} and ${paidIn("$2", "$3")}
       group by o.app_id, o.pay_channel`,
    ),
    refunds: statement(
      "order_sales_refunds",
      `select o.app_id, o.pay_channel, count(*) as number, sum(r.amount_cents)::bigint as cents from ${refunds} r
       join ${orders} o on o.biz_no = r.biz_no and o.app_id = r.app_id
       where ${inApps("r")} and r.status = 'CONFIRMED' and r.modified_ms >= $2 and r.modified_ms < $3
       group by o.app_id, o.pay_channel`,
    ),
    hours: statement(
      "order_hours",
      `select (o.created_ms - $2::bigint) / ${HOUR} as hour, count(*) as created, count(o.paid_ms) as paid
       from ${orders} o where ${inApps("o")} and o.created_ms >= $2::bigint and o.created_ms < $3
       group by 1`,
    ),
    countPending: statement(
      "order_pending_count",
      `select count(*) as found from (select 1 from ${ordersWhere(PENDING)} limit $2) found`,
    ),
    oldestPending: statement(
      "order_pending_oldest",
      `select ${columns} from ${ordersWhere(PENDING)} order by o.created_ms limit 1`,
    ),
  };
}
