import {
  NO_FACTS,
  OPENED_COLUMNS,
  openSessionEvictingOldest,
  SESSION_COLUMNS,
  TOKEN_COLUMNS,
} from "./open-session-evicting-oldest.js";
import { batchInputSql } from "../batching/batch-input.js";
import { insertRowsStatement } from "../sql/insert-rows-statement.js";
import { type StatementVariants, statementVariants } from "../batching/statement-variants.js";
import { type RemovalStatements, removalStatements } from "../sql/remove-expired.js";
import type { SqlStatement } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import type { Tables } from "../sql/tables.js";

/** The statements of the session store. */
export interface SessionStatements {
  /** Placeholders: phone hash, app. */
  readonly find: SqlStatement;
  /** Placeholders: phone hash and app of the last customer before the page, limit. */
  readonly listCustomers: SqlStatement;
  /** Like `listCustomers`, for the customers of one app, which is the last placeholder. */
  readonly listCustomersOfApp: SqlStatement;
  /** Inserts the customer, or returns the existing one. */
  readonly identify: StatementVariants;
  /** Returns the customer if it is new. Placeholders: phone hash, app, customer, time. */
  readonly make: SqlStatement;
  /** Placeholders: phone hash, app, existing customer, candidate that was inserted. */
  readonly join: SqlStatement;
  /**
   * Runs before `open`, in the same transaction. Returns whether the customer was erased.
   *
   * Placeholders: customer, app, time.
   */
  readonly lockOwner: SqlStatement;
  /** For a cluster. Returns the keys of new rows. Placeholders: the columns of each row. */
  readonly insertOwners: (count: number) => SqlStatement;
  /**
   * For a cluster. Locks the rows that no other transaction has locked, and lists the sessions.
   *
   * Returns two kinds of rows:
   *
   * - One per stored row of the customers. `is_locked` is true if this transaction locked the row,
   *   and the row is unchanged since the statement began. It is false for an erased customer.
   * - One per session, oldest first. `is_locked` is null.
   *
   * The sessions of a customer are complete if `is_locked` is true.
   *
   * Placeholders: apps and customers as array literals. Combines each customer with each app.
   */
  readonly lockAndList: SqlStatement;
  /** For a cluster. Stores the times of locked rows. Placeholders: the columns of each row. */
  readonly touchOwners: (count: number) => SqlStatement;
  /**
   * Opens a session. Returns the evicted sessions, oldest first, then one row without a session.
   *
   * Returns no row, and changes nothing, if the customer logs in concurrently or was erased.
   */
  readonly open: StatementVariants;
  /**
   * For a cluster. Deletes sessions, and returns the keys of those that existed.
   *
   * Placeholders: see {@link batchInputSql}, then the customers as an array literal.
   */
  readonly end: SqlStatement;
  /** For a cluster. Placeholders: the columns of each session. */
  readonly insert: (count: number) => SqlStatement;
  /** Returns a row if the session is live. */
  readonly findLive: StatementVariants;
  /**
   * Stores that a live session is used, at most once a day.
   *
   * Placeholders: customer, app, token hash, time, time to which the end moves, and the latest time
   * that the stored use may have.
   */
  readonly use: SqlStatement;
  /** Placeholders: phone hash, app, customer, time. Returns the customer. */
  readonly confirmLogin: SqlStatement;
  /** Placeholders: phone hash, app, customer. Returns the customer. */
  readonly takePhone: SqlStatement;
  /** Placeholders: phone hash, app, customer, next customer. Returns the next customer. */
  readonly passPhone: SqlStatement;
  /** For a cluster. Placeholders: customers, apps and token hashes as array literals. */
  readonly findMany: SqlStatement;
  readonly revoke: SqlStatement;
  readonly revokeAll: SqlStatement;
  /** Newest first. Placeholders: customer, app. */
  readonly list: SqlStatement;
  /** Placeholders: customer, app, time. */
  readonly countLive: SqlStatement;
  readonly removeExpired: RemovalStatements;
  readonly forgetIdle: RemovalStatements;
}

const OWNER_COLUMNS = ["customer_id", "app_id", "opened_ms"];
const CUSTOMER = { phone_hash: "text", app_id: "text", customer_id: "text", created_ms: "bigint" } as const;

/** The columns of the record of a phone number. */
export const PHONE_COLUMNS: string = [...Object.keys(CUSTOMER), "used_ms"].join(", ");

/** Creates the statements of the session store over `tables`. */
export function sessionStatements({
  customers,
  session_owners: owners,
  sessions,
}: Tables): SessionStatements {
  const customerPage = (more: string) =>
    `select ${PHONE_COLUMNS} from ${customers}
     where (phone_hash, app_id) > ($1, $2)${more} order by phone_hash, app_id limit $3`;
  const ofCustomers = "customer_id = any($2::text[]) and app_id = any($1::text[])";
  const phone = "phone_hash = $1 and app_id = $2";
  const session = "customer_id = $1 and app_id = $2 and token_hash = $3";
  return {
    find: statement("customer_find", `select ${PHONE_COLUMNS} from ${customers} where ${phone}`),
    listCustomers: statement("customer_list", customerPage("")),
    listCustomersOfApp: statement("customer_list_of_app", customerPage(" and app_id = $4")),
    // Rows are inserted in the order of their keys, so that two batches cannot deadlock. The last
    // part does not see the rows that this statement inserts.
    identify: statementVariants("customer_identify", CUSTOMER, ({ value, isKey, calls, eachCall }) => {
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
       on conflict do nothing returning customer_id`,
    ),
    join: statement(
      "customer_join",
      `update ${customers} set customer_id = $3 where phone_hash = $1 and app_id = $2 and customer_id = $4`,
    ),
    lockOwner: statement(
      "session_lock_owner",
      `insert into ${owners} (customer_id, app_id, opened_ms) values ($1, $2, $3)
       on conflict (customer_id, app_id) do update set opened_ms = excluded.opened_ms
       returning erased_ms is not null as erased`,
    ),
    insertOwners: insertRowsStatement(
      "session_insert_owners",
      OWNER_COLUMNS,
      (rows, columns) =>
        `insert into ${owners} (${columns}) values ${rows} on conflict do nothing returning customer_id, app_id`,
    ),
    lockAndList: statement(
      "session_lock_and_list",
      `with held as materialized (
         select ctid, customer_id, app_id from ${owners} where ${ofCustomers}
           and erased_ms is null
         order by customer_id, app_id for update skip locked
       )
       select stored.customer_id, stored.app_id, coalesce(held.ctid = stored.ctid, false) as is_locked,
         null::text as token_hash, ${NO_FACTS}
       from (select ctid, customer_id, app_id from ${owners} where ${ofCustomers}) stored
       left join held using (customer_id, app_id)
       union all
       select customer_id, app_id, null, token_hash, created_ms, expires_ms, label, used_ms from ${sessions} where ${ofCustomers}
       order by created_ms, token_hash`,
    ),
    // An update of several shards would block such updates of other hosts. An insert does not.
    touchOwners: insertRowsStatement(
      "session_touch_owners",
      OWNER_COLUMNS,
      (rows, columns) =>
        `insert into ${owners} (${columns}) values ${rows}
         on conflict (customer_id, app_id) do update set opened_ms = excluded.opened_ms`,
    ),
    open: openSessionEvictingOldest(owners, sessions),
    end: statement(
      "session_end",
      `delete from ${sessions} s using ${batchInputSql("customer_id text, app_id text, token_hash text")}
       where s.customer_id = any($2::text[]) and s.customer_id = asked.customer_id
         and s.app_id = asked.app_id and s.token_hash = asked.token_hash
       returning s.customer_id, s.app_id, s.token_hash`,
    ),
    insert: insertRowsStatement(
      "session_insert",
      OPENED_COLUMNS,
      (rows, columns) => `insert into ${sessions} (${columns}) values ${rows}`,
    ),
    // The condition of `isLiveSession` of core.
    findLive: statementVariants(
      "session_find_live",
      { ...TOKEN_COLUMNS, now_ms: "bigint" },
      ({ value, isKey, perCall }) => {
        const ofKey = `from ${sessions} where ${isKey("customer_id", "app_id", "token_hash")}`;
        return perCall("created_ms, used_ms", `${ofKey} and ${value("now_ms")} < expires_ms limit 1`);
      },
    ),
    // The condition of `isUseToStore` of core. Of two concurrent uses, one is stored.
    use: statement(
      "session_use",
      `update ${sessions} set used_ms = $4, expires_ms = greatest(expires_ms, $5)
       where ${session} and $4 < expires_ms and coalesce(used_ms, created_ms) <= $6`,
    ),
    // The update waits for a running change of the phone number.
    confirmLogin: statement(
      "customer_confirm_login",
      `update ${customers} set used_ms = $4 where ${phone} and customer_id = $3 returning customer_id`,
    ),
    takePhone: statement(
      "customer_take_phone",
      `delete from ${customers} where ${phone} and customer_id = $3 returning customer_id`,
    ),
    passPhone: statement(
      "customer_pass_phone",
      `update ${customers} set customer_id = $4 where ${phone} and customer_id = $3 returning customer_id`,
    ),
    findMany: statement(
      "session_find_many",
      `select ${SESSION_COLUMNS.join(", ")} from ${sessions}
       where customer_id = any($1::text[]) and app_id = any($2::text[]) and token_hash = any($3::text[])`,
    ),
    revoke: statement("session_revoke", `delete from ${sessions} where ${session} returning token_hash`),
    list: statement(
      "session_list",
      `select ${SESSION_COLUMNS.join(", ")} from ${sessions} where customer_id = $1 and app_id = $2
       order by created_ms desc, token_hash desc`,
    ),
    countLive: statement(
      "session_count_live",
      `select count(*)::int as live from ${sessions} where customer_id = $1 and app_id = $2 and expires_ms > $3`,
    ),
    // Locks the owner row first, as a login does, so that the two cannot deadlock. The row may be
    // missing, because `forgetIdle` deletes it while sessions of a longer `sessionTtl` are live.
    // The statement deletes such sessions too.
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
      removable: "erased_ms is null",
    }),
  };
}
