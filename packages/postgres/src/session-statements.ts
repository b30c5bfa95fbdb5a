import { type CallForm, type CallForms, inBothForms } from "./call-forms.js";
import { type RemovalStatements, removalStatements } from "./removal.js";
import type { SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";
import type { Tables } from "./tables.js";

/** The statements of the session store. */
export interface SessionStatements {
  /** Placeholders: phone hash, app. */
  readonly find: SqlStatement;
  /** Inserts the customer, or returns the existing one. */
  readonly identify: CallForms;
  /** Placeholders: phone hash, app, customer, time. */
  readonly make: SqlStatement;
  /** Placeholders: phone hash, app, existing customer, candidate that was inserted. */
  readonly join: SqlStatement;
  /** Runs before `open`, in the same transaction. */
  readonly lockOwner: SqlStatement;
  /**
   * Opens a session. Returns the evicted sessions, oldest first, or one row without a session.
   *
   * Returns no row, and changes nothing, if the customer logs in concurrently.
   */
  readonly open: CallForms;
  /** Returns a row if the session is live. */
  readonly isLive: CallForms;
  readonly revoke: SqlStatement;
  readonly revokeAll: SqlStatement;
  readonly removeExpired: RemovalStatements;
  readonly forgetIdle: RemovalStatements;
}

const CUSTOMER = { phone_hash: "text", app_id: "text", customer_id: "text", created_ms: "bigint" } as const;
const TOKEN = { customer_id: "text", app_id: "text", token_hash: "text" } as const;
const SESSION = { ...TOKEN, created_ms: "bigint", expires_ms: "bigint", max_live: "int" } as const;
const COLUMNS = ["customer_id", "app_id", "token_hash", "created_ms", "expires_ms"] as const;

/** The columns of a row that stands for no session. */
const NO_SESSION = COLUMNS.map((column) => `null::${SESSION[column]} as ${column}`).join(", ");

/** Returns the columns of a session, qualified with `alias` if it is given. */
function sessionColumns(alias?: string): string {
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
    // Rows are inserted in the order of their keys, so that two batches cannot deadlock. The last
    // part does not see the rows that this statement inserts.
    identify: inBothForms("customer_identify", CUSTOMER, ({ value, isKey, calls, eachCall }) => {
      const columns = Object.keys(CUSTOMER);
      const given = columns.map(value).join(", ");
      return `with asked as ${calls}, made as (
         insert into ${customers} (${columns.join(", ")})
         ${eachCall(given, "phone_hash, app_id", "asked")}
         on conflict do nothing
         returning phone_hash, app_id, customer_id
       )
       select asked.n, made.customer_id from asked join made using (phone_hash, app_id)
       union all
       select asked.n, stored.customer_id from asked cross join lateral (
         select customer_id from ${customers} where ${isKey("phone_hash", "app_id")} limit 1
       ) stored`;
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
    open: inBothForms("session_open", SESSION, (form) => openSql(owners, sessions, form)),
    isLive: inBothForms("session_is_live", { ...TOKEN, now_ms: "bigint" }, ({ value, isKey, perCall }) => {
      const ofKey = `from ${sessions} where ${isKey("customer_id", "app_id", "token_hash")}`;
      return perCall("expires_ms", `${ofKey} and ${value("now_ms")} < expires_ms limit 1`);
    }),
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
 * Returns SQL that opens a session for each call, unless the customer logs in concurrently.
 *
 * Skips an owner row that another login has locked. An owner row that changed since the statement
 * began is not updated, and one that was inserted since then conflicts with `first`. So a login
 * that rewrote or inserted its owner row is the only current login of the customer, and the
 * sessions that the statement sees are complete.
 *
 * `first` may wait for owner rows of others, so it runs before the statement rewrites rows.
 * Otherwise two batches could deadlock. Sessions are deleted in the order of their keys, like the
 * cleanup of expired sessions does. The new session is not ranked with the others, so a login never
 * evicts its own session.
 */
function openSql(owners: string, sessions: string, { calls, value, isKey, isHeld }: CallForm): string {
  const live = `expires_ms > ${value("created_ms")}`;
  return `with asked as ${calls}, first as (
       insert into ${owners} (customer_id, app_id, opened_ms)
       select customer_id, app_id, created_ms from asked
       where (select opened_ms from ${owners} where ${isKey("customer_id", "app_id")}) is null
       order by customer_id, app_id
       on conflict do nothing
       returning customer_id, app_id
     ), held as (
       select asked.n, asked.created_ms, o.ctid from asked cross join lateral (
         select ctid from ${owners} where ${isKey("customer_id", "app_id")} limit 1 for update skip locked
       ) o
       where (select count(*) from first) >= 0
     ), rewritten as (
       update ${owners} o set opened_ms = held.created_ms from held
       where ${isHeld("o", "customer_id", "app_id")} and o.ctid = held.ctid
       returning o.customer_id, o.app_id
     ), opened as (
       select asked.* from asked
       join (select * from rewritten union all select * from first) alone using (customer_id, app_id)
     ), ranked as (
       select asked.n, asked.max_live, s.* from opened asked cross join lateral (
         select ctid, token_hash, ${live} as live,
           row_number() over (partition by ${live} order by created_ms desc, token_hash desc) as place
         from ${sessions}
         where ${isKey("customer_id", "app_id")} and token_hash <> ${value("token_hash")}
       ) s
       order by asked.customer_id, asked.app_id, token_hash
     ), made as (
       insert into ${sessions} (${sessionColumns()}) select ${sessionColumns("opened")} from opened
     ), gone as (
       delete from ${sessions} s using ranked held
       where ${isHeld("s", "customer_id", "app_id")} and s.ctid = held.ctid
         and (not held.live or held.place >= held.max_live)
       returning held.n, held.live, ${sessionColumns("s")}
     )
     select n, ${NO_SESSION} from opened
     union all
     select n, ${sessionColumns()} from gone where live
     order by created_ms, token_hash`;
}
