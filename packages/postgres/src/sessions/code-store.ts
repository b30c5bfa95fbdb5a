import type { AuthCode, AuthCodeKey, CodeStore, TryLimits } from "@tillkit/core/ports";
import { batchedOnServer, changeRows, readRows } from "../batching/batched-methods.js";
import { codeStatements } from "./code-statements.js";
import type { BatchOptions } from "../batching/batched.js";
import { toStorageResult } from "../client/to-storage-result.js";
import { removeRows } from "../sql/remove-expired.js";
import { booleanValue, enumValue } from "../sql/row.js";
import type { SqlClient, SqlQueries } from "../sql/sql-client.js";
import { storeClient } from "../cluster/store-client.js";
import { tablesOf } from "../sql/tables.js";

const OUTCOMES = ["matched", "wrong", "none", "exhausted", "locked"] as const;

/** Creates a `CodeStore` on PostgreSQL, over the tables of `schema`. */
export function postgresCodeStore(client: SqlClient, schema: string, batching?: BatchOptions): CodeStore {
  const sql = storeClient(client, schema);
  const tables = tablesOf(schema);
  const { auth_codes: codes } = tables;
  const statements = codeStatements(tables);
  const additions = (queries: SqlQueries) =>
    readRows(queries, statements.add, (call: AddCall) => ({
      expires_ms: call.expiresAt,
      now_ms: call.now,
      max_day_tries: call.perDay,
      ...record(call),
    }));
  const rowsOf = {
    table: codes,
    valueOf: ({ phoneHash }: Pick<AuthCode, "phoneHash">) => phoneHash,
  };
  const add = batchedOnServer(sql, rowsOf, (queries) => ({ keyOf, ...additions(queries) }), batching);
  const attempts = (queries: SqlQueries) =>
    changeRows(queries, statements.attempt, (call: AttemptCall) => ({
      now_ms: call.now,
      day_ends_ms: call.dayEndsAt,
      max_code_tries: call.perCode,
      max_day_tries: call.perDay,
      ...record(call),
    }));
  const attempt = batchedOnServer(sql, rowsOf, (queries) => ({ keyOf, ...attempts(queries) }), batching);
  return {
    add: (code, { now, perDay }) =>
      toStorageResult(async () => {
        const [row] = perDay < 1 ? [] : await add({ ...code, now, perDay });
        if (row === undefined) return "locked";
        return booleanValue(row, "beside") ? "beside" : "alone";
      }),
    dropEarlier: ({ phoneHash, appId, codeHash }) =>
      toStorageResult(async () => {
        await sql.near(codes, phoneHash).query(statements.dropEarlier, [phoneHash, appId, codeHash]);
      }),
    drop: ({ phoneHash, appId, codeHash }) =>
      toStorageResult(async () => {
        await sql.near(codes, phoneHash).query(statements.drop, [phoneHash, appId, codeHash]);
      }),
    attempt: (code, limits) =>
      toStorageResult(async () => {
        if (limits.perDay < 1) return "locked";
        const [row] = await attempt({ ...code, ...limits });
        return row === undefined ? "none" : enumValue(row, "outcome", OUTCOMES);
      }),
    removeExpired: (before, limit) =>
      toStorageResult(() => removeRows(sql, statements.removeExpired, before, limit)),
  };
}

/** A code to add, with the values that decide whether it may be added. */
type AddCall = AuthCode & Pick<TryLimits, "now" | "perDay">;

/** An attempt with the values that decide its outcome. */
type AttemptCall = AuthCodeKey & TryLimits;

function keyOf({ phoneHash, appId }: Pick<AuthCode, "phoneHash" | "appId">): string {
  return JSON.stringify([phoneHash, appId]);
}

function record({ phoneHash, appId, codeHash }: AuthCodeKey) {
  return { phone_hash: phoneHash, app_id: appId, code_hash: codeHash };
}
