import { askedSql } from "./asked.js";
import type { SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";
import type { Tables } from "./tables.js";

/** The statements of the quota store that serve several calls: `$1` is the asks, each row has the place of its ask in `n`. */
export interface QuotaGroupStatements {
  /** Subject, scope, day, limit: how many are used with each unit that is granted, none of them spaced. Several may be of one day. */
  readonly take: SqlStatement;
  /** Subject, scope, day: the units that are returned, where no spacing goes with them. */
  readonly giveBack: SqlStatement;
}

const DAY = "subject text, scope text, day text";

/** The statements of groups of the quota store over `tables`. */
export function quotaGroupStatements({
  quotas,
  quota_spacing: spacings,
}: Pick<Tables, "quotas" | "quota_spacing">): QuotaGroupStatements {
  return {
    // All that ask for one day are granted a unit, or none of them: a limit that is in between is drawn where each asks by itself. In the order of the keys: two
    // groups that meet wait for each other at the first key they share, and never in a circle.
    take: statement(
      "quota_take_grouped",
      `with asked as (
         select *, row_number() over (partition by subject, scope, day) as nth
         from ${askedSql(`${DAY}, max_units bigint`)}
       ), wanted as (
         select subject, scope, day, count(*)::int as units, min(max_units) as max_units
         from asked group by subject, scope, day
       ), taken as (
         insert into ${quotas} as held (subject, scope, day, used)
         select subject, scope, day, units from wanted where units <= max_units order by subject, scope, day
         on conflict (subject, scope, day) do update set used = held.used + excluded.used
           where held.used + excluded.used <= (
             select max_units from wanted
             where wanted.subject = held.subject and wanted.scope = held.scope and wanted.day = held.day
           )
         returning subject, scope, day, used
       )
       select n, used - units + nth as used
       from asked join wanted using (subject, scope, day) join taken using (subject, scope, day)`,
    ),
    // A counter that another call has locked is passed over. One that was changed since the statement began is locked as it is now, which the update does not
    // see: such an ask has no answer here, and so a unit that was taken with a spacing meanwhile is returned with that.
    giveBack: statement(
      "quota_give_back_grouped",
      `with held as (
         select asked.n, q.ctid from ${askedSql(DAY)}
         cross join lateral (
           select ctid from ${quotas}
           where subject = asked.subject and scope = asked.scope and day = asked.day and used > 0
           limit 1 for update skip locked
         ) q
         where (
           select s.granted_ms from ${spacings} s where s.subject = asked.subject and s.scope = asked.scope
         ) is null
       )
       update ${quotas} q set used = q.used - 1 from held where q.ctid = held.ctid returning held.n`,
    ),
  };
}
