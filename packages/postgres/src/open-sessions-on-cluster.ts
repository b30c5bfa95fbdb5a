import { isLiveSession, type Session } from "@tillkit/core";
import { arrayLiteral } from "./array-literal.js";
import { batchInputValues } from "./batch-input.js";
import type { ShardedMethod } from "./batched-by-shard.js";
import { toSession } from "./session-row.js";
import type { SessionStatements } from "./session-statements.js";
import { booleanValue, text } from "./row.js";
import type { SqlQueries, SqlRow, SqlValue } from "./sql-client.js";
import { byShard, type StoreClient } from "./store-client.js";

/** A session to open, and the maximum number of live sessions of its customer. */
export interface OpenCall extends Session {
  readonly maxLive: number;
}

/**
 * Creates the method that opens sessions on a cluster and ends the oldest above the limit.
 *
 * Returns the evicted sessions that were live, oldest first. The sessions of a batch are opened in
 * one transaction. It locks the rows of the customers first, so the sessions that it then lists are
 * complete. A customer whose row another login has locked is left out of a batch, and logs in
 * alone. The new session is not ranked with the others, so a login never evicts its own session.
 *
 * @param shards - the shards of `owners`, the table of the customers' rows.
 */
export function openSessionsOnCluster(
  { shards }: Pick<StoreClient, "shards">,
  owners: string,
  statements: SessionStatements,
): ShardedMethod<OpenCall, readonly Session[]> {
  const { lockOwner, insertOwners, lockFreeOwners, touchOwners, list, end, insert } = statements;

  /** A cluster locks rows of one shard at a time. */
  const groupsOf = (calls: readonly OpenCall[]) => byShard({ shards }, owners, calls, customerOf);

  /** Locks or inserts the rows of the customers. Returns the calls whose rows are locked now. */
  const lockFree = async (queries: SqlQueries, calls: readonly OpenCall[]): Promise<readonly OpenCall[]> => {
    const isLocked = new Map<string, boolean>();
    for (const { items } of await groupsOf(calls))
      for (const row of await queries.query(lockFreeOwners, [appsOf(items), customersOf(items)]))
        isLocked.set(ownerOfRow(row), booleanValue(row, "is_locked"));
    const found = calls.filter((call) => isLocked.get(ownerOf(call)));
    if (found.length > 0) await queries.query(touchOwners(found.length), found.flatMap(ownerValues));
    // An insert would wait for a stored row that another login has changed.
    const missing = calls.filter((call) => !isLocked.has(ownerOf(call)));
    if (missing.length > 0)
      for (const row of await queries.query(insertOwners(missing.length), missing.flatMap(ownerValues)))
        isLocked.set(ownerOfRow(row), true);
    return calls.filter((call) => isLocked.get(ownerOf(call)) === true);
  };

  /** Opens the sessions of customers whose rows are locked. Returns the evicted sessions. */
  const openLocked = async (queries: SqlQueries, calls: readonly OpenCall[]) => {
    const stored = new Map<string, Session[]>();
    for (const session of (await queries.query(list, [appsOf(calls), customersOf(calls)])).map(toSession))
      stored.set(ownerOf(session), [...(stored.get(ownerOf(session)) ?? []), session]);
    const results = calls.map((call) => rank(call, stored.get(ownerOf(call)) ?? []));
    const ended = results.flatMap((result) => result.ended);
    for (const { items } of await byShard({ shards }, owners, ended, customerOf))
      await queries.query(end, [...batchInputValues(items.map(tokenRecord)), customersOf(items)]);
    const rows = calls.flatMap((call) => [
      ...[call.customerId, call.appId, call.tokenHash, call.gmtCreate, call.expiresAt],
    ]);
    await queries.query(insert(calls.length), rows);
    return results.map(({ evicted }) => evicted);
  };

  return {
    distributionValueOf: customerOf,
    keyOf: ownerOf,
    runOne: (call, sql) =>
      sql.transaction(async (transaction) => {
        await transaction.query(lockOwner, ownerValues(call));
        return (await openLocked(transaction, [call]))[0] ?? [];
      }),
    runBatch: (calls, sql) =>
      sql.transaction(async (transaction) => {
        const sorted = calls.toSorted((left, right) => (ownerOf(left) < ownerOf(right) ? -1 : 1));
        const free = await lockFree(transaction, sorted);
        if (free.length === 0) return new Map();
        const evicted = await openLocked(transaction, free);
        return new Map(free.map((call, nth) => [calls.indexOf(call), evicted[nth] ?? []]));
      }),
  };
}

/** Returns the sessions that a login ends, and those of them that were live. `stored` is sorted. */
function rank({ tokenHash, gmtCreate, maxLive }: OpenCall, stored: readonly Session[]) {
  const others = stored.filter((session) => session.tokenHash !== tokenHash);
  const live = others.filter((session) => isLiveSession(session, gmtCreate));
  const evicted = live.slice(0, Math.max(0, live.length + 1 - maxLive));
  const kept = new Set(live.slice(evicted.length));
  return { evicted, ended: others.filter((session) => !kept.has(session)) };
}

function ownerOf({ customerId, appId }: Pick<Session, "customerId" | "appId">): string {
  return JSON.stringify([customerId, appId]);
}

function ownerOfRow(row: SqlRow): string {
  return ownerOf({ customerId: text(row, "customer_id"), appId: text(row, "app_id") });
}

function customerOf({ customerId }: Pick<Session, "customerId">): string {
  return customerId;
}

function customersOf(calls: readonly Session[]): string {
  return arrayLiteral(calls.map(customerOf));
}

function appsOf(calls: readonly Session[]): string {
  return arrayLiteral([...new Set(calls.map(({ appId }) => appId))]);
}

function ownerValues({ customerId, appId, gmtCreate }: OpenCall): readonly SqlValue[] {
  return [customerId, appId, gmtCreate];
}

function tokenRecord({ customerId, appId, tokenHash }: Session) {
  return { customer_id: customerId, app_id: appId, token_hash: tokenHash };
}
