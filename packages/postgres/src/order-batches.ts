import { type Order, type OrderKey, type OrderListQuery, type Prepayment } from "@tillkit/core";
import { batchInputValues } from "./batch-input.js";
import { changeRows, readRows } from "./call-forms.js";
import { batched, type BatchOptions } from "./batched.js";
import { insertedOrExisting } from "./insert-once.js";
import { orderBatchStatements } from "./order-batch-statements.js";
import { ORDER_COLUMNS, orderKeyValues, orderValues } from "./order-row.js";
import type { OrderStatements } from "./order-statements.js";
import { text } from "./row.js";
import type { SqlClient, SqlRow, SqlValue } from "./sql-client.js";
import type { Tables } from "./tables.js";

/** The batched methods of the order store. */
export interface OrderBatches {
  /** Stores an order with the canonical text of its first event, and returns the stored row. */
  readonly insert: (call: { readonly order: Order; readonly entry: string }) => Promise<SqlRow>;
  readonly find: (key: OrderKey) => Promise<readonly SqlRow[]>;
  /** Returns the rows in the order of the page. Each row has the `total_count`. */
  readonly list: (query: OrderListQuery) => Promise<readonly SqlRow[]>;
  readonly attachPrepayment: (call: PrepaymentAsk) => Promise<readonly SqlRow[]>;
}

/** The prepayment to store, with the key of its order. */
interface PrepaymentAsk {
  readonly key: OrderKey;
  readonly prepayment: Prepayment;
}

/** The maximum batch size of lists. Each call of a batch waits for the longest list. */
const LISTS_AT_MOST = 8;

/** Creates the batched methods. Calls that a batch leaves open run as `statements`. */
export function orderBatches(
  sql: SqlClient,
  tables: Tables,
  statements: OrderStatements,
  batching: BatchOptions = {},
): OrderBatches {
  const groups = orderBatchStatements(tables);
  const { maxBatchSize = LISTS_AT_MOST } = batching;
  const lists = { maxBatchSize: Math.min(maxBatchSize, LISTS_AT_MOST) };
  const list = batched(readRows(sql, statements.list, pageRecord), lists);
  const listByStatus = batched(readRows(sql, statements.listByStatus, pageRecord), lists);
  const find = readRows(sql, statements.find, keyRecord);
  return {
    insert: batched(
      {
        keyOf: ({ order }) => compositeKey(order),
        runOne: ({ order, entry }) =>
          insertedOrExisting(
            sql,
            { statement: statements.insert, values: [...orderValues(order), entry] },
            { statement: statements.find.one, values: orderKeyValues(order) },
          ),
        runBatch: async (calls) => {
          const values = batchInputValues(calls.map(({ order, entry }) => ({ ...record(order), entry })));
          const kept = new Map((await sql.query(groups.insert, values)).map((row) => [rowKey(row), row]));
          const repeated = calls.filter(({ order }) => !kept.has(compositeKey(order)));
          if (repeated.length > 0) {
            const keys = batchInputValues(repeated.map(({ order }) => keyRecord(order)));
            for (const row of await sql.query(statements.find.many, keys)) kept.set(rowKey(row), row);
          }
          return new Map(
            calls.flatMap(({ order }, place) => {
              const row = kept.get(compositeKey(order));
              return row === undefined ? [] : [[place, row] as const];
            }),
          );
        },
      },
      batching,
    ),
    find: batched(find, batching),
    list: (query) => (query.paymentStatus === undefined ? list : listByStatus)(query),
    attachPrepayment: batched(
      {
        keyOf: ({ key }: PrepaymentAsk) => compositeKey(key),
        ...changeRows(sql, statements.attachPrepayment, ({ key, prepayment }: PrepaymentAsk) => ({
          ...keyRecord(key),
          issued_ms: prepayment.issuedAt,
          valid_ms: prepayment.validUntil,
          prepayment: JSON.stringify(prepayment.values),
        })),
      },
      batching,
    ),
  };
}

function compositeKey({ bizNo, appId }: OrderKey): string {
  return JSON.stringify([bizNo, appId]);
}

function rowKey(row: SqlRow): string {
  return compositeKey({ bizNo: text(row, "biz_no"), appId: text(row, "app_id") });
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
