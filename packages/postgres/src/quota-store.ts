import type { QuotaGrant, QuotaKey, QuotaStore, QuotaTake } from "@tillkit/core";
import { runTogether } from "./batch-input.js";
import { batched, type BatchOptions } from "./batched.js";
import { toStorageResult } from "./to-storage-result.js";
import { quotaBatchStatements } from "./quota-batch-statements.js";
import { removalStatements, removeRows } from "./removal.js";
import { integer } from "./row.js";
import type { SqlClient, SqlRow } from "./sql-client.js";
import { statement } from "./statement.js";
import { tablesOf } from "./tables.js";

/** Creates a `QuotaStore` on PostgreSQL, over the tables of `schema`. */
export function postgresQuotaStore(sql: SqlClient, schema: string, batching?: BatchOptions): QuotaStore {
  const tables = tablesOf(schema);
  const { quotas, quota_spacing: spacings } = tables;
  const groups = quotaBatchStatements(tables);
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
    method: "quota_remove_before",
    table: quotas,
    key: ["subject", "scope", "day"],
    column: "day",
  });
  const removeSpacings = removalStatements({
    method: "quota_remove_spacings",
    table: spacings,
    key: ["subject", "scope"],
    column: "granted_ms",
  });
  const grantOr = async (taken: SqlRow | undefined, call: DayCall): Promise<QuotaGrant> => {
    if (taken !== undefined) return toGrant(taken);
    const [stored] = await sql.query(find, keyValues(call));
    return { granted: false, used: stored === undefined ? 0 : integer(stored, "used") };
  };
  const takeOne = batched<TakeCall, QuotaGrant>(
    {
      runOne: async (call) => {
        const [taken] = await sql.query(take, [...keyValues(call), call.limit]);
        return grantOr(taken, call);
      },
      runBatch: runTogether(sql, {
        statement: groups.take,
        values: (call) => ({ ...record(call), max_units: call.limit }),
        answer: toGrant,
      }),
    },
    batching,
  );
  const giveOneBack = batched<DayCall, true>(
    {
      keyOf,
      runOne: async (call) => {
        await sql.query(giveBack, keyValues(call));
        return true;
      },
      runBatch: runTogether(sql, { statement: groups.giveBack, values: record, answer: () => true }),
    },
    batching,
  );
  return {
    take: ({ scope, subject }, { day, limit, now, spacing }) =>
      toStorageResult(async () => {
        const call = { scope, subject, day, limit };
        if (spacing <= 0) return takeOne(call);
        const [taken] = await sql.query(takeSpaced, [...keyValues(call), limit, now, spacing]);
        return grantOr(taken, call);
      }),
    giveBack: ({ scope, subject }, day) =>
      toStorageResult(async () => {
        await giveOneBack({ scope, subject, day });
      }),
    removeBefore: (day, limit) => toStorageResult(() => removeRows(sql, removeBefore, day, limit)),
    removeSpacings: (before, limit) => toStorageResult(() => removeRows(sql, removeSpacings, before, limit)),
  };
}

/** A day of one subject. */
interface DayCall extends QuotaKey, Pick<QuotaTake, "day"> {}

/** A unit without a spacing. */
interface TakeCall extends DayCall, Pick<QuotaTake, "limit"> {}

function keyOf(call: DayCall): string {
  return JSON.stringify(keyValues(call));
}

function keyValues({ subject, scope, day }: DayCall): readonly string[] {
  return [subject, scope, day];
}

function record({ subject, scope, day }: DayCall) {
  return { subject, scope, day };
}

function toGrant(taken: SqlRow): QuotaGrant {
  return { granted: true, used: integer(taken, "used") };
}
