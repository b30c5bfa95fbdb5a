import type { QuotaGrant, QuotaKey, QuotaStore, QuotaTake } from "@tillkit/core";
import { askTogether } from "./asked.js";
import { grouped, type Grouping } from "./grouped.js";
import { guard } from "./guard.js";
import { quotaGroupStatements } from "./quota-group-statements.js";
import { removalStatements, removeRows } from "./removal.js";
import { integer } from "./row.js";
import type { SqlClient, SqlRow } from "./sql-client.js";
import { statement } from "./statement.js";
import { tablesOf } from "./tables.js";

/** Creates a `QuotaStore` on PostgreSQL, over the tables of `schema`. */
export function postgresQuotaStore(sql: SqlClient, schema: string, grouping?: Grouping): QuotaStore {
  const tables = tablesOf(schema);
  const { quotas, quota_spacing: spacings } = tables;
  const groups = quotaGroupStatements(tables);
  const ofDay = "subject = $1 and scope = $2 and day = $3";
  const take = statement(
    "quota_take",
    `insert into ${quotas} as held (subject, scope, day, used)
     select $1::text, $2::text, $3::text, 1 where $4::bigint > 0
     on conflict (subject, scope, day) do update set used = held.used + 1 where held.used < $4::bigint
     returning used`,
  );
  // The row lock of `quota_spacing` serializes the calls. A call that waited sees the time of the
  // previous grant, and is too early. If the clock was set back, the spacing does not apply, but
  // the limit does.
  const takeSpaced = statement(
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
  );
  const find = statement("quota_find", `select used from ${quotas} where ${ofDay}`);
  // Locks the spacing before the day, as `takeSpaced` does, so that the two cannot deadlock.
  const giveBack = statement(
    "quota_give_back",
    `with forgotten as (
       delete from ${spacings} where subject = $1 and scope = $2
         and exists (select from ${quotas} where ${ofDay} and used > 0)
       returning granted_ms
     )
     update ${quotas} set used = used - 1
     where ${ofDay} and used > 0 and (select count(*) from forgotten) >= 0`,
  );
  const removeBefore = removalStatements({
    verb: "quota_remove_before",
    table: quotas,
    key: ["subject", "scope", "day"],
    column: "day",
  });
  const removeSpacings = removalStatements({
    verb: "quota_remove_spacings",
    table: spacings,
    key: ["subject", "scope"],
    column: "granted_ms",
  });
  const grantOr = async (taken: SqlRow | undefined, ask: DayAsk): Promise<QuotaGrant> => {
    if (taken !== undefined) return toGrant(taken);
    const [held] = await sql.query(find, keyValues(ask));
    return { granted: false, used: held === undefined ? 0 : integer(held, "used") };
  };
  const takeOne = grouped<TakeAsk, QuotaGrant>(
    {
      one: async (ask) => {
        const [taken] = await sql.query(take, [...keyValues(ask), ask.limit]);
        return grantOr(taken, ask);
      },
      many: askTogether(sql, {
        statement: groups.take,
        values: (ask) => ({ ...record(ask), max_units: ask.limit }),
        answer: toGrant,
      }),
    },
    grouping,
  );
  const giveOneBack = grouped<DayAsk, true>(
    {
      keyOf,
      one: async (ask) => {
        await sql.query(giveBack, keyValues(ask));
        return true;
      },
      many: askTogether(sql, { statement: groups.giveBack, values: record, answer: () => true }),
    },
    grouping,
  );
  return {
    take: ({ scope, subject }, { day, limit, now, spacing }) =>
      guard(async () => {
        const ask = { scope, subject, day, limit };
        if (spacing <= 0) return takeOne(ask);
        const [taken] = await sql.query(takeSpaced, [...keyValues(ask), limit, now, spacing]);
        return grantOr(taken, ask);
      }),
    giveBack: ({ scope, subject }, day) =>
      guard(async () => {
        await giveOneBack({ scope, subject, day });
      }),
    removeBefore: (day, limit) => guard(() => removeRows(sql, removeBefore, day, limit)),
    removeSpacings: (before, limit) => guard(() => removeRows(sql, removeSpacings, before, limit)),
  };
}

/** A day of one subject. */
interface DayAsk extends QuotaKey, Pick<QuotaTake, "day"> {}

/** A unit without a spacing. */
interface TakeAsk extends DayAsk, Pick<QuotaTake, "limit"> {}

function keyOf(ask: DayAsk): string {
  return JSON.stringify(keyValues(ask));
}

function keyValues({ subject, scope, day }: DayAsk): readonly string[] {
  return [subject, scope, day];
}

function record({ subject, scope, day }: DayAsk) {
  return { subject, scope, day };
}

function toGrant(taken: SqlRow): QuotaGrant {
  return { granted: true, used: integer(taken, "used") };
}
