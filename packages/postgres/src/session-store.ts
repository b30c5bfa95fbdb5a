import { type CustomerImportResult, isLiveSession, type Session, type SessionStore } from "@tillkit/core";
import { changeRows, insertRows, readRows, singleValues } from "./batched-methods.js";
import { batched, type BatchOptions } from "./batched.js";
import { toStorageResult } from "./to-storage-result.js";
import { readOnCluster } from "./read-on-cluster.js";
import { removeRows } from "./remove-expired.js";
import { booleanValue, integer, text } from "./row.js";
import { insertedOrExisting } from "./insert-once.js";
import { batchedByNode, batchedByShard } from "./batched-by-shard.js";
import { type OpenCall, openSessionsOnCluster } from "./open-sessions-on-cluster.js";
import { toCustomer, toSession } from "./session-row.js";
import { sessionStatements, type SessionStatements } from "./session-statements.js";
import type { SqlClient, SqlQueries, SqlRow } from "./sql-client.js";
import { byDistribution, storeClient } from "./store-client.js";
import { tablesOf } from "./tables.js";

/** Creates a `SessionStore` on PostgreSQL, over the tables of `schema`. */
export function postgresSessionStore(
  client: SqlClient,
  schema: string,
  batching?: BatchOptions,
): SessionStore {
  const sql = storeClient(client, schema);
  const tables = tablesOf(schema);
  const statements = sessionStatements(tables);
  const liveRecord = ({ customerId, appId, tokenHash, now }: LiveCall) => ({
    customer_id: customerId,
    app_id: appId,
    token_hash: tokenHash,
    now_ms: now,
  });
  const isLive = byDistribution(sql, {
    server: batched(readRows(sql, statements.isLive, liveRecord), batching),
    cluster: readOnCluster(
      sql,
      {
        table: tables.sessions,
        one: statements.isLive.one,
        values: (call: LiveCall) => singleValues(statements.isLive, liveRecord(call)),
        many: statements.findMany,
        keyOf: keyValues,
        keyOfRow: (row) => keyValues(toSession(row)),
        accepts: (row, { now }) => isLiveSession(toSession(row), now),
      },
      batching,
    ),
  });
  const findIdentified = ({ appId, phoneHashes: [hash] }: Identified) => ({
    statement: statements.find,
    values: [hash, appId],
  });
  const identifyOne = byDistribution(sql, {
    server: batched<Identified, SqlRow>(
      {
        keyOf: ({ appId, phoneHashes: [hash] }) => JSON.stringify([hash, appId]),
        ...insertRows(
          sql,
          statements.identify,
          ({ appId, phoneHashes: [hash], candidate, now }: Identified) => ({
            phone_hash: hash,
            app_id: appId,
            customer_id: candidate,
            created_ms: now,
          }),
          findIdentified,
        ),
      },
      batching,
    ),
    cluster: (identified) => {
      const { appId, phoneHashes, candidate, now } = identified;
      const insert = { statement: statements.make, values: [phoneHashes[0], appId, candidate, now] };
      const near = sql.near(tables.customers, phoneHashes[0]);
      return insertedOrExisting(near, insert, findIdentified(identified));
    },
  });
  const openOnServer = batched<OpenCall, readonly SqlRow[] | undefined>(
    {
      keyOf: ({ appId, customerId }) => JSON.stringify([customerId, appId]),
      ...changeRows(sql, statements.open, openRecord),
      runOne: (call) => openOne(sql, statements, call),
    },
    batching,
  );
  const opening = openSessionsOnCluster(sql, tables.session_owners, statements);
  const openOnCluster = sql.hasNodes ? batchedByNode : batchedByShard;
  const open = byDistribution(sql, {
    server: async (call: OpenCall) => {
      const rows = await openOnServer(call);
      return rows && toSessions(rows);
    },
    cluster: openOnCluster(sql, tables.session_owners, opening, batching),
  });
  const nearHash = (hash: string): SqlQueries => sql.near(tables.customers, hash);
  const nearSession = (customerId: string): SqlQueries => sql.near(tables.sessions, customerId);
  return {
    identify: (appId, phoneHashes, candidate, now) =>
      toStorageResult(async () => {
        const identified = { appId, phoneHashes, candidate, now };
        // There are several hashes only while a pepper is being replaced.
        if (phoneHashes.length === 1) return text(await identifyOne(identified), "customer_id");
        const stored = await customersOf(nearHash, statements, appId, phoneHashes);
        const [first] = stored;
        if (first !== undefined && !stored.includes(undefined)) return first;
        return sql
          .near(tables.customers, phoneHashes[0])
          .transaction(
            async (transaction) => (await makeCustomer(transaction, statements, identified)).customerId,
          );
      }),
    importCustomer: (appId, phoneHashes, customerId, gmtCreate) =>
      toStorageResult(() => {
        const identified = { appId, phoneHashes, candidate: customerId, now: gmtCreate };
        return sql
          .near(tables.customers, phoneHashes[0])
          .transaction((transaction) => makeCustomer(transaction, statements, identified));
      }),
    findCustomer: (appId, phoneHashes) =>
      toStorageResult(async () =>
        (await customersOf(nearHash, statements, appId, phoneHashes)).find((one) => one !== undefined),
      ),
    listCustomers: ({ appId, after, limit }) =>
      toStorageResult(async () => {
        const values = [after?.phoneHash ?? "", after?.appId ?? "", limit];
        const page =
          appId === undefined
            ? sql.query(statements.listCustomers, values)
            : sql.query(statements.listCustomersOfApp, [...values, appId]);
        return (await page).map(toCustomer);
      }),
    open: (session, maxLive) => toStorageResult(() => open({ maxLive, ...session })),
    isLive: ({ appId, customerId, tokenHash }, now) =>
      toStorageResult(async () => (await isLive({ appId, customerId, tokenHash, now })).length > 0),
    revoke: (session) =>
      toStorageResult(async () => {
        const near = nearSession(session.customerId);
        return (await near.query(statements.revoke, keyValues(session))).length > 0;
      }),
    list: (appId, customerId) =>
      toStorageResult(async () =>
        (await nearSession(customerId).query(statements.list, [customerId, appId])).map(toSession),
      ),
    countLive: (appId, customerId, now) =>
      toStorageResult(async () => {
        const near = nearSession(customerId);
        const [row] = await near.query(statements.countLive, [customerId, appId, now]);
        return row === undefined ? 0 : integer(row, "live");
      }),
    revokeAll: (appId, customerId) =>
      toStorageResult(async () => {
        const near = nearSession(customerId);
        return (await near.query(statements.revokeAll, [customerId, appId])).length;
      }),
    removeExpired: (before, limit) =>
      toStorageResult(() => removeRows(sql, statements.removeExpired, before, limit)),
    forgetIdle: (before, limit) =>
      toStorageResult(() => removeRows(sql, statements.forgetIdle, before, limit)),
  };
}

/** The key of a session. */
type SessionKey = Pick<Session, "appId" | "customerId" | "tokenHash">;

/** A session to check, and the current time. */
interface LiveCall extends SessionKey {
  readonly now: number;
}

function keyValues({ customerId, appId, tokenHash }: SessionKey): readonly [string, string, string] {
  return [customerId, appId, tokenHash];
}

function openRecord(call: OpenCall) {
  return {
    customer_id: call.customerId,
    app_id: call.appId,
    token_hash: call.tokenHash,
    created_ms: call.gmtCreate,
    expires_ms: call.expiresAt,
    max_live: call.maxLive,
  };
}

/**
 * Opens a session in one statement, or in a transaction if the customer logs in concurrently.
 *
 * Returns `undefined` if the customer was erased.
 */
async function openOne(
  sql: SqlClient,
  { lockOwner, open }: Pick<SessionStatements, "lockOwner" | "open">,
  call: OpenCall,
): Promise<readonly SqlRow[] | undefined> {
  const values = singleValues(open, openRecord(call));
  const opened = await sql.query(open.one, values);
  if (opened.length > 0) return opened;
  // The lock comes first, because a statement cannot see rows that others stored while it waited.
  return sql.transaction(async (transaction) => {
    const [owner] = await transaction.query(lockOwner, [call.customerId, call.appId, call.gmtCreate]);
    if (owner !== undefined && booleanValue(owner, "erased")) return undefined;
    const rows = await transaction.query(open.one, values);
    // The transaction holds the owner row, so the statement opens the session.
    if (rows.length === 0) throw new Error("The statement opened no session, although it holds the lock.");
    return rows;
  });
}

/** A customer to identify. */
interface Identified {
  readonly appId: string;
  readonly phoneHashes: readonly [current: string, ...older: string[]];
  readonly candidate: string;
  readonly now: number;
}

/**
 * Inserts the candidate under every hash that has no customer.
 *
 * If a concurrent call inserted another customer under one of the hashes, the candidate is replaced
 * by that customer. Hashes are locked in sorted order, so that two calls cannot deadlock. The
 * customer is new if no hash had one.
 */
async function makeCustomer(
  sql: SqlQueries,
  statements: SessionStatements,
  { appId, phoneHashes, candidate, now }: Identified,
): Promise<CustomerImportResult> {
  let inserted = 0;
  for (const hash of phoneHashes.toSorted())
    inserted += (await sql.query(statements.make, [hash, appId, candidate, now])).length;
  const stored = await customersOf(() => sql, statements, appId, phoneHashes);
  const customer = stored.find((one) => one !== undefined && one !== candidate) ?? candidate;
  for (const [index, hash] of phoneHashes.entries()) {
    if (stored[index] !== customer && stored[index] === candidate)
      await sql.query(statements.join, [hash, appId, customer, candidate]);
  }
  return { outcome: inserted === phoneHashes.length ? "stored" : "exists", customerId: customer };
}

/**
 * Finds the customer of each hash.
 *
 * It runs one statement per hash, because a distributed database stores each hash on another node.
 */
async function customersOf(
  near: (phoneHash: string) => SqlQueries,
  { find }: Pick<SessionStatements, "find">,
  appId: string,
  phoneHashes: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const stored: (string | undefined)[] = [];
  for (const hash of phoneHashes) {
    const [row] = await near(hash).query(find, [hash, appId]);
    stored.push(row && text(row, "customer_id"));
  }
  return stored;
}

/** Reads the sessions in `rows`. Skips the row that means "no evicted session". */
function toSessions(rows: readonly SqlRow[]): readonly Session[] {
  return rows.filter((row) => row["token_hash"] !== null).map(toSession);
}
