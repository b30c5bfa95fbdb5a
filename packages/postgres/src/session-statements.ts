import { type CallForms, inBothForms } from "./call-forms.js";
import { insertOnceStatement } from "./insert-once.js";
import { type RemovalStatements, removalStatements } from "./removal.js";
import type { SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";
import type { Tables } from "./tables.js";

/** The statements of the session store. */
export interface SessionStatements {
  /** Phone hash, app. */
  readonly find: SqlStatement;
  /** Phone hash, app, customer, instant: makes the customer, or gives the one that is there. */
  readonly identify: SqlStatement;
  /** Phone hash, app, customer, instant. */
  readonly make: SqlStatement;
  /** Phone hash, app, the customer it belongs to, the candidate it was made with. */
  readonly join: SqlStatement;
  /** Customer, app, token, start, end, cap. `done` is false, and nothing was done, when the customer logged in meanwhile. */
  readonly openAlone: SqlStatement;
  /** Before `open`, in its transaction. */
  readonly lockOwner: SqlStatement;
  readonly open: SqlStatement;
  /** Gives a row if the session is live. */
  readonly isLive: CallForms;
  readonly revoke: SqlStatement;
  readonly revokeAll: SqlStatement;
  readonly removeExpired: RemovalStatements;
  readonly forgetIdle: RemovalStatements;
}

const COLUMNS = ["customer_id", "app_id", "token_hash", "created_ms", "expires_ms"] as const;

/** The columns of a session, of the table that is called `alias` where several have them. */
export function sessionColumns(alias?: string): string {
  return COLUMNS.map((column) => (alias === undefined ? column : `${alias}.${column}`)).join(", ");
}

/** The statements of the session store over `tables`. */
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
      verb: "customer_identify",
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
    // A statement sees what was there when it began, and may have waited since for the lock of another login. Each of these writes the owner's row anew: where
    // that is the row this statement saw, or where it made the first, nobody logged in meanwhile and what it saw is what there is.
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
    // Whoever deletes several sessions of a customer holds the owner's row: two that delete in different orders would wait for each other for ever.
    // Housekeeping may have removed that row, and sessions opened under a longer `sessionTtl` live on: they end all the same.
    revokeAll: statement(
      "session_revoke_all",
      `with owner as (
         select customer_id from ${owners} where customer_id = $1 and app_id = $2 for update
       )
       delete from ${sessions} where customer_id = $1 and app_id = $2 and (select count(*) from owner) >= 0
       returning token_hash`,
    ),
    removeExpired: removalStatements({
      verb: "session_remove_expired",
      table: sessions,
      key: ["customer_id", "app_id", "token_hash"],
      column: "expires_ms",
    }),
    // Whoever opens a session holds the lock, is waited for and then no longer idle; one that comes while the row goes waits for that and makes it anew.
    forgetIdle: removalStatements({
      verb: "session_forget_idle",
      table: owners,
      key: ["customer_id", "app_id"],
      column: "opened_ms",
    }),
  };
}

/**
 * Opens a session where `mayOpen`, which is SQL, and gives the live ones that it ended, oldest first, beside `done`; when there are none, one row that is no
 * session. The one being opened is not ranked with the others: a login must not end itself, whatever its time.
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
