import { type Order, type OrderKey, type OrderListQuery, type Prepayment } from "@tillkit/core";
import { batched, type BatchOptions } from "./batched.js";
import { orderKeyValues, orderValues } from "./order-row.js";
import type { OrderStatements } from "./order-statements.js";
import { changeRows, insertRows, readRows } from "./batched-methods.js";
import type { SqlClient, SqlRow } from "./sql-client.js";

/** The batched methods of the order store. */
export interface OrderBatches {
  /** Stores an order and its first event, or finds the existing order. Returns the stored row. */
  readonly insert: (call: InsertCall) => Promise<SqlRow>;
  readonly find: (key: OrderKey) => Promise<readonly SqlRow[]>;
  /** Returns the rows in the order of the page. Each row has the `total_count`. */
  readonly list: (query: OrderListQuery) => Promise<readonly SqlRow[]>;
  readonly attachPrepayment: (call: PrepaymentAsk) => Promise<readonly SqlRow[]>;
}

/** An order to store, with the canonical text of its first event. */
interface InsertCall {
  readonly order: Order;
  readonly entry: string;
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
  statements: OrderStatements,
  batching: BatchOptions = {},
): OrderBatches {
  const { maxBatchSize = LISTS_AT_MOST } = batching;
  const lists = { maxBatchSize: Math.min(maxBatchSize, LISTS_AT_MOST) };
  const list = batched(readRows(sql, statements.list, pageRecord), lists);
  const listByStatus = batched(readRows(sql, statements.listByStatus, pageRecord), lists);
  const find = readRows(sql, statements.find, keyRecord);
  const inserts = insertRows(
    sql,
    statements.insert,
    ({ order, entry }: InsertCall) => ({ ...orderValues(order), entry }),
    ({ order }) => ({ statement: statements.find.one, values: orderKeyValues(order) }),
  );
  return {
    insert: batched(
      {
        keyOf: ({ order }: InsertCall) => compositeKey(order),
        runOne: inserts.runOne,
        runBatch: async (calls) => {
          const stored = new Map(await inserts.runBatch(calls));
          const places = [...calls.keys()].filter((place) => !stored.has(place));
          if (places.length === 0) return stored;
          const repeated = calls.filter((_, place) => !stored.has(place)).map(({ order }) => order);
          for (const [nth, [row]] of await find.runBatch(repeated)) {
            const place = places[nth];
            if (place !== undefined && row !== undefined) stored.set(place, row);
          }
          return stored;
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

function keyRecord({ bizNo, appId }: OrderKey) {
  return { biz_no: bizNo, app_id: appId };
}

function pageRecord({ appId, customerIdentity, paymentStatus, offset, limit }: OrderListQuery) {
  const filter = {
    app_id: appId,
    customer_identity: customerIdentity,
    payment_status: paymentStatus ?? null,
  };
  return { ...filter, skipped: offset, at_most: limit };
}
