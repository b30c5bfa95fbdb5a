import { batchInputSql } from "./batch-input.js";
import type { SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";
import type { Tables } from "./tables.js";

/** The batch statements of the quota store. `$1` is the batch, and `n` the position of a call. */
export interface QuotaBatchStatements {
  /**
   * Takes units without a spacing. Returns the used units after each grant.
   *
   * The columns of a call are subject, scope, day and limit. A batch may have several calls for one
   * day.
   */
  readonly take: SqlStatement;
  /**
   * Returns units that were taken without a spacing.
   *
   * The columns of a call are subject, scope and day.
   */
  readonly giveBack: SqlStatement;
}

const DAY = "subject text, scope text, day text";

/** Creates the batch statements of the quota store over `tables`. */
export function quotaBatchStatements({
  quotas,
  quota_spacing: spacings,
}: Pick<Tables, "quotas" | "quota_spacing">): QuotaBatchStatements {
  return {
    // All calls for one day receive a unit, or none of them does. If the limit lies in between,
    // each call runs alone. Rows are locked in the order of their keys, so that two batches cannot
    // deadlock.
    take: statement(
      "quota_take_grouped",
      `with asked as (
         select *, row_number() over (partition by subject, scope, day) as nth
         from ${batchInputSql(`${DAY}, max_units bigint`)}
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
    // Skips a counter that another call has locked. A counter that changed since the statement
    // began is locked but not updated. In both cases the call runs alone, which also returns a unit
    // that was taken with a spacing meanwhile.
    giveBack: statement(
      "quota_give_back_grouped",
      `with held as (
         select asked.n, q.ctid from ${batchInputSql(DAY)}
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
