import {
  type StatementVariant,
  type StatementVariants,
  statementVariants,
} from "../batching/statement-variants.js";

/** The key columns of a session and their types. */
export const TOKEN_COLUMNS = { customer_id: "text", app_id: "text", token_hash: "text" } as const;
/** The columns of a new session and their types. */
const OPENED = { ...TOKEN_COLUMNS, created_ms: "bigint", expires_ms: "bigint", label: "text" } as const;
const SESSION = { ...OPENED, used_ms: "bigint" } as const;

/** The columns that a new session sets. */
export const OPENED_COLUMNS: readonly string[] = Object.keys(OPENED);
/** The columns of a session. */
export const SESSION_COLUMNS: readonly string[] = Object.keys(SESSION);

/** The columns of a session that are not part of its key. */
const FACTS = Object.entries(SESSION).filter(([column]) => !Object.hasOwn(TOKEN_COLUMNS, column));

/** Null values of the columns that are not part of the key, for a row that is no session. */
export const NO_FACTS: string = FACTS.map(([column, type]) => `null::${type} as ${column}`).join(", ");

/** Null values of all columns, for a row that is no session. */
const NO_SESSION = Object.entries(SESSION)
  .map(([column, type]) => `null::${type} as ${column}`)
  .join(", ");

/** Returns `columns`, qualified with `alias`. */
function columnsOf(alias: string, columns: readonly string[]): string {
  return columns.map((column) => `${alias}.${column}`).join(", ");
}

/**
 * Creates the statement that opens a session and ends the oldest live sessions above `maxLive`.
 *
 * Returns the evicted sessions, oldest first, and then one row without a session. Returns no row,
 * and changes nothing, if the customer logs in concurrently or was erased.
 */
export function openSessionEvictingOldest(owners: string, sessions: string): StatementVariants {
  return statementVariants("session_open", { ...OPENED, max_live: "int" }, (form) =>
    openSql(owners, sessions, form),
  );
}

/**
 * Returns SQL that opens a session for each call.
 *
 * Opens none if the customer logs in concurrently or was erased.
 *
 * The owner row of a customer is the customer's row in `owners`. Skips an owner row that another
 * login has locked. An owner row that changed since the statement began is not updated, and one
 * that was inserted since then conflicts with `first`. So a login that rewrote or inserted its
 * owner row is the only current login of the customer. The statement then sees all sessions of the
 * customer.
 *
 * `first` may wait for owner rows of other logins, so it runs before the statement rewrites rows.
 * Otherwise two batches could deadlock. A batch deletes sessions in the order of their keys, like
 * the cleanup of expired sessions does. A single login deletes its few sessions in no fixed order.
 * The new session is not ranked with the others, so a login never evicts its own session: the rule
 * is `sessionsAtLogin` of core.
 */
function openSql(
  owners: string,
  sessions: string,
  { calls, value, isKey, isHeld }: StatementVariant,
): string {
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
         select ctid from ${owners} where ${isKey("customer_id", "app_id")} and erased_ms is null limit 1 for update skip locked
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
       insert into ${sessions} (${OPENED_COLUMNS.join(", ")})
       select ${columnsOf("opened", OPENED_COLUMNS)} from opened
     ), gone as (
       delete from ${sessions} s using ranked held
       where ${isHeld("s", "customer_id", "app_id")} and s.ctid = held.ctid
         and (not held.live or held.place >= held.max_live)
       returning held.n, held.live, ${columnsOf("s", SESSION_COLUMNS)}
     )
     select n, ${NO_SESSION} from opened
     union all
     select n, ${SESSION_COLUMNS.join(", ")} from gone where live
     order by created_ms, token_hash`;
}
