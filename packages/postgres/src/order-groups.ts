import { type Order, type OrderKey, type OrderListQuery, type Prepayment } from "@tillkit/core";
import { askedValues } from "./asked.js";
import { changeRows, readRows } from "./call-forms.js";
import { grouped, type Grouping } from "./grouped.js";
import { madeOrHeld } from "./insert-once.js";
import { orderGroupStatements } from "./order-group-statements.js";
import { ORDER_COLUMNS, orderKeyValues, orderValues } from "./order-row.js";
import type { OrderStatements } from "./order-statements.js";
import { text } from "./row.js";
import type { SqlClient, SqlRow, SqlValue } from "./sql-client.js";
import type { Tables } from "./tables.js";

/** The batched methods of the order store. */
export interface OrderGroups {
  /** Stores an order with the canonical text of its first event, and returns the stored row. */
  readonly insert: (ask: { readonly order: Order; readonly entry: string }) => Promise<SqlRow>;
  readonly find: (key: OrderKey) => Promise<readonly SqlRow[]>;
  /** Returns the rows in the order of the page. Each row has the `total_count`. */
  readonly list: (query: OrderListQuery) => Promise<readonly SqlRow[]>;
  readonly attachPrepayment: (ask: PrepaymentAsk) => Promise<readonly SqlRow[]>;
}

/** The prepayment to store, with the key of its order. */
interface PrepaymentAsk {
  readonly key: OrderKey;
  readonly prepayment: Prepayment;
}

/** The maximum batch size of lists. Each call of a batch waits for the longest list. */
const LISTS_AT_MOST = 8;

/** Creates the batched methods. Calls that a batch leaves open run as `statements`. */
export function orderGroups(
  sql: SqlClient,
  tables: Tables,
  statements: OrderStatements,
  grouping: Grouping = {},
): OrderGroups {
  const groups = orderGroupStatements(tables);
  const { atMost = LISTS_AT_MOST } = grouping;
  const lists = { atMost: Math.min(atMost, LISTS_AT_MOST) };
  const list = grouped(readRows(sql, statements.list, pageRecord), lists);
  const listByStatus = grouped(readRows(sql, statements.listByStatus, pageRecord), lists);
  const find = readRows(sql, statements.find, keyRecord);
  return {
    insert: grouped(
      {
        keyOf: ({ order }) => keyText(order),
        one: ({ order, entry }) =>
          madeOrHeld(
            sql,
            { statement: statements.insert, values: [...orderValues(order), entry] },
            { statement: statements.find.one, values: orderKeyValues(order) },
          ),
        many: async (asks) => {
          const values = askedValues(asks.map(({ order, entry }) => ({ ...record(order), entry })));
          const kept = new Map((await sql.query(groups.insert, values)).map((row) => [rowKey(row), row]));
          const repeated = asks.filter(({ order }) => !kept.has(keyText(order)));
          if (repeated.length > 0) {
            const keys = askedValues(repeated.map(({ order }) => keyRecord(order)));
            for (const row of await sql.query(statements.find.many, keys)) kept.set(rowKey(row), row);
          }
          return new Map(
            asks.flatMap(({ order }, place) => {
              const row = kept.get(keyText(order));
              return row === undefined ? [] : [[place, row] as const];
            }),
          );
        },
      },
      grouping,
    ),
    find: grouped(find, grouping),
    list: (query) => (query.paymentStatus === undefined ? list : listByStatus)(query),
    attachPrepayment: grouped(
      {
        keyOf: ({ key }: PrepaymentAsk) => keyText(key),
        ...changeRows(sql, statements.attachPrepayment, ({ key, prepayment }: PrepaymentAsk) => ({
          ...keyRecord(key),
          issued_ms: prepayment.issuedAt,
          valid_ms: prepayment.validUntil,
          prepayment: JSON.stringify(prepayment.values),
        })),
      },
      grouping,
    ),
  };
}

function keyText({ bizNo, appId }: OrderKey): string {
  return JSON.stringify([bizNo, appId]);
}

function rowKey(row: SqlRow): string {
  return keyText({ bizNo: text(row, "biz_no"), appId: text(row, "app_id") });
}

function keyRecord({ bizNo, appId }: OrderKey) {
  return { biz_no: bizNo, app_id: appId };
}

function record(order: Order): Readonly<Record<string, SqlValue>> {
  const values = orderValues(order);
  return Object.fromEntries(ORDER_COLUMNS.map((column, index) => [column, values[index] ?? null]));
}

function pageRecord({ appId, customerIdentity, paymentStatus, offset, limit }: OrderListQuery) {
  const filter = {
    app_id: appId,
    customer_identity: customerIdentity,
    payment_status: paymentStatus ?? null,
  };
  return { ...filter, skipped: offset, at_most: limit };
}
