import { type Order, PAY_CHANNELS } from "@tillkit/core";
import type {
  EventEntry,
  FoundOrder,
  OrderFilter,
  OrderPosition,
  OrderSearch,
  Sales,
  SummaryRange,
} from "@tillkit/core/ports";
import { arrayLiteral } from "../sql/array-literal.js";
import { appsFilter } from "../sql/apps-filter.js";
import { orderReader } from "./order-row.js";
import { orderKeyText } from "../timeline/order-key.js";
import { booleanValue, enumValue, integer, optionalMember, optionalText, text } from "../sql/row.js";
import { orderSearchStatements } from "./order-search-statements.js";
import type { OnUnreadable } from "../sql/row-reader.js";
import type { SqlClient, SqlRow, SqlValue } from "../sql/sql-client.js";
import { storeClient } from "../cluster/store-client.js";
import { tablesOf } from "../sql/tables.js";
import { toStorageResult } from "../client/to-storage-result.js";

const HOUR = 3_600_000;
/**
 * The longest range of payment times in which a search examines every payment, in milliseconds.
 *
 * With a longer range, a search examines the same orders as without a range of payment times.
 */
const LONGEST_PAYMENTS = 31 * 24 * HOUR;
const END: OrderPosition = { gmtCreate: Number.MAX_SAFE_INTEGER, id: "" };

/** Creates an `OrderSearch` on PostgreSQL, over the tables of `schema`. */
export function postgresOrderSearch(
  client: SqlClient,
  schema: string,
  onUnreadable?: OnUnreadable,
): OrderSearch {
  const sql = storeClient(client, schema);
  const statements = orderSearchStatements(tablesOf(schema));
  const { all: toOrders } = orderReader(onUnreadable);

  const listsOf = async ({
    customerIdentity,
    withAlarm,
    paidFrom = 0,
    paidUntil = Infinity,
  }: OrderFilter) => {
    if (withAlarm === true) return { lists: statements.withAlarm, examinesAll: true };
    if (paidUntil - paidFrom <= LONGEST_PAYMENTS) return { lists: statements.ofPayments, examinesAll: true };
    if (customerIdentity !== undefined) return { lists: statements.ofCustomer, examinesAll: true };
    if (await sql.isDistributed()) return { lists: statements.recentOnCluster, examinesAll: true };
    return { lists: statements.recent, examinesAll: false };
  };

  /** Returns the last order that a page examined, if there may be more orders after it. */
  const lastExamined = async (filter: OrderFilter, before: OrderPosition) => {
    const [row] = await sql.query(statements.examined, rangeValues(filter, before));
    return row && positionOf(row);
  };

  const withAlarms = async (orders: readonly Order[]): Promise<readonly FoundOrder[]> => {
    if (orders.length === 0) return [];
    const keys = [orders.map(({ bizNo }) => bizNo), orders.map(({ appId }) => appId)];
    const rows = await sql.query(statements.alarmsOf, keys.map(arrayLiteral));
    const alarmed = new Set(rows.map((row) => orderKeyText(keyOf(row))));
    return orders.map((order) => ({ order, hasAlarm: alarmed.has(orderKeyText(order)) }));
  };

  return {
    list: ({ before = END, limit, ...filter }) =>
      toStorageResult(async () => {
        const { lists, examinesAll } = await listsOf(filter);
        // One row more shows whether there is a next page.
        const found = await sql.query(lists.page, [...filterValues(filter, before), limit + 1]);
        const rows = found.slice(0, limit);
        const items = await withAlarms(toOrders(rows));
        const last = found.length > limit ? rows.at(-1) : undefined;
        const next =
          last !== undefined
            ? positionOf(last)
            : examinesAll
              ? undefined
              : await lastExamined(filter, before);
        return { items, ...optionalMember("next", next) };
      }),
    count: (filter, atMost) =>
      toStorageResult(async () => {
        const { lists, examinesAll } = await listsOf(filter);
        const [row] = await sql.query(lists.count, [...filterValues(filter, END), atMost + 1]);
        const found = row === undefined ? 0 : integer(row, "found");
        if (found > atMost) return { count: atMost, isLeast: true };
        return { count: found, isLeast: !examinesAll && (await lastExamined(filter, END)) !== undefined };
      }),
    lookUp: (number, apps, limit) =>
      toStorageResult(async () => {
        const rows = await sql.query(statements.lookUp, [appsFilter(apps), number, limit]);
        const byKey = new Map(toOrders(rows).map((order) => [orderKeyText(order), order]));
        return withAlarms([...byKey.values()].sort(newestFirst).slice(0, limit));
      }),
    alarms: (apps, limit) =>
      toStorageResult(async () =>
        (await sql.query(statements.alarms, [appsFilter(apps), limit])).map((row) => ({
          ...keyOf(row),
          seq: integer(row, "seq"),
          type: text(row, "type"),
          at: integer(row, "at_ms"),
          ...optionalMember("refundNo", optionalText(row, "refund_no")),
        })),
      ),
    events: ({ apps, from, limit }) =>
      toStorageResult(async () => {
        // One row more shows whether there are later entries.
        const rows = await sql.query(statements.events, [appsFilter(apps), from, limit + 1]);
        const page = rows.slice(0, limit);
        const items = page.map(eventEntry);
        const last = rows.length > limit ? page.at(-1) : undefined;
        return last === undefined ? { items } : { items, next: integer(last, "at_ms") };
      }),
    sales: (range) =>
      toStorageResult(async () => {
        const payments = await sql.query(statements.payments, summaryValues(range));
        const refunds = await sql.query(statements.refunds, summaryValues(range));
        return merged(payments, refunds);
      }),
    hours: (range) =>
      toStorageResult(async () =>
        (await sql.query(statements.hours, summaryValues(range)))
          .map((row) => ({
            start: range.from + integer(row, "hour") * HOUR,
            created: integer(row, "created"),
            paid: integer(row, "paid"),
          }))
          .sort((left, right) => left.start - right.start),
      ),
    pending: (apps, atMost) =>
      toStorageResult(async () => {
        const [counted] = await sql.query(statements.countPending, [appsFilter(apps), atMost]);
        const [oldest] = toOrders(await sql.query(statements.oldestPending, [appsFilter(apps)]));
        return {
          count: counted === undefined ? 0 : integer(counted, "found"),
          ...optionalMember("oldest", oldest),
        };
      }),
  };
}

function summaryValues({ apps, from, until }: SummaryRange): readonly SqlValue[] {
  return [appsFilter(apps), from, until];
}

function rangeValues(
  { from = 0, until = Number.MAX_SAFE_INTEGER }: OrderFilter,
  before: OrderPosition,
): readonly SqlValue[] {
  // Excludes the orders created at `until`: no id sorts before the empty text.
  const end = until <= before.gmtCreate ? { gmtCreate: until, id: "" } : before;
  return [from, end.gmtCreate, end.id];
}

function filterValues(filter: OrderFilter, before: OrderPosition): readonly SqlValue[] {
  const { apps, paymentStatus, payChannel, customerIdentity } = filter;
  const { minAmount = 0, maxAmount = Number.MAX_SAFE_INTEGER } = filter;
  const equal = [paymentStatus ?? null, payChannel ?? null, customerIdentity ?? null];
  const amounts = [minAmount, maxAmount];
  return [appsFilter(apps), ...equal, ...rangeValues(filter, before), ...amounts, ...paidValues(filter)];
}

/** Returns the range of payment times, or nulls if the filter has none. */
function paidValues({ paidFrom, paidUntil }: OrderFilter): readonly SqlValue[] {
  if (paidFrom === undefined && paidUntil === undefined) return [null, null];
  return [paidFrom ?? 0, paidUntil ?? Number.MAX_SAFE_INTEGER];
}

function positionOf(row: SqlRow): OrderPosition {
  return { gmtCreate: integer(row, "created_ms"), id: text(row, "id") };
}

function keyOf(row: SqlRow) {
  return { appId: text(row, "app_id"), bizNo: text(row, "biz_no") };
}

function eventEntry(row: SqlRow): EventEntry {
  return {
    ...keyOf(row),
    orderId: text(row, "id"),
    hasService: optionalText(row, "service_type_no") !== undefined,
    seq: integer(row, "seq"),
    type: text(row, "type"),
    at: integer(row, "at_ms"),
    alarm: booleanValue(row, "alarm"),
    ...optionalMember("refundNo", optionalText(row, "refund_no")),
  };
}

function newestFirst(left: Order, right: Order): number {
  return right.gmtCreate - left.gmtCreate || (left.id < right.id ? 1 : -1);
}

/** Joins the sums of payments and of refunds by app and channel. */
function merged(payments: readonly SqlRow[], refunds: readonly SqlRow[]): readonly Sales[] {
  const sales = new Map<string, Sales>();
  const add = (row: SqlRow, sums: Partial<Sales>) => {
    const appId = text(row, "app_id");
    const payChannel = enumValue(row, "pay_channel", PAY_CHANNELS);
    const key = JSON.stringify([appId, payChannel]);
    const zeros = { appId, payChannel, payments: 0, taken: 0, refunds: 0, refunded: 0 };
    sales.set(key, { ...zeros, ...sales.get(key), ...sums });
  };
  for (const row of payments) add(row, { payments: integer(row, "number"), taken: integer(row, "cents") });
  for (const row of refunds) add(row, { refunds: integer(row, "number"), refunded: integer(row, "cents") });
  return [...sales.entries()].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, one]) => one);
}
