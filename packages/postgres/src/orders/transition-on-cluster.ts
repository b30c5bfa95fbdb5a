import { hexSql } from "../sql/chained-hash.js";
import type { OrderKey } from "@tillkit/core";
import { causesEvent, type OrderTransition } from "@tillkit/core/ports";
import { eventAppender, newEvent, type NewEvent } from "../timeline/append-events.js";
import { arrayLiteral } from "../sql/array-literal.js";
import { batchInputSql, batchInputValues } from "../batching/batch-input.js";
import { handlerNames, handlersSql } from "../timeline/handler-names.js";
import { orderColumns } from "./order-row.js";
import { orderKeyText, orderKeyValues, rowKeyText } from "../timeline/order-key.js";
import { integer, text } from "../sql/row.js";
import type { SqlQueries, SqlRow, SqlRunner, SqlStatement, SqlValue } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { byShard, type StoreClient } from "../cluster/store-client.js";
import type { Tables } from "../sql/tables.js";
import { withoutPrepayment } from "./without-prepayment.js";

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

/** Changes of the payment status on a cluster. */
export interface TransitionOnCluster {
  /** Changes one order, within the transaction `within` if it is given. */
  readonly runOne: (
    call: TransitionCall,
    sql: SqlRunner,
    within?: SqlQueries,
  ) => Promise<TransitionRow | undefined>;
  /** Changes orders of one node in one transaction. Leaves out calls that must run alone. */
  readonly runBatch: (
    calls: readonly TransitionCall[],
    sql: SqlRunner,
  ) => Promise<ReadonlyMap<number, TransitionRow>>;
}

/**
 * Creates the functions that change the payment status on a cluster.
 *
 * Both functions read the end of the timeline, and compute the next hash. A batch locks the orders
 * that no other transaction has locked. The update repeats the conditions, so it changes nothing if
 * another call was faster. Each statement names one distributed table, because a cluster plans such
 * statements fastest. `find` reads an order by its key.
 */
export function transitionOnCluster(
  { shards }: Pick<StoreClient, "shards">,
  tables: Pick<Tables, "orders" | "timeline" | "event_handlers" | "event_deliveries">,
  find: SqlStatement,
): TransitionOnCluster {
  const { one, many } = updateStatements(tables);
  const append = eventAppender(tables);

  const tryOnce = async (queries: SqlQueries, call: TransitionCall, end: SqlRow) => {
    const event = nextEvent(call, end);
    const values = Object.values(changedColumns(call, event));
    const [row] = await queries.query(one.update, values);
    if (row !== undefined) await append(queries, [event], handlerNames(end));
    return row;
  };

  const runOne: TransitionOnCluster["runOne"] = async (call, sql, within) => {
    const { key, change } = call;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const [end] = await (within ?? sql).query(one.head, orderKeyValues(key));
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

  /** Locks the orders of a shard that are not locked, and reads the ends of their timelines. */
  const lockAvailable = async (
    queries: SqlQueries,
    calls: readonly TransitionCall[],
  ): Promise<readonly SqlRow[]> => {
    const [first] = calls;
    if (first !== undefined && calls.length === 1) return queries.query(one.lock, orderKeyValues(first.key));
    const apps = arrayLiteral([...new Set(calls.map(({ key }) => key.appId))]);
    return queries.query(many.lock, [apps, bizNosOf(calls)]);
  };

  /**
   * Returns the keys of the orders that have a delivery of events.
   *
   * A batch must not wait for a delivery, which a handler's transaction may have locked. If no
   * order has a delivery, the batch only inserts new deliveries.
   */
  const deliveringOf = async (
    queries: SqlQueries,
    calls: readonly TransitionCall[],
  ): Promise<ReadonlySet<string>> => {
    const apps = arrayLiteral([...new Set(calls.map(({ key }) => key.appId))]);
    return new Set((await queries.query(many.delivering, [apps, bizNosOf(calls)])).map(rowKeyText));
  };

  /** Updates locked orders of a shard. Returns their rows. */
  const update = async (queries: SqlQueries, steps: readonly Step[]): Promise<readonly SqlRow[]> => {
    const columns = steps.map(({ call, event }) => changedColumns(call, event));
    const [first] = columns;
    if (first === undefined) return [];
    if (columns.length === 1) return queries.query(one.update, Object.values(first));
    const values = [...batchInputValues(columns), bizNosOf(steps.map(({ call }) => call))];
    return queries.query(many.update, values);
  };

  const runBatch: TransitionOnCluster["runBatch"] = (calls, sql) =>
    sql.transaction(async (queries) => {
      const sorted = calls.map((call, n) => ({ call, n })).toSorted(byKey);
      const groups = await byShard({ shards }, tables.orders, sorted, ({ call }) => call.key.bizNo);
      const causesEvents = calls.some(({ change }) => causesEvent(change.entry));
      // Read with the first locked order only, so that all events have the same handlers.
      let handlers: readonly string[] | undefined;
      const done: (Step & { readonly row: SqlRow })[] = [];
      for (const { items } of groups) {
        const ofShard = items.map(({ call }) => call);
        const locked = await lockAvailable(queries, ofShard);
        const ends = new Map(locked.map((row) => [rowKeyText(row), row]));
        if (causesEvents && locked[0] !== undefined) handlers ??= handlerNames(locked[0]);
        const delivering =
          handlers !== undefined && handlers.length > 0 ? await deliveringOf(queries, ofShard) : [];
        for (const key of delivering) ends.delete(key);
        const steps = items.flatMap(({ call, n }): readonly Step[] => {
          const end = ends.get(orderKeyText(call.key));
          if (end === undefined || text(end, "payment_status") !== call.change.from) return [];
          return [{ n, call, event: nextEvent(call, end) }];
        });
        const rows = new Map((await update(queries, steps)).map((row) => [rowKeyText(row), row]));
        for (const step of steps) {
          const row = rows.get(orderKeyText(step.call.key));
          if (row !== undefined) done.push({ ...step, row });
        }
      }
      // The deliveries of the events are locked in the order of their keys.
      const events = done.toSorted(byKey).map(({ event }) => event);
      if (events.length > 0) await append(queries, events, handlers ?? []);
      return new Map(done.map(({ n, row }) => [n, { changed: true, row }]));
    });
  return { runOne, runBatch };
}

/** A change of an order that the transaction has locked. */
interface Step {
  /** The position of the call. */
  readonly n: number;
  readonly call: TransitionCall;
  readonly event: NewEvent;
}

/** The columns of an update, with their types. The first two are the key of the order. */
const UPDATE = {
  biz_no: "text",
  app_id: "text",
  from_status: "text",
  to_status: "text",
  modified_ms: "bigint",
  paid_ms: "bigint",
  wallet_trade_no: "text",
  next_query_ms: "bigint",
  timeline_seq: "int",
  timeline_hash: "text",
} as const;

/**
 * Creates the statements: for one order, and for orders of one shard. `lock` skips locked orders.
 */
function updateStatements(tables: Pick<Tables, "orders" | "event_handlers" | "event_deliveries">) {
  const { orders, event_deliveries: deliveries } = tables;
  const end = `biz_no, app_id, payment_status, timeline_seq, ${hexSql("timeline_hash")} as timeline_hash,
    ${handlersSql(tables)} as handlers`;
  const names = Object.keys(UPDATE);
  const types = Object.entries(UPDATE).map(([name, type]) => `${name} ${type}`);
  const set = (value: (column: string) => string): string =>
    `payment_status = ${value("to_status")}, modified_ms = ${value("modified_ms")},
     paid_ms = coalesce(${value("paid_ms")}, o.paid_ms),
     wallet_trade_no = coalesce(${value("wallet_trade_no")}, o.wallet_trade_no),
     next_query_ms = ${value("next_query_ms")},
     timeline_seq = ${value("timeline_seq")}, timeline_hash = decode(${value("timeline_hash")}, 'hex'),
     ${withoutPrepayment(value("to_status"), "o")}`;
  const isUnchanged = (value: (column: string) => string): string =>
    `o.payment_status = ${value("from_status")} and o.timeline_seq = ${value("timeline_seq")} - 1`;
  const ofOne = (column: string): string => `$${names.indexOf(column) + 1}`;
  const ofMany = (column: string): string => `asked.${column}`;
  return {
    one: {
      head: statement("order_head", `select ${end} from ${orders} where biz_no = $1 and app_id = $2`),
      lock: statement(
        "order_lock_available",
        `select ${end} from ${orders} where biz_no = $1 and app_id = $2 for update skip locked`,
      ),
      update: statement(
        "order_transition_row",
        `update ${orders} o set ${set(ofOne)} where biz_no = $1 and app_id = $2 and ${isUnchanged(ofOne)} returning ${orderColumns("o")}`,
      ),
    },
    many: {
      lock: statement(
        "order_lock_many",
        `select ${end} from ${orders} where biz_no = any($2::text[]) and app_id = any($1::text[])
         order by biz_no, app_id for update skip locked`,
      ),
      delivering: statement(
        "order_delivering_many",
        `select biz_no, app_id from ${deliveries} where biz_no = any($2::text[]) and app_id = any($1::text[])`,
      ),
      update: statement(
        "order_transition_rows",
        `update ${orders} o set ${set(ofMany)} from ${batchInputSql(types.join(", "))}
         where o.biz_no = any($2::text[]) and o.biz_no = asked.biz_no and o.app_id = asked.app_id
           and ${isUnchanged(ofMany)}
         returning ${orderColumns("o")}`,
      ),
    },
  };
}

/** Returns the event of the change, after the end of the timeline in the row `end`. */
function nextEvent({ key, change: { entry } }: TransitionCall, end: SqlRow): NewEvent {
  const seq = integer(end, "timeline_seq") + 1;
  return newEvent({ key, seq, previousHash: text(end, "timeline_hash"), entry });
}

/** Returns the values of {@link UPDATE}, in its order. */
function changedColumns(
  { key, change }: TransitionCall,
  event: NewEvent,
): Readonly<Record<keyof typeof UPDATE, SqlValue>> {
  return {
    biz_no: key.bizNo,
    app_id: key.appId,
    from_status: change.from,
    to_status: change.to,
    modified_ms: change.at,
    paid_ms: change.pmtDt ?? null,
    wallet_trade_no: change.walletTradeNo ?? null,
    next_query_ms: change.nextQueryAt ?? null,
    timeline_seq: event.seq,
    timeline_hash: event.hash,
  };
}

function byKey(a: Pick<Step, "call">, b: Pick<Step, "call">): number {
  return orderKeyText(a.call.key) < orderKeyText(b.call.key) ? -1 : 1;
}

function bizNosOf(calls: readonly TransitionCall[]): string {
  return arrayLiteral(calls.map(({ key }) => key.bizNo));
}
