import { batchInputSql } from "./batch-input.js";
import { sessionColumns } from "./session-statements.js";
import type { SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";
import type { Tables } from "./tables.js";

/** The batch statements of the session store. `$1` is the batch, and `n` the position of a call. */
export interface SessionBatchStatements {
  /**
   * Inserts new customers and returns the existing ones.
   *
   * The columns of a call are phone hash, app, customer and time.
   */
  readonly identify: SqlStatement;
  /**
   * Opens sessions. Returns `n` for each opened session, and its evicted sessions, oldest first.
   *
   * The columns of a call are customer, app, token, start, end and maximum number of live sessions.
   */
  readonly open: SqlStatement;
}

const TOKEN = "customer_id text, app_id text, token_hash text";

/** Creates the batch statements of the session store over `tables`. */
export function sessionBatchStatements({
  customers,
  session_owners: owners,
  sessions,
}: Pick<Tables, "customers" | "session_owners" | "sessions">): SessionBatchStatements {
  return {
    // Rows are inserted in the order of their keys, so that two batches cannot deadlock. The last
    // part does not see rows that this statement inserts, or that others inserted since it began. A
    // call for such a row has no result here.
    identify: statement(
      "customer_identify_grouped",
      `with asked as (
         select * from ${batchInputSql("phone_hash text, app_id text, customer_id text, created_ms bigint")}
       ), made as (
         insert into ${customers} (phone_hash, app_id, customer_id, created_ms)
         select phone_hash, app_id, customer_id, created_ms from asked order by phone_hash, app_id
         on conflict do nothing
         returning phone_hash, app_id, customer_id
       )
       select asked.n, made.customer_id from asked join made using (phone_hash, app_id)
       union all
       select asked.n, c.customer_id from asked cross join lateral (
         select customer_id from ${customers} where phone_hash = asked.phone_hash and app_id = asked.app_id limit 1
       ) c`,
    ),
    // Skips an owner row that another login has locked. An owner row that changed since the
    // statement began is not updated, and one that was inserted since then conflicts with `first`.
    // So a login that rewrote or inserted its owner row is the only current login of the customer,
    // and the sessions that this statement sees are complete.
    // `first` may wait for owner rows of others, so it runs before this statement rewrites rows.
    // Otherwise two batches could deadlock. Sessions are deleted in the order of their keys, like
    // the cleanup of expired sessions does.
    open: statement(
      "session_open_grouped",
      `with asked as (
         select * from ${batchInputSql(`${TOKEN}, created_ms bigint, expires_ms bigint, max_live int`)}
       ), first as (
         insert into ${owners} (customer_id, app_id, opened_ms)
         select customer_id, app_id, created_ms from asked
         where (select o.opened_ms from ${owners} o where o.customer_id = asked.customer_id and o.app_id = asked.app_id) is null
         order by customer_id, app_id
         on conflict do nothing
         returning customer_id, app_id
       ), held as (
         select asked.n, asked.created_ms, o.ctid from asked cross join lateral (
           select ctid from ${owners} where customer_id = asked.customer_id and app_id = asked.app_id
           limit 1 for update skip locked
         ) o
         where (select count(*) from first) >= 0
       ), rewritten as (
         update ${owners} o set opened_ms = held.created_ms from held where o.ctid = held.ctid
         returning o.customer_id, o.app_id
       ), opened as (
         select asked.* from asked
         join (select * from rewritten union all select * from first) alone using (customer_id, app_id)
       ), ranked as (
         select opened.n, opened.max_live, s.* from opened cross join lateral (
           select ctid, token_hash, expires_ms > opened.created_ms as live,
             row_number() over (
               partition by expires_ms > opened.created_ms order by created_ms desc, token_hash desc
             ) as place
           from ${sessions}
           where customer_id = opened.customer_id and app_id = opened.app_id and token_hash <> opened.token_hash
         ) s
         order by opened.customer_id, opened.app_id, token_hash
       ), made as (
         insert into ${sessions} (${sessionColumns()}) select ${sessionColumns("opened")} from opened
       ), gone as (
         delete from ${sessions} s using ranked
         where s.ctid = ranked.ctid and (not ranked.live or ranked.place >= ranked.max_live)
         returning ranked.n, ranked.live, ${sessionColumns("s")}
       )
       select opened.n, ${sessionColumns("gone")} from opened left join gone on gone.n = opened.n and gone.live
       order by gone.created_ms, gone.token_hash`,
    ),
  };
}
