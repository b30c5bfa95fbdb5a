import type { Session, SessionStore } from "@tillkit/core";
import { askedValues, askTogether, rowsByPlace } from "./asked.js";
import { readRows } from "./call-forms.js";
import { grouped, type Grouping } from "./grouped.js";
import { guard } from "./guard.js";
import { madeOrHeld } from "./insert-once.js";
import { removeRows } from "./removal.js";
import { flag, integer, text } from "./row.js";
import { sessionGroupStatements } from "./session-group-statements.js";
import { sessionStatements, type SessionStatements } from "./session-statements.js";
import type { SqlClient, SqlQueries, SqlRow } from "./sql-client.js";
import { tablesOf } from "./tables.js";

/** Creates a `SessionStore` on PostgreSQL, over the tables of `schema`. */
export function postgresSessionStore(sql: SqlClient, schema: string, grouping?: Grouping): SessionStore {
  const tables = tablesOf(schema);
  const statements = sessionStatements(tables);
  const groups = sessionGroupStatements(tables);
  const isLive = grouped<LiveAsk, readonly SqlRow[]>(
    readRows(sql, statements.isLive, (ask) => ({ ...record(ask), now_ms: ask.now })),
    grouping,
  );
  const identifyOne = grouped<Identified, string>(
    {
      keyOf: ({ appId, phoneHashes: [hash] }) => JSON.stringify([hash, appId]),
      one: (identified) => customerOfOne(sql, statements, identified),
      many: askTogether(sql, {
        statement: groups.identify,
        values: ({ appId, phoneHashes: [hash], candidate, now }) => ({
          ...{ phone_hash: hash, app_id: appId },
          ...{ customer_id: candidate, created_ms: now },
        }),
        answer: (row) => text(row, "customer_id"),
      }),
    },
    grouping,
  );
  const open = grouped<OpenAsk, readonly Session[]>(
    {
      keyOf: ({ appId, customerId }) => JSON.stringify([customerId, appId]),
      one: (ask) => openOne(sql, statements, ask),
      many: async (asks) => {
        const values = askedValues(
          asks.map((ask) => ({
            ...record(ask),
            ...{ created_ms: ask.gmtCreate, expires_ms: ask.expiresAt, max_live: ask.maxLive },
          })),
        );
        const opened = [...rowsByPlace(asks, await sql.query(groups.open, values))].filter(
          ([, rows]) => rows.length > 0,
        );
        return new Map(opened.map(([place, rows]) => [place, toSessions(rows)]));
      },
    },
    grouping,
  );
  return {
    identify: (appId, phoneHashes, candidate, now) =>
      guard(async () => {
        const identified = { appId, phoneHashes, candidate, now };
        if (phoneHashes.length === 1) return identifyOne(identified);
        const held = await customersOf(sql, statements, appId, phoneHashes);
        const [first] = held;
        if (first !== undefined && !held.includes(undefined)) return first;
        return sql.transaction((transaction) => makeCustomer(transaction, statements, identified));
      }),
    open: (session, maxLive) => guard(() => open({ ...session, maxLive })),
    isLive: ({ appId, customerId, tokenHash }, now) =>
      guard(async () => (await isLive({ appId, customerId, tokenHash, now })).length > 0),
    revoke: (session) =>
      guard(async () => (await sql.query(statements.revoke, keyValues(session))).length > 0),
    revokeAll: (appId, customerId) =>
      guard(async () => (await sql.query(statements.revokeAll, [customerId, appId])).length),
    removeExpired: (before, limit) => guard(() => removeRows(sql, statements.removeExpired, before, limit)),
    forgetIdle: (before, limit) => guard(() => removeRows(sql, statements.forgetIdle, before, limit)),
  };
}

/** The key of a session. */
type SessionKey = Pick<Session, "appId" | "customerId" | "tokenHash">;

/** A session to check, and the current time. */
interface LiveAsk extends SessionKey {
  readonly now: number;
}

/** A session to open, and the maximum number of live sessions of its customer. */
interface OpenAsk extends Session {
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
  ask: OpenAsk,
): Promise<readonly Session[]> {
  const values = [...keyValues(ask), ask.gmtCreate, ask.expiresAt, ask.maxLive];
  const alone = ended(await sql.query(openAlone, values));
  if (alone !== undefined) return alone;
  // The lock comes first, because a statement cannot see rows that others stored while it waited.
  return sql.transaction(async (transaction) => {
    await transaction.query(lockOwner, [ask.customerId, ask.appId, ask.gmtCreate]);
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
  return text(await madeOrHeld(sql, insert, { statement: find, values: [hash, appId] }), "customer_id");
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
  const held = await customersOf(sql, statements, appId, phoneHashes);
  const customer = held.find((one) => one !== undefined && one !== candidate) ?? candidate;
  for (const [index, hash] of phoneHashes.entries()) {
    if (held[index] !== customer && held[index] === candidate)
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
  const held: (string | undefined)[] = [];
  for (const hash of phoneHashes) {
    const [row] = await sql.query(find, [hash, appId]);
    held.push(row && text(row, "customer_id"));
  }
  return held;
}

/** Returns the evicted sessions, or `undefined` if no session was opened. */
function ended(rows: readonly SqlRow[]): readonly Session[] | undefined {
  if (!rows.some((row) => flag(row, "done"))) return undefined;
  return toSessions(rows);
}

/** Reads the sessions in `rows`. Skips the row that stands for no evicted session. */
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
