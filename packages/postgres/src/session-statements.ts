import { type CallForms, inBothForms } from "./call-forms.js";
import { insertOnceStatement } from "./insert-once.js";
import { type RemovalStatements, removalStatements } from "./removal.js";
import type { SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";
import type { Tables } from "./tables.js";

/** The statements of the session store. */
export interface SessionStatements {
  /** Placeholders: phone hash, app. */
  readonly find: SqlStatement;
  /**
   * Inserts the customer or returns the existing one.
   *
   * Placeholders: phone hash, app, customer, time.
   */
  readonly identify: SqlStatement;
  /** Placeholders: phone hash, app, customer, time. */
  readonly make: SqlStatement;
  /** Placeholders: phone hash, app, existing customer, candidate that was inserted. */
  readonly join: SqlStatement;
  /**
   * Opens a session. `done` is false, and nothing changes, if the customer logs in concurrently.
   *
   * Placeholders: customer, app, token, start, end, maximum number of live sessions.
   */
  readonly openAlone: SqlStatement;
  /** Runs before `open`, in the same transaction. */
  readonly lockOwner: SqlStatement;
  readonly open: SqlStatement;
  /** Returns a row if the session is live. */
  readonly isLive: CallForms;
  readonly revoke: SqlStatement;
  readonly revokeAll: SqlStatement;
  readonly removeExpired: RemovalStatements;
  readonly forgetIdle: RemovalStatements;
}

const COLUMNS = ["customer_id", "app_id", "token_hash", "created_ms", "expires_ms"] as const;

/** Returns the columns of a session, qualified with `alias` if it is given. */
export function sessionColumns(alias?: string): string {
  return COLUMNS.map((column) => (alias === undefined ? column : `${alias}.${column}`)).join(", ");
}

/** Creates the statements of the session store over `tables`. */
export function sessionStatements({
  customers,
  session_owners: owners,
  sessions,
}: Tables): SessionStatements {
  const session = "customer_id = $1 and app_id = $2 and token_hash = $3";
  return {
    find: statement(
      "customer_find",
      `select customer_id from ${customers} where phone_hash = $1 and app_id = $2`,
    ),
    identify: insertOnceStatement({
      method: "customer_identify",
      table: customers,
      columns: ["phone_hash", "app_id", "customer_id", "created_ms"],
      where: "phone_hash = $1 and app_id = $2",
    }),
    make: statement(
      "customer_make",
      `insert into ${customers} (phone_hash, app_id, customer_id, created_ms) values ($1, $2, $3, $4)
       on conflict do nothing`,
    ),
    join: statement(
      "customer_join",
      `update ${customers} set customer_id = $3 where phone_hash = $1 and app_id = $2 and customer_id = $4`,
    ),
    lockOwner: statement(
      "session_lock_owner",
      `insert into ${owners} (customer_id, app_id, opened_ms) values ($1, $2, $3)
       on conflict (customer_id, app_id) do update set opened_ms = excluded.opened_ms`,
    ),
    open: statement("session_open", `with ${openSql(sessions, "true")}`),
    // A statement sees the rows at its start, and may then wait for the lock of another login.
    // Every login rewrites the owner row. So if the locked row is the one that this statement saw,
    // or if it inserted the first one, no other login took place and the sessions that it sees are
    // complete.
    openAlone: statement(
      "session_open_alone",
      `with seen as (
         select xmin::text as version from ${owners} where customer_id = $1 and app_id = $2
       ), held as (
         select xmin::text as version from ${owners} where customer_id = $1 and app_id = $2 for update
       ), first as (
         insert into ${owners} (customer_id, app_id, opened_ms) select $1, $2, $4::bigint where not exists (select from seen)
         on conflict do nothing returning 1
       ), alone as (
         select from first union all select from held, seen where held.version = seen.version
       ), rewritten as (
         update ${owners} set opened_ms = $4::bigint
         where customer_id = $1 and app_id = $2 and exists (select from held) and exists (select from alone)
       ), ${openSql(sessions, "exists (select from alone)")}`,
    ),
    isLive: inBothForms(
      "session_is_live",
      { customer_id: "text", app_id: "text", token_hash: "text", now_ms: "bigint" },
      ({ value, isKey, perCall }) => {
        const ofKey = `from ${sessions} where ${isKey("customer_id", "app_id", "token_hash")}`;
        return perCall("expires_ms", `${ofKey} and ${value("now_ms")} < expires_ms limit 1`);
      },
    ),
    revoke: statement("session_revoke", `delete from ${sessions} where ${session} returning token_hash`),
    // A statement that deletes several sessions of a customer locks the owner row first, so that
    // two of them cannot deadlock. The row may be missing, because `forgetIdle` deletes it while
    // sessions of a longer `sessionTtl` are live. `revokeAll` deletes these too.
    revokeAll: statement(
      "session_revoke_all",
      `with owner as (
         select customer_id from ${owners} where customer_id = $1 and app_id = $2 for update
       )
       delete from ${sessions} where customer_id = $1 and app_id = $2 and (select count(*) from owner) >= 0
       returning token_hash`,
    ),
    removeExpired: removalStatements({
      method: "session_remove_expired",
      table: sessions,
      key: ["customer_id", "app_id", "token_hash"],
      column: "expires_ms",
    }),
    // A login holds the lock of the row, so `forgetIdle` waits and then finds that the row is not
    // idle. A login that begins during the deletion waits and inserts the row again.
    forgetIdle: removalStatements({
      method: "session_forget_idle",
      table: owners,
      key: ["customer_id", "app_id"],
      column: "opened_ms",
    }),
  };
}

/**
 * Returns SQL that opens a session if the SQL condition `mayOpen` is true.
 *
 * The SQL returns the evicted sessions, oldest first, each with `done`. If there are none, it
 * returns one row without a session. The new session is not ranked with the others, so a login
 * never evicts its own session.
 */
function openSql(sessions: string, mayOpen: string): string {
  return `ranked as (
       select token_hash, expires_ms > $4::bigint as live,
         row_number() over (partition by expires_ms > $4::bigint order by created_ms desc, token_hash desc) as place
       from ${sessions} where customer_id = $1 and app_id = $2 and token_hash <> $3 and ${mayOpen}
     ), made as (
       insert into ${sessions} (${sessionColumns()}) select $1, $2, $3, $4::bigint, $5::bigint where ${mayOpen}
     ), gone as (
       delete from ${sessions} s using ranked
       where s.customer_id = $1 and s.app_id = $2 and s.token_hash = ranked.token_hash
         and (not ranked.live or ranked.place >= $6::int)
       returning ${sessionColumns("s")}, ranked.live
     )
     select opened.done, ${sessionColumns()} from (select ${mayOpen} as done) opened left join gone on live order by created_ms, token_hash`;
}
