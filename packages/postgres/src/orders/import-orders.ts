import { causesEvent, type ImportResult } from "@tillkit/core/ports";
import { arrayLiteral } from "../sql/array-literal.js";
import { batched, type BatchOptions } from "../batching/batched.js";
import { readRows } from "../batching/batched-methods.js";
import {
  type InsertCall,
  keyOfCall,
  orderInserterOnCluster,
  type OrderInserter,
} from "./insert-orders-on-cluster.js";
import { insertRowsStatement } from "../sql/insert-rows-statement.js";
import { orderValues, toOrder } from "./order-row.js";
import { orderKeyValues, rowKeyText } from "../timeline/order-key.js";
import type { OrderStatements } from "./order-statements.js";
import { text } from "../sql/row.js";
import type { SqlQueries } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import type { StoreClient } from "../cluster/store-client.js";
import type { Tables } from "../sql/tables.js";

/**
 * The maximum number of orders per transaction on a cluster. Larger transactions are not faster.
 */
const ON_CLUSTER_AT_MOST = 16;

/**
 * Creates the function that stores orders of another service, each id once.
 *
 * Concurrent calls share one transaction, which first claims the ids. A second transaction that
 * claims one of the ids waits for the first, even if the orders are on other nodes of a cluster.
 * Orders without a claim have generated ids, or were imported before the table of claims existed.
 * The transaction finds them by their ids.
 */
export function orderImporter(
  sql: StoreClient,
  tables: Tables,
  statements: OrderStatements,
  batching: BatchOptions = {},
): (call: InsertCall) => Promise<ImportResult> {
  const { imported_order_ids: claims } = tables;
  const claim = insertRowsStatement(
    "imported_order_id_claim",
    ["id", "biz_no", "app_id"],
    (rows, columns) =>
      `insert into ${claims} (${columns}) values ${rows} on conflict do nothing returning id`,
  );
  const lock = statement(
    "imported_order_id_lock",
    "select pg_advisory_xact_lock(hashtextextended($1::text, 0)) is null as locked",
  );
  const find = statement(
    "imported_order_id_find",
    `select id, biz_no, app_id from ${claims} where id = any($1::text[])`,
  );
  const release = statement("imported_order_id_release", `delete from ${claims} where id = any($1::text[])`);
  const insertOnCluster = orderInserterOnCluster(tables);

  const importAll = async (
    calls: readonly InsertCall[],
    isDistributed: boolean,
    transaction: SqlQueries,
  ): Promise<readonly ImportResult[]> => {
    // The statements of two transactions run on several nodes at once, in any order. Without the
    // lock, the transactions could wait for each other.
    if (isDistributed) await transaction.query(lock, [claims]);
    const claimed = await claimIds(transaction, calls);
    const owners = await readOwners(transaction, calls, claimed.size === calls.length);
    const isFree = (call: InsertCall): boolean =>
      (owners.get(call.order.id) ?? []).every((owner) => owner === keyOfCall(call));
    const free = calls.filter(isFree);
    const insert = isDistributed ? insertOnCluster : insertOnServer(statements);
    const made: ReadonlySet<string> = free.length === 0 ? new Set() : await insert(transaction, free);
    const unused = calls.filter((call) => claimed.has(call.order.id) && !made.has(keyOfCall(call)));
    if (unused.length > 0)
      await transaction.query(release, [arrayLiteral(unused.map(({ order }) => order.id))]);
    const results: ImportResult[] = [];
    for (const call of calls)
      results.push(
        made.has(keyOfCall(call))
          ? { outcome: "stored", order: call.order }
          : await existing(transaction, call, isFree(call)),
      );
    return results;
  };
  const claimIds = async (transaction: SqlQueries, calls: readonly InsertCall[]) => {
    // Sorted, so that two transactions of one server cannot wait for each other.
    const sorted = calls.toSorted((a, b) => (a.order.id < b.order.id ? -1 : 1));
    const values = sorted.flatMap(({ order: { id, bizNo, appId } }) => [id, bizNo, appId]);
    const rows = await transaction.query(claim(sorted.length), values);
    return new Set(rows.map((row) => text(row, "id")));
  };
  /** Returns the keys of the orders that have the ids. */
  const readOwners = async (transaction: SqlQueries, calls: readonly InsertCall[], areClaimed: boolean) => {
    const owners = new Map<string, string[]>();
    const ids = calls.map(({ order }) => order.id);
    const claimedRows = areClaimed ? [] : await transaction.query(find, [arrayLiteral(ids)]);
    const orderRows = await transaction.query(statements.findByIds, [JSON.stringify(ids)]);
    for (const row of [...claimedRows, ...orderRows]) {
      const id = text(row, "id");
      owners.set(id, [...(owners.get(id) ?? []), rowKeyText(row)]);
    }
    return owners;
  };
  const existing = async (
    transaction: SqlQueries,
    { order }: InsertCall,
    isFree: boolean,
  ): Promise<ImportResult> => {
    if (!isFree) return { outcome: "id-taken" };
    const [row] = await transaction.query(statements.find.one, orderKeyValues(order));
    if (row === undefined) throw new Error("The order was neither stored nor found.");
    return { outcome: "exists", order: toOrder(row) };
  };

  const run = async (calls: readonly InsertCall[]): Promise<readonly ImportResult[]> => {
    const isDistributed = await sql.isDistributed();
    return sql.transaction((transaction) => importAll(calls, isDistributed, transaction));
  };
  const runOne = async (call: InsertCall): Promise<ImportResult> => {
    const [result] = await run([call]);
    if (result === undefined) throw new Error("The import has no result.");
    return result;
  };
  const runBatch = async (calls: readonly InsertCall[]): Promise<ReadonlyMap<number, ImportResult>> => {
    const alone = new Set<string>();
    // A statement cannot claim an id or a key twice, so the second call runs alone.
    const together = [...calls.entries()].filter(([, call]) => {
      const names = [`id ${call.order.id}`, `key ${keyOfCall(call)}`];
      if (causesEvent(call.entry) || names.some((name) => alone.has(name))) return false;
      for (const name of names) alone.add(name);
      return true;
    });
    const results = together.length === 0 ? [] : await run(together.map(([, call]) => call));
    return new Map(
      together.flatMap(([place], nth) => {
        const result = results[nth];
        return result === undefined ? [] : [[place, result] as const];
      }),
    );
  };
  const most = batching.maxBatchSize ?? 64;
  const server = batched({ runOne, runBatch }, batching);
  const cluster = batched(
    { maxConcurrent: 1, runOne, runBatch },
    { maxBatchSize: Math.min(most, ON_CLUSTER_AT_MOST) },
  );
  return async (call) => ((await sql.isDistributed()) ? cluster(call) : server(call));
}

/** Returns the function that stores orders in a transaction of one server. */
function insertOnServer(statements: OrderStatements): OrderInserter {
  return async (transaction, calls) => {
    const inserts = readRows(transaction, statements.insert, ({ order, entry }: InsertCall) =>
      orderValues(order, entry),
    );
    const [first] = calls;
    // Only the variant of the statement for a single call creates deliveries for event handlers.
    if (first !== undefined && calls.length === 1) {
      const rows = await inserts.runOne(first);
      return new Set(rows.map(() => keyOfCall(first)));
    }
    const rows = await inserts.runBatch(calls);
    return new Set(calls.flatMap((call, place) => (rows.get(place)?.length === 1 ? [keyOfCall(call)] : [])));
  };
}
