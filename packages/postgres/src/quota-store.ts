import type { QuotaGrant, QuotaStore } from "@tillkit/core";
import { batched, type BatchOptions } from "./batched.js";
import { quotaStatements } from "./quota-statements.js";
import { removeRows } from "./remove-expired.js";
import { integer } from "./row.js";
import { changeRows } from "./batched-methods.js";
import type { SqlClient, SqlRow } from "./sql-client.js";
import { tablesOf } from "./tables.js";
import { type DayCall, dayKey, dayRecord, type TakeCall, takeUnits } from "./take-units.js";
import { toStorageResult } from "./to-storage-result.js";

/** Creates a `QuotaStore` on PostgreSQL, over the tables of `schema`. */
export function postgresQuotaStore(sql: SqlClient, schema: string, batching?: BatchOptions): QuotaStore {
  const statements = quotaStatements(tablesOf(schema));
  const refused = async (call: DayCall): Promise<QuotaGrant> => {
    const [stored] = await sql.query(statements.find, keyValues(call));
    return { granted: false, used: stored === undefined ? 0 : integer(stored, "used") };
  };
  const takeOne = batched<TakeCall, QuotaGrant>(takeUnits(sql, statements.take, refused), batching);
  const giveOneBack = batched<DayCall, readonly SqlRow[]>(
    { keyOf: dayKey, ...changeRows(sql, statements.giveBack, dayRecord) },
    batching,
  );
  return {
    take: ({ scope, subject }, { day, limit, now, spacing }) =>
      toStorageResult(async () => {
        const call = { scope, subject, day, limit };
        if (spacing <= 0) return takeOne(call);
        const [taken] = await sql.query(statements.takeSpaced, [...keyValues(call), limit, now, spacing]);
        return taken === undefined ? refused(call) : { granted: true, used: integer(taken, "used") };
      }),
    giveBack: ({ scope, subject }, day) =>
      toStorageResult(async () => {
        await giveOneBack({ scope, subject, day });
      }),
    removeBefore: (day, limit) => toStorageResult(() => removeRows(sql, statements.removeBefore, day, limit)),
    removeSpacings: (before, limit) =>
      toStorageResult(() => removeRows(sql, statements.removeSpacings, before, limit)),
  };
}

function keyValues({ subject, scope, day }: DayCall): readonly string[] {
  return [subject, scope, day];
}
