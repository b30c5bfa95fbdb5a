import { type StatementVariants, statementVariants } from "../batching/statement-variants.js";
import { type RemovalStatements, removalStatements } from "../sql/remove-expired.js";
import type { SqlStatement } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import type { Tables } from "../sql/tables.js";

/**
 * The statements of the quota store.
 *
 * A unit is one use of a quota, such as one SMS. A spacing is the minimum time between two units.
 */
export interface QuotaStatements {
  /**
   * Takes units of a counter without a spacing. Returns the used units.
   *
   * Returns no row if the units would exceed the limit. The statement does not check the first
   * units of a counter, so the caller must check that they do not exceed the limit.
   */
  readonly take: StatementVariants;
  /**
   * Takes a unit with a spacing. Returns the used units, or no row if the unit is not granted.
   *
   * Placeholders: subject, scope, day, limit, time, spacing.
   */
  readonly takeSpaced: SqlStatement;
  /**
   * Stores the time of a spaced unit. Returns no row if the last one is too recent.
   *
   * Placeholders: subject, scope, time, spacing.
   */
  readonly setSpacing: SqlStatement;
  /**
   * Takes one unit. Returns no row if the limit is reached.
   *
   * Placeholders: subject, scope, day, limit, which is at least 1.
   */
  readonly takeUnit: SqlStatement;
  /**
   * Returns the used units and the time of the last spaced unit.
   *
   * Placeholders: subject, scope, day.
   */
  readonly find: SqlStatement;
  /** Returns the counters of a day with the most units. Placeholders: day, limit. */
  readonly list: SqlStatement;
  /**
   * Returns a unit.
   *
   * Returns no row if no unit is used. In a batch, also returns no row if another transaction has
   * locked or changed the counter.
   */
  readonly giveBack: StatementVariants;
  readonly removeBefore: RemovalStatements;
  readonly removeSpacings: RemovalStatements;
}

const COUNTER = { subject: "text", scope: "text", day: "text" } as const;

/** Creates the statements of the quota store over `tables`. */
export function quotaStatements({
  quotas,
  quota_spacing: spacings,
}: Pick<Tables, "quotas" | "quota_spacing">): QuotaStatements {
  const ofDay = "subject = $1::text and scope = $2::text and day = $3::text";
  return {
    // Rows are locked in the order of their keys, so that two batches cannot deadlock.
    take: statementVariants("quota_take", { ...COUNTER, units: "int", max_units: "bigint" }, (form) => {
      const given = ["subject", "scope", "day", "units"].map(form.value).join(", ");
      const valueFor = (column: string) => form.valueForRow(column, "held", "subject", "scope", "day");
      return `insert into ${quotas} as held (subject, scope, day, used)
         ${form.eachCall(given, "subject, scope, day")}
         on conflict (subject, scope, day) do update set used = held.used + excluded.used
           where held.used + excluded.used <= ${valueFor("max_units")}
         returning ${valueFor("n")} as n, used`;
    }),
    // The row lock of `quota_spacing` serializes the calls. A call that waited sees the time of the
    // previous grant, so it is too early and gets no unit. If the clock was set back, the spacing
    // does not apply, but the limit does.
    takeSpaced: statement(
      "quota_take_spaced",
      `with let_through as (
         insert into ${spacings} as held (subject, scope, granted_ms)
         select $1::text, $2::text, $5::bigint
         where $4::bigint > coalesce((select used from ${quotas} where ${ofDay}), 0)
         on conflict (subject, scope) do update set granted_ms = excluded.granted_ms
           where excluded.granted_ms - held.granted_ms not between 0 and $6::bigint - 1
         returning granted_ms
       )
       insert into ${quotas} as held (subject, scope, day, used)
       select $1::text, $2::text, $3::text, 1 from let_through
       on conflict (subject, scope, day) do update set used = held.used + 1 where held.used < $4::bigint
       returning used`,
    ),
    setSpacing: statement(
      "quota_set_spacing",
      `insert into ${spacings} as held (subject, scope, granted_ms) values ($1, $2, $3)
       on conflict (subject, scope) do update set granted_ms = excluded.granted_ms
         where excluded.granted_ms - held.granted_ms not between 0 and $4::bigint - 1
       returning granted_ms`,
    ),
    takeUnit: statement(
      "quota_take_unit",
      `insert into ${quotas} as held (subject, scope, day, used) values ($1, $2, $3, 1)
       on conflict (subject, scope, day) do update set used = held.used + 1 where held.used < $4::bigint
       returning used`,
    ),
    find: statement(
      "quota_find",
      `select coalesce((select used from ${quotas} where ${ofDay}), 0) as used,
         (select granted_ms from ${spacings} where subject = $1::text and scope = $2::text) as granted_ms`,
    ),
    list: statement(
      "quota_list",
      `select scope, subject, used from ${quotas} where day = $1 and used > 0 order by used desc limit $2`,
    ),
    giveBack: statementVariants("quota_give_back", COUNTER, ({ isRow, freeCalls }) => {
      const counter = { table: quotas, key: ["subject", "scope", "day"] };
      return `with asked as ${freeCalls(counter)}
       update ${quotas} q set used = q.used - 1 from asked
       where ${isRow("q", ...counter.key)} and q.used > 0
       returning asked.n`;
    }),
    removeBefore: removalStatements({
      method: "quota_remove_before",
      table: quotas,
      key: ["subject", "scope", "day"],
      column: "day",
    }),
    removeSpacings: removalStatements({
      method: "quota_remove_spacings",
      table: spacings,
      key: ["subject", "scope"],
      column: "granted_ms",
    }),
  };
}
