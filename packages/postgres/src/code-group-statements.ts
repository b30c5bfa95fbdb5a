import { askedSql } from "./asked.js";
import type { SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";
import type { Tables } from "./tables.js";

/** The statements of the code store that serve several calls: `$1` is the asks, each row has the place of its ask in `n`. */
export interface CodeGroupStatements {
  /** The columns of each code. */
  readonly replace: SqlStatement;
  /** Phone hash, app, code hash, instant, tries at most; gives outcomes. */
  readonly attempt: SqlStatement;
}

const KEY = "phone_hash text, app_id text, code_hash text";

/** The statements of groups of the code store over `tables`. */
export function codeGroupStatements({ auth_codes: codes }: Pick<Tables, "auth_codes">): CodeGroupStatements {
  return {
    // In the order of the keys: two groups that meet wait for each other at the first key they share, and never in a circle.
    replace: statement(
      "code_replace_grouped",
      `with asked as (
         select * from ${askedSql(`${KEY}, expires_ms bigint`)}
       ), kept as (
         insert into ${codes} (phone_hash, app_id, code_hash, expires_ms, tries)
         select phone_hash, app_id, code_hash, expires_ms, 0 from asked order by phone_hash, app_id
         on conflict (phone_hash, app_id) do update
           set code_hash = excluded.code_hash, expires_ms = excluded.expires_ms, tries = 0
         returning phone_hash, app_id
       )
       select n from asked join kept using (phone_hash, app_id)`,
    ),
    // A code that another try or a new code has locked is passed over. One that was changed since the statement began is locked as it is now, which the changes
    // below do not see: such an ask has no answer here, unless the tries are used up, and neither has one without a code.
    attempt: statement(
      "code_attempt_grouped",
      `with held as (
         select asked.n, c.ctid, c.tries >= asked.max_tries as exhausted,
           c.code_hash = asked.code_hash and asked.now_ms < c.expires_ms as matched
         from ${askedSql(`${KEY}, now_ms bigint, max_tries int`)}
         cross join lateral (
           select ctid, tries, code_hash, expires_ms from ${codes}
           where phone_hash = asked.phone_hash and app_id = asked.app_id limit 1 for update skip locked
         ) c
       ), tried as (
         update ${codes} code set tries = code.tries + 1 from held
         where code.ctid = held.ctid and not held.exhausted and not held.matched
         returning held.n
       ), consumed as (
         delete from ${codes} code using held
         where code.ctid = held.ctid and not held.exhausted and held.matched
         returning held.n
       )
       select n, 'wrong' as outcome from tried
       union all select n, 'matched' from consumed
       union all select n, 'exhausted' from held where exhausted`,
    ),
  };
}
