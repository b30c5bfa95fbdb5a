import { type Session, sessionsAtLogin } from "@tillkit/core/ports";
import { arrayLiteral } from "../sql/array-literal.js";
import { batchInputValues } from "../batching/batch-input.js";
import type { ShardedMethod } from "../batching/batched-by-shard.js";
import { toSession } from "./session-row.js";
import type { SessionStatements } from "./session-statements.js";
import { booleanValue, text } from "../sql/row.js";
import type { SqlQueries, SqlRow, SqlValue } from "../sql/sql-client.js";
import { byShard, type StoreClient } from "../cluster/store-client.js";

/** A session to open, and the maximum number of live sessions of its customer. */
export interface OpenCall extends Session {
  readonly maxLive: number;
}

/**
 * Creates the method that opens sessions on a cluster and ends the oldest above the limit.
 *
 * Returns the evicted sessions that were live, oldest first. The sessions of a batch are opened in
 * one transaction. One statement per shard locks the rows of the customers and lists their
 * sessions. Every login updates or inserts the row of its customer. Therefore the list is complete
 * in two cases: the row is locked and unchanged, or there was no row and this transaction inserts
 * it. (`forgetIdle` deletes no row of a recent login.) In all other cases the call leaves the batch
 * and runs alone. It then locks the row before it lists the sessions, and opens no session for an
 * erased customer. The new session is not ranked with the others, so a login never evicts its own
 * session.
 *
 * @param shards - the shards of `owners`, the table of the customers' rows.
 */
export function openSessionsOnCluster(
  { shards }: Pick<StoreClient, "shards">,
  owners: string,
  statements: SessionStatements,
): ShardedMethod<OpenCall, readonly Session[] | undefined> {
  const { lockOwner, insertOwners, lockAndList, touchOwners, end, insert } = statements;

  /** Groups items by shard, because a cluster locks rows of one shard at a time. */
  const groupsOf = <T extends Pick<Session, "customerId">>(items: readonly T[]) =>
    byShard({ shards }, owners, items, customerOf);

  /** Locks the rows of the customers that no other login has locked, and lists their sessions. */
  const lockAvailable = async (queries: SqlQueries, calls: readonly OpenCall[]) => {
    const lockedHere = new Map<string, boolean>();
    const stored = new Map<string, Session[]>();
    for (const { items } of await groupsOf(calls))
      for (const row of await queries.query(lockAndList, [appsOf(items), customersOf(items)])) {
        const owner = ownerOfRow(row);
        if (row["is_locked"] !== null) lockedHere.set(owner, booleanValue(row, "is_locked"));
        else stored.set(owner, [...(stored.get(owner) ?? []), toSession(row)]);
      }
    return { lockedHere, stored };
  };

  /** Updates or inserts the rows of customers. Returns the calls whose rows are locked now. */
  const claim = async (
    queries: SqlQueries,
    calls: readonly OpenCall[],
    lockedHere: ReadonlyMap<string, boolean>,
  ): Promise<readonly OpenCall[]> => {
    const found = calls.filter((call) => lockedHere.get(ownerOf(call)));
    if (found.length > 0) await queries.query(touchOwners(found.length), found.flatMap(ownerValues));
    // Only for missing rows: an insert would wait for a stored row that another login has changed.
    const missing = calls.filter((call) => !lockedHere.has(ownerOf(call)));
    const rows =
      missing.length > 0
        ? await queries.query(insertOwners(missing.length), missing.flatMap(ownerValues))
        : [];
    const claimed = new Set([...found.map(ownerOf), ...rows.map(ownerOfRow)]);
    return calls.filter((call) => claimed.has(ownerOf(call)));
  };

  /** Opens the sessions of customers whose rows are locked. Returns the evicted sessions. */
  const openLocked = async (
    queries: SqlQueries,
    calls: readonly OpenCall[],
    stored: ReadonlyMap<string, readonly Session[]>,
  ) => {
    const results = calls.map((call) => rank(call, stored.get(ownerOf(call)) ?? []));
    const deleted = new Set<string>();
    for (const { items } of await groupsOf(results.flatMap(({ ended }) => ended))) {
      const values = [...batchInputValues(items.map(tokenRecord)), customersOf(items)];
      for (const row of await queries.query(end, values))
        deleted.add(tokenOf(ownerOfRow(row), text(row, "token_hash")));
    }
    const rows = calls.flatMap((call) => [
      call.customerId,
      call.appId,
      call.tokenHash,
      call.gmtCreate,
      call.expiresAt,
      call.label ?? null,
    ]);
    await queries.query(insert(calls.length), rows);
    // Another call may have revoked a listed session. Such a session does not count as evicted.
    return results.map(({ evicted }) =>
      evicted.filter((session) => deleted.has(tokenOf(ownerOf(session), session.tokenHash))),
    );
  };

  return {
    distributionValueOf: customerOf,
    keyOf: ownerOf,
    runOne: (call, sql) =>
      sql.transaction(async (transaction) => {
        const [owner] = await transaction.query(lockOwner, ownerValues(call));
        if (owner !== undefined && booleanValue(owner, "erased")) return undefined;
        const { stored } = await lockAvailable(transaction, [call]);
        return (await openLocked(transaction, [call], stored))[0] ?? [];
      }),
    runBatch: (calls, sql) =>
      sql.transaction(async (transaction) => {
        const sorted = calls.toSorted((left, right) => (ownerOf(left) < ownerOf(right) ? -1 : 1));
        const { lockedHere, stored } = await lockAvailable(transaction, sorted);
        const claimed = await claim(transaction, sorted, lockedHere);
        if (claimed.length === 0) return new Map();
        const evicted = await openLocked(transaction, claimed, stored);
        return new Map(claimed.map((call, nth) => [calls.indexOf(call), evicted[nth] ?? []]));
      }),
  };
}

/** Returns the sessions that a login ends. `evicted` are the ended sessions that were live. */
function rank({ tokenHash, gmtCreate, maxLive }: OpenCall, stored: readonly Session[]) {
  const others = stored.filter((session) => session.tokenHash !== tokenHash);
  const { kept, evicted } = sessionsAtLogin(others, { openedAt: gmtCreate, maxLive });
  return { evicted, ended: others.filter((session) => !kept.includes(session)) };
}

function ownerOf({ customerId, appId }: Pick<Session, "customerId" | "appId">): string {
  return JSON.stringify([customerId, appId]);
}

function ownerOfRow(row: SqlRow): string {
  return ownerOf({ customerId: text(row, "customer_id"), appId: text(row, "app_id") });
}

function tokenOf(owner: string, tokenHash: string): string {
  return `${owner} ${tokenHash}`;
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
