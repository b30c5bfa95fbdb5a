import { QUOTA_SCOPES, type QuotaGrant, type QuotaStore, type QuotaTake } from "@tillkit/core";
import type { BatchOptions } from "../batching/batched.js";
import { quotaStatements } from "./quota-statements.js";
import { removeRows } from "../sql/remove-expired.js";
import { enumValue, integer, optionalInteger, text } from "../sql/row.js";
import { batchedOnServer, changeRows } from "../batching/batched-methods.js";
import type { SqlClient, SqlRow, SqlRunner } from "../sql/sql-client.js";
import { byDistribution, storeClient } from "../cluster/store-client.js";
import { tablesOf } from "../sql/tables.js";
import { type DayCall, dayKey, dayRecord, type TakeCall, takeUnits } from "./quota-batches.js";
import { toStorageResult } from "../client/to-storage-result.js";

/** Creates a `QuotaStore` on PostgreSQL, over the tables of `schema`. */
export function postgresQuotaStore(client: SqlClient, schema: string, batching?: BatchOptions): QuotaStore {
  const sql = storeClient(client, schema);
  const tables = tablesOf(schema);
  const statements = quotaStatements(tables);
  const rowsOf = { table: tables.quotas, valueOf: ({ subject }: DayCall) => subject };
  const near = ({ subject }: DayCall): SqlRunner => sql.near(tables.quotas, subject);
  const stateOf = async (call: DayCall) => {
    const [row] = await near(call).query(statements.find, keyValues(call));
    if (row === undefined) throw new Error("The state of a counter has no row.");
    return { used: integer(row, "used"), grantedAt: optionalInteger(row, "granted_ms") };
  };
  const refused = async (call: DayCall): Promise<QuotaGrant> => {
    const { used } = await stateOf(call);
    return { granted: false, used };
  };
  const refusedSpaced = async (call: SpacedCall): Promise<QuotaGrant> => {
    const { used, grantedAt = call.now } = await stateOf(call);
    const retryAt = grantedAt + call.spacing;
    return used < call.limit ? { granted: false, used, retryAt } : { granted: false, used };
  };
  const takeOne = batchedOnServer<TakeCall, QuotaGrant>(
    sql,
    rowsOf,
    (queries) => takeUnits(queries, statements.take, refused),
    batching,
  );
  const takeSpaced = byDistribution(sql, {
    server: async (call: SpacedCall) => {
      const { limit, now, spacing } = call;
      const [taken] = await sql.query(statements.takeSpaced, [...keyValues(call), limit, now, spacing]);
      return taken && integer(taken, "used");
    },
    cluster: (call) => takeSpacedOnCluster(near(call), statements, call),
  });
  const giveOneBack = batchedOnServer<DayCall, readonly SqlRow[]>(
    sql,
    rowsOf,
    (queries) => ({ keyOf: dayKey, ...changeRows(queries, statements.giveBack, dayRecord) }),
    batching,
  );
  return {
    take: ({ scope, subject }, { day, limit, now, spacing }) =>
      toStorageResult(async () => {
        const call = { scope, subject, day, limit };
        if (spacing <= 0) return takeOne(call);
        const spaced = { ...call, now, spacing };
        const used = await takeSpaced(spaced);
        return used === undefined ? refusedSpaced(spaced) : { granted: true, used };
      }),
    giveBack: ({ scope, subject }, day) =>
      toStorageResult(async () => {
        await giveOneBack({ scope, subject, day });
      }),
    find: ({ scope, subject }, day) =>
      toStorageResult(async () => (await stateOf({ scope, subject, day })).used),
    list: (day, limit) =>
      toStorageResult(async () => {
        const rows = await sql.query(statements.list, [day, limit]);
        return rows.map((row) => ({
          scope: enumValue(row, "scope", QUOTA_SCOPES),
          subject: text(row, "subject"),
          used: integer(row, "used"),
        }));
      }),
    removeBefore: (day, limit) => toStorageResult(() => removeRows(sql, statements.removeBefore, day, limit)),
    removeSpacings: (before, limit) =>
      toStorageResult(() => removeRows(sql, statements.removeSpacings, before, limit)),
  };
}

/** A request for one unit of a quota, with a minimum time between two units (spacing). */
interface SpacedCall extends TakeCall, Pick<QuotaTake, "now" | "spacing"> {}

/** Takes a unit with a spacing in one transaction. Returns the used units if it is granted. */
async function takeSpacedOnCluster(
  sql: SqlRunner,
  { setSpacing, takeUnit }: ReturnType<typeof quotaStatements>,
  call: SpacedCall,
): Promise<number | undefined> {
  const { subject, scope, limit, now, spacing } = call;
  if (limit < 1) return undefined;
  try {
    return await sql.transaction(async (transaction) => {
      const [spaced] = await transaction.query(setSpacing, [subject, scope, now, spacing]);
      if (spaced === undefined) throw new NoUnit();
      const [taken] = await transaction.query(takeUnit, [...keyValues(call), limit]);
      if (taken === undefined) throw new NoUnit();
      return integer(taken, "used");
    });
  } catch (error) {
    if (error instanceof NoUnit) return undefined;
    throw error;
  }
}

/** Rolls the transaction back, because no unit is granted. */
class NoUnit extends Error {}

function keyValues({ subject, scope, day }: DayCall): readonly string[] {
  return [subject, scope, day];
}
