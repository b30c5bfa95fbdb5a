import type { Session, SessionStore } from "@tillkit/core";
import { batchInputValues, runTogether, rowsByIndex } from "./batch-input.js";
import { readRows } from "./call-forms.js";
import { batched, type BatchOptions } from "./batched.js";
import { toStorageResult } from "./to-storage-result.js";
import { insertedOrExisting } from "./insert-once.js";
import { removeRows } from "./removal.js";
import { booleanValue, integer, text } from "./row.js";
import { sessionBatchStatements } from "./session-batch-statements.js";
import { sessionStatements, type SessionStatements } from "./session-statements.js";
import type { SqlClient, SqlQueries, SqlRow } from "./sql-client.js";
import { tablesOf } from "./tables.js";

/** Creates a `SessionStore` on PostgreSQL, over the tables of `schema`. */
export function postgresSessionStore(sql: SqlClient, schema: string, batching?: BatchOptions): SessionStore {
  const tables = tablesOf(schema);
  const statements = sessionStatements(tables);
  const groups = sessionBatchStatements(tables);
  const isLive = batched<LiveCall, readonly SqlRow[]>(
    readRows(sql, statements.isLive, (call) => ({ ...record(call), now_ms: call.now })),
    batching,
  );
  const identifyOne = batched<Identified, string>(
    {
      keyOf: ({ appId, phoneHashes: [hash] }) => JSON.stringify([hash, appId]),
      runOne: (identified) => customerOfOne(sql, statements, identified),
      runBatch: runTogether(sql, {
        statement: groups.identify,
        values: ({ appId, phoneHashes: [hash], candidate, now }) => ({
          ...{ phone_hash: hash, app_id: appId },
          ...{ customer_id: candidate, created_ms: now },
        }),
        answer: (row) => text(row, "customer_id"),
      }),
    },
    batching,
  );
  const open = batched<OpenCall, readonly Session[]>(
    {
      keyOf: ({ appId, customerId }) => JSON.stringify([customerId, appId]),
      runOne: (call) => openOne(sql, statements, call),
      runBatch: async (calls) => {
        const values = batchInputValues(
          calls.map((call) => ({
            ...record(call),
            ...{ created_ms: call.gmtCreate, expires_ms: call.expiresAt, max_live: call.maxLive },
          })),
        );
        const opened = [...rowsByIndex(calls, await sql.query(groups.open, values))].filter(
          ([, rows]) => rows.length > 0,
        );
        return new Map(opened.map(([place, rows]) => [place, toSessions(rows)]));
      },
    },
    batching,
  );
  return {
    identify: (appId, phoneHashes, candidate, now) =>
      toStorageResult(async () => {
        const identified = { appId, phoneHashes, candidate, now };
        if (phoneHashes.length === 1) return identifyOne(identified);
        const stored = await customersOf(sql, statements, appId, phoneHashes);
        const [first] = stored;
        if (first !== undefined && !stored.includes(undefined)) return first;
        return sql.transaction((transaction) => makeCustomer(transaction, statements, identified));
      }),
    open: (session, maxLive) => toStorageResult(() => open({ ...session, maxLive })),
    isLive: ({ appId, customerId, tokenHash }, now) =>
      toStorageResult(async () => (await isLive({ appId, customerId, tokenHash, now })).length > 0),
    revoke: (session) =>
      toStorageResult(async () => (await sql.query(statements.revoke, keyValues(session))).length > 0),
    revokeAll: (appId, customerId) =>
      toStorageResult(async () => (await sql.query(statements.revokeAll, [customerId, appId])).length),
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

/** A session to open, and the maximum number of live sessions of its customer. */
interface OpenCall extends Session {
  readonly maxLive: number;
}

function keyValues({ customerId, appId, tokenHash }: SessionKey): readonly string[] {
  return [customerId, appId, tokenHash];
}

function record({ customerId, appId, tokenHash }: SessionKey) {
  return { customer_id: customerId, app_id: appId, token_hash: tokenHash };
}

/** Opens a session in one statement, or in a transaction if the customer logs in concurrently. */
async function openOne(
  sql: SqlClient,
  { openAlone, lockOwner, open }: Pick<SessionStatements, "openAlone" | "lockOwner" | "open">,
  call: OpenCall,
): Promise<readonly Session[]> {
  const values = [...keyValues(call), call.gmtCreate, call.expiresAt, call.maxLive];
  const alone = ended(await sql.query(openAlone, values));
  if (alone !== undefined) return alone;
  // The lock comes first, because a statement cannot see rows that others stored while it waited.
  return sql.transaction(async (transaction) => {
    await transaction.query(lockOwner, [call.customerId, call.appId, call.gmtCreate]);
    return ended(await transaction.query(open, values)) ?? [];
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
 * Inserts or finds the customer of a single phone hash.
 *
 * There are several hashes only while a pepper is being replaced.
 */
async function customerOfOne(
  sql: SqlQueries,
  { identify, find }: Pick<SessionStatements, "identify" | "find">,
  { appId, phoneHashes: [hash], candidate, now }: Identified,
): Promise<string> {
  const insert = { statement: identify, values: [hash, appId, candidate, now] };
  return text(
    await insertedOrExisting(sql, insert, { statement: find, values: [hash, appId] }),
    "customer_id",
  );
}

/**
 * Inserts the candidate under every hash that has no customer.
 *
 * If a concurrent call inserted another customer under one of the hashes, the candidate is replaced
 * by that customer. Hashes are locked in sorted order, so that two calls cannot deadlock.
 */
async function makeCustomer(
  sql: SqlQueries,
  statements: SessionStatements,
  { appId, phoneHashes, candidate, now }: Identified,
): Promise<string> {
  for (const hash of phoneHashes.toSorted()) await sql.query(statements.make, [hash, appId, candidate, now]);
  const stored = await customersOf(sql, statements, appId, phoneHashes);
  const customer = stored.find((one) => one !== undefined && one !== candidate) ?? candidate;
  for (const [index, hash] of phoneHashes.entries()) {
    if (stored[index] !== customer && stored[index] === candidate)
      await sql.query(statements.join, [hash, appId, customer, candidate]);
  }
  return customer;
}

/**
 * Finds the customer of each hash.
 *
 * It runs one statement per hash, because a distributed database stores each hash on another node.
 */
async function customersOf(
  sql: SqlQueries,
  { find }: Pick<SessionStatements, "find">,
  appId: string,
  phoneHashes: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const stored: (string | undefined)[] = [];
  for (const hash of phoneHashes) {
    const [row] = await sql.query(find, [hash, appId]);
    stored.push(row && text(row, "customer_id"));
  }
  return stored;
}

/** Returns the evicted sessions, or `undefined` if no session was opened. */
function ended(rows: readonly SqlRow[]): readonly Session[] | undefined {
  if (!rows.some((row) => booleanValue(row, "done"))) return undefined;
  return toSessions(rows);
}

/** Reads the sessions in `rows`. Skips the row that means "no evicted session". */
function toSessions(rows: readonly SqlRow[]): readonly Session[] {
  return rows.filter((row) => row["token_hash"] !== null).map(toSession);
}

function toSession(row: SqlRow): Session {
  return {
    appId: text(row, "app_id"),
    customerId: text(row, "customer_id"),
    tokenHash: text(row, "token_hash"),
    gmtCreate: integer(row, "created_ms"),
    expiresAt: integer(row, "expires_ms"),
  };
}
