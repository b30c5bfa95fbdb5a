import {
  type CustomerImportResult,
  isLiveSession,
  isUseToStore,
  type PhoneMove,
  type Session,
  SESSION_USE_INTERVAL,
  type SessionStore,
} from "@tillkit/core/ports";
import { auditAppender, transactionWithAudit } from "../audit/append-audit.js";
import { changeRows, insertRows, readRows, singleValues } from "../batching/batched-methods.js";
import { batched, type BatchOptions } from "../batching/batched.js";
import { toStorageResult } from "../client/to-storage-result.js";
import { readOnCluster } from "../batching/read-on-cluster.js";
import { removeRows } from "../sql/remove-expired.js";
import { booleanValue, integer, optionalInteger, text } from "../sql/row.js";
import { insertedOrExisting } from "../batching/insert-once.js";
import { batchedByNode, batchedByShard } from "../batching/batched-by-shard.js";
import { type OpenCall, openSessionsOnCluster } from "./open-sessions-on-cluster.js";
import { toCustomer, toSession } from "./session-row.js";
import { sessionStatements, type SessionStatements } from "./session-statements.js";
import type { SqlClient, SqlQueries, SqlRow } from "../sql/sql-client.js";
import { byDistribution, storeClient } from "../cluster/store-client.js";
import { tablesOf } from "../sql/tables.js";

/** Creates a `SessionStore` on PostgreSQL, over the tables of `schema`. */
export function postgresSessionStore(
  client: SqlClient,
  schema: string,
  batching?: BatchOptions,
): SessionStore {
  const sql = storeClient(client, schema);
  const tables = tablesOf(schema);
  const statements = sessionStatements(tables);
  const appender = auditAppender(sql, tables);
  const liveRecord = ({ customerId, appId, tokenHash, now }: LiveCall) => ({
    customer_id: customerId,
    app_id: appId,
    token_hash: tokenHash,
    now_ms: now,
  });
  const findLive = byDistribution(sql, {
    server: batched(readRows(sql, statements.findLive, liveRecord), batching),
    cluster: readOnCluster(
      sql,
      {
        table: tables.sessions,
        one: statements.findLive.one,
        values: (call: LiveCall) => singleValues(statements.findLive, liveRecord(call)),
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
    findPhones: (appId, phoneHashes) =>
      toStorageResult(async () =>
        (await phonesOf(nearHash, statements, appId, phoneHashes)).flatMap((row) =>
          row === undefined ? [] : [toCustomer(row)],
        ),
      ),
    confirmLogin: (appId, phoneHashes, customerId, now) =>
      toStorageResult(async () => {
        const [current, ...older] = phoneHashes;
        const confirm = async (hash: string) =>
          (await nearHash(hash).query(statements.confirmLogin, [hash, appId, customerId, now])).length > 0;
        if (!(await confirm(current))) return false;
        for (const hash of older) await confirm(hash);
        return true;
      }),
    // Phone numbers and customers have different distribution columns, so this is a transaction of
    // the coordinator.
    movePhones: (appId, moves, at, audit) =>
      toStorageResult(async () => {
        try {
          return await transactionWithAudit(sql, appender, audit, async (queries) => {
            const ended = await movePhones(queries, statements, appId, moves, at);
            return { changed: true, before: { sessions: ended }, value: ended };
          });
        } catch (error) {
          if (error === NOT_MOVED) return undefined;
          throw error;
        }
      }),
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
    use: ({ appId, customerId, tokenHash }, now, extendTo = 0) =>
      toStorageResult(async () => {
        const [row] = await findLive({ appId, customerId, tokenHash, now });
        if (row === undefined) return false;
        const usedAt = optionalInteger(row, "used_ms") ?? integer(row, "created_ms");
        if (!isUseToStore({ gmtCreate: usedAt }, now)) return true;
        const values = [customerId, appId, tokenHash, now, extendTo, now - SESSION_USE_INTERVAL];
        await nearSession(customerId).query(statements.use, values);
        return true;
      }),
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
    label: call.label,
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
  // The lock comes first, because a statement cannot see rows that other transactions stored while
  // the statement waited.
  return sql.transaction(async (transaction) => {
    const [owner] = await transaction.query(lockOwner, [call.customerId, call.appId, call.gmtCreate]);
    if (owner !== undefined && booleanValue(owner, "erased")) return undefined;
    const rows = await transaction.query(open.one, values);
    // The transaction has locked the owner row, so the statement opens the session.
    if (rows.length === 0) throw new Error("The statement opened no session, although it holds the lock.");
    return rows;
  });
}

/**
 * A customer to identify. If no hash has a customer, `candidate` becomes the id of the customer.
 */
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
 * outcome is `stored` if no hash had a customer.
 */
async function makeCustomer(
  sql: SqlQueries,
  statements: SessionStatements,
  { appId, phoneHashes, candidate, now }: Identified,
): Promise<CustomerImportResult> {
  let inserted = 0;
  let stored: readonly (string | undefined)[];
  // Another call may remove a row that `make` found, so the loop ends when every hash has a row.
  do {
    for (const hash of phoneHashes.toSorted())
      inserted += (await sql.query(statements.make, [hash, appId, candidate, now])).length;
    stored = await customersOf(() => sql, statements, appId, phoneHashes);
  } while (stored.includes(undefined));
  const customer = stored.find((one) => one !== undefined && one !== candidate) ?? candidate;
  for (const [index, hash] of phoneHashes.entries()) {
    if (stored[index] !== customer && stored[index] === candidate)
      await sql.query(statements.join, [hash, appId, customer, candidate]);
  }
  return { outcome: inserted === phoneHashes.length ? "stored" : "exists", customerId: customer };
}

/** Finds the customer of each hash. */
async function customersOf(
  near: (phoneHash: string) => SqlQueries,
  statements: Pick<SessionStatements, "find">,
  appId: string,
  phoneHashes: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const rows = await phonesOf(near, statements, appId, phoneHashes);
  return rows.map((row) => row && text(row, "customer_id"));
}

/**
 * Finds the row of each hash.
 *
 * Runs one statement per hash, because a cluster may store each hash on another node.
 */
async function phonesOf(
  near: (phoneHash: string) => SqlQueries,
  { find }: Pick<SessionStatements, "find">,
  appId: string,
  phoneHashes: readonly string[],
): Promise<readonly (SqlRow | undefined)[]> {
  const rows: (SqlRow | undefined)[] = [];
  for (const hash of phoneHashes) rows.push((await near(hash).query(find, [hash, appId]))[0]);
  return rows;
}

/** The error that rolls back a change of phone numbers that is not possible. */
const NOT_MOVED = new Error("A phone number does not belong to the expected customer.");

/**
 * Changes the customers of phone numbers, and ends the sessions of customers who lose a number.
 *
 * Locks the customers first, as an erasure does. From then on, every earlier login has stored its
 * session, and a later login waits. Then it locks the phone numbers, so that a login that confirms
 * its number waits as well. Rows are locked in the order of their keys.
 */
async function movePhones(
  queries: SqlQueries,
  statements: SessionStatements,
  appId: string,
  moves: readonly PhoneMove[],
  at: number,
): Promise<number> {
  const { make, takePhone, passPhone } = statements;
  const losing = new Set(moves.flatMap(({ from }) => from ?? []));
  const getting = new Set(moves.flatMap(({ to }) => to ?? []));
  const customers = [...new Set([...losing, ...getting])].sort();
  for (const customer of customers) {
    const [owner] = await queries.query(statements.lockOwner, [customer, appId, at]);
    if (owner !== undefined && booleanValue(owner, "erased") && getting.has(customer)) throw NOT_MOVED;
  }
  for (const { phoneHash, from, to } of moves.toSorted((a, b) => (a.phoneHash < b.phoneHash ? -1 : 1))) {
    const changed =
      from === undefined
        ? await queries.query(make, [phoneHash, appId, to, at])
        : to === undefined
          ? await queries.query(takePhone, [phoneHash, appId, from])
          : await queries.query(passPhone, [phoneHash, appId, from, to]);
    if (changed.length === 0) throw NOT_MOVED;
  }
  let ended = 0;
  for (const customer of customers.filter((one) => losing.has(one)))
    ended += (await queries.query(statements.revokeAll, [customer, appId])).length;
  return ended;
}

/** Reads the evicted sessions in `rows`. Skips the row without a session. */
function toSessions(rows: readonly SqlRow[]): readonly Session[] {
  return rows.filter((row) => row["token_hash"] !== null).map(toSession);
}
