import type { Session, SessionStore } from "@tillkit/core";
import { guard } from "./guard.js";
import { madeOrHeld } from "./insert-once.js";
import { removedCount } from "./removal.js";
import { integer, text } from "./row.js";
import { sessionStatements } from "./session-statements.js";
import type { SqlClient, SqlRow } from "./sql-client.js";
import { tablesOf } from "./tables.js";

/** `SessionStore` on PostgreSQL, over the tables of `schema`. */
export function postgresSessionStore(sql: SqlClient, schema: string): SessionStore {
  const statements = sessionStatements(tablesOf(schema));
  return {
    identify: (appId, phoneHashes, candidate, now) =>
      guard(async () => {
        const [current] = phoneHashes;
        const values = [current, appId, JSON.stringify(phoneHashes), candidate, now];
        const row = await madeOrHeld(
          sql,
          { statement: statements.identify, values },
          { statement: statements.find, values: [current, appId] },
        );
        return text(row, "customer_id");
      }),
    open: ({ appId, customerId, tokenHash, gmtCreate, expiresAt }, maxLive) =>
      guard(() =>
        // The lock comes first: a statement does not see what others stored while it waited for one.
        sql.transaction(async (transaction) => {
          await transaction.query(statements.lockOwner, [customerId, appId, gmtCreate]);
          const values = [customerId, appId, tokenHash, gmtCreate, expiresAt, maxLive];
          return (await transaction.query(statements.open, values)).map(toSession);
        }),
      ),
    isLive: ({ appId, customerId, tokenHash }, now) =>
      guard(async () => {
        const rows = await sql.query(statements.isLive, [customerId, appId, tokenHash, now]);
        return rows.length > 0;
      }),
    revoke: ({ appId, customerId, tokenHash }) =>
      guard(async () => (await sql.query(statements.revoke, [customerId, appId, tokenHash])).length > 0),
    revokeAll: (appId, customerId) =>
      guard(async () => (await sql.query(statements.revokeAll, [customerId, appId])).length),
    removeExpired: (before, limit) =>
      guard(async () => removedCount(await sql.query(statements.removeExpired, [before, limit]))),
    forgetIdle: (before, limit) =>
      guard(async () => removedCount(await sql.query(statements.forgetIdle, [before, limit]))),
  };
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
