import type { DeliveryKey, DueWork, EventDeliveryStore } from "@tillkit/core/ports";
import { advanceDelivery, deliveryKeyValues, heldValues } from "./advance-delivery.js";
import type { BatchOptions } from "../batching/batched.js";
import { dueClaimer } from "../timeline/claim-due.js";
import { toDueWork } from "../timeline/due-work.js";
import { claimedReader, deliveryReader } from "./event-delivery-row.js";
import { eventDeliveryStatements } from "./event-delivery-statements.js";
import { removeDeliveries } from "./remove-deliveries.js";
import { removeRows } from "../sql/remove-expired.js";
import type { OnUnreadable } from "../sql/row-reader.js";
import { integer, text } from "../sql/row.js";
import type { SqlClient, SqlQueries, SqlStatement } from "../sql/sql-client.js";
import { storeClient } from "../cluster/store-client.js";
import { tablesOf } from "../sql/tables.js";
import { toStorageResult } from "../client/to-storage-result.js";

/** Creates an `EventDeliveryStore` on PostgreSQL, over the tables of `schema`. */
export function postgresEventDeliveryStore(
  client: SqlClient,
  schema: string,
  batching?: BatchOptions,
  onUnreadable?: OnUnreadable,
): EventDeliveryStore {
  const sql = storeClient(client, schema);
  const tables = tablesOf(schema);
  const statements = eventDeliveryStatements(tables);
  const near = ({ bizNo }: DeliveryKey): SqlQueries => sql.near(tables.event_deliveries, bizNo);
  const deliveries = deliveryReader(onUnreadable);
  const claimed = claimedReader(onUnreadable);
  const claimDue = dueClaimer(
    sql,
    statements.claimDue,
    { all: claimed.all, keyOf: ({ bizNo, appId, handler }) => [bizNo, appId, handler] },
    batching,
  );
  const parts = { advance: statements.advance, deliveries, claimed };
  const handlers = async (): Promise<readonly string[]> =>
    (await sql.query(statements.listHandlers, [])).map((row) => text(row, "name"));
  /** Counts the rows of each handler in turn, because there are few handlers. */
  const countAll = async (counting: SqlStatement, now: number, atMost: number): Promise<DueWork> => {
    const work: DueWork[] = [];
    for (const handler of await handlers())
      work.push(toDueWork(await sql.query(counting, [now, atMost, handler])));
    const due = work.reduce((sum, one) => sum + one.due, 0);
    const oldest = work.flatMap(({ oldestDueAt }) => oldestDueAt ?? []);
    return {
      due: Math.min(due, atMost),
      ...(oldest.length === 0 ? {} : { oldestDueAt: Math.min(...oldest) }),
    };
  };
  return {
    registerHandler: (name, at) =>
      toStorageResult(() =>
        sql.transaction(async (transaction) => {
          const [made] = await transaction.query(statements.register, [name, at]);
          // A change that began before the handler was removed may have stored a delivery after the
          // removal.
          if (made !== undefined) await removeDeliveries(transaction, statements, name);
        }),
      ),
    removeHandler: (name) =>
      toStorageResult(() =>
        sql.transaction(async (transaction) => {
          const [removed] = await transaction.query(statements.unregister, [name]);
          if (removed !== undefined) await removeDeliveries(transaction, statements, name);
          return removed !== undefined;
        }),
      ),
    listHandlers: () => toStorageResult(handlers),
    claimDue: (handler, { id, now, lease, limit }) =>
      toStorageResult(() => claimDue({ now, limit, until: now + lease, filter: [handler], id })),
    advance: (delivery, next, until) =>
      toStorageResult(() => advanceDelivery(near(delivery), parts, delivery, { next, until })),
    fail: (delivery, result) =>
      toStorageResult(async () => {
        const times = "parkedAt" in result ? [null, result.parkedAt] : [result.nextTryAt, null];
        const ends = [...times, result.failure ?? null];
        return (await near(delivery).query(statements.fail, [...heldValues(delivery), ...ends])).length > 0;
      }),
    replay: (key, next, at) =>
      toStorageResult(async () => {
        const [last] = await near(key).query(statements.lastEvent, deliveryKeyValues(key));
        if (last === undefined) return false;
        const events = [next.seq, next.index, integer(last, "seq"), integer(last, "at_ms")];
        await near(key).query(statements.replay, [...deliveryKeyValues(key), ...events, at]);
        return true;
      }),
    find: (key) =>
      toStorageResult(async () => {
        const [row] = await near(key).query(statements.find, deliveryKeyValues(key));
        return row && deliveries.one(row);
      }),
    list: ({ handler, state, after, limit }) =>
      toStorageResult(async () => {
        const { all, ofHandler } = statements.list[state];
        const { bizNo = "", appId = "", handler: last = "" } = after ?? {};
        const values = [bizNo, appId, last, limit];
        const page =
          handler === undefined ? sql.query(all, values) : sql.query(ofHandler, [...values, handler]);
        return deliveries.all(await page);
      }),
    dueSince: (now, atMost) => toStorageResult(() => countAll(statements.dueSince, now, atMost)),
    parkedSince: (atMost) =>
      toStorageResult(() => countAll(statements.parkedSince, Number.MAX_SAFE_INTEGER, atMost)),
    removeDelivered: (before, limit) =>
      toStorageResult(() => removeRows(sql, statements.removeDelivered, before, limit)),
  };
}
