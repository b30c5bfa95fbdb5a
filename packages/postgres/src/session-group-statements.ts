import { askedSql } from "./asked.js";
import { sessionColumns } from "./session-statements.js";
import type { SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";
import type { Tables } from "./tables.js";

/** The statements of the session store that serve several calls: `$1` is the asks, and each row has the place of its ask in `n`. */
export interface SessionGroupStatements {
  /** Phone hash, app, customer, instant: makes the customers that are new, and gives those that are there. */
  readonly identify: SqlStatement;
  /** Customer, app, token, start, end, cap: `n` alone for each that was opened, and then the live sessions that it ended, oldest first. */
  readonly open: SqlStatement;
}

const TOKEN = "customer_id text, app_id text, token_hash text";

/** The statements of groups of the session store over `tables`. */
export function sessionGroupStatements({
  customers,
  session_owners: owners,
  sessions,
}: Pick<Tables, "customers" | "session_owners" | "sessions">): SessionGroupStatements {
  return {
    // In the order of the keys: two groups that meet wait for each other at the first key they share, and never in a circle. The last part sees no row that
    // this statement makes, and none that another has made since it began: such an ask has no answer here.
    identify: statement(
      "customer_identify_grouped",
      `with asked as (
         select * from ${askedSql("phone_hash text, app_id text, customer_id text, created_ms bigint")}
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
    // An owner's row that another login has locked is passed over. One that was changed since the statement began is locked as it is now, which the update does
    // not see, and one that was made since is in the way of `first`: whoever has rewritten or made the row logs in alone, and what this saw is what there is.
    // `first` waits for rows that others make or rewrite, and so it comes before this has any to rewrite: two groups that meet would wait in a circle.
    // What ends is deleted in the order of the keys, as housekeeping does it.
    open: statement(
      "session_open_grouped",
      `with asked as (
         select * from ${askedSql(`${TOKEN}, created_ms bigint, expires_ms bigint, max_live int`)}
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
