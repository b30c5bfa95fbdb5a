import type { AuthCode, CodeStore } from "@tillkit/core";
import { batchedOnServer, changeRows, writeRows } from "./batched-methods.js";
import { codeStatements } from "./code-statements.js";
import type { BatchOptions } from "./batched.js";
import { toStorageResult } from "./to-storage-result.js";
import { removeRows } from "./remove-expired.js";
import { enumValue } from "./row.js";
import type { SqlClient, SqlQueries } from "./sql-client.js";
import { storeClient } from "./store-client.js";
import { tablesOf } from "./tables.js";

const OUTCOMES = ["matched", "wrong", "exhausted"] as const;

/** Creates a `CodeStore` on PostgreSQL, over the tables of `schema`. */
export function postgresCodeStore(client: SqlClient, schema: string, batching?: BatchOptions): CodeStore {
  const sql = storeClient(client, schema);
  const tables = tablesOf(schema);
  const { auth_codes: codes } = tables;
  const statements = codeStatements(tables);
  const replacements = (queries: SqlQueries) =>
    writeRows(queries, statements.replace, (code: AuthCode) => ({
      expires_ms: code.expiresAt,
      ...record(code),
    }));
  const rowsOf = {
    table: codes,
    valueOf: ({ phoneHash }: Pick<AuthCode, "phoneHash">) => phoneHash,
  };
  const replace = batchedOnServer(sql, rowsOf, (queries) => ({ keyOf, ...replacements(queries) }), batching);
  const attempts = (queries: SqlQueries) =>
    changeRows(queries, statements.attempt, (call: AttemptCall) => ({
      now_ms: call.now,
      max_tries: call.maxTries,
      ...record(call),
    }));
  const attempt = batchedOnServer(sql, rowsOf, (queries) => ({ keyOf, ...attempts(queries) }), batching);
  return {
    replace: (code) =>
      toStorageResult(async () => {
        await replace(code);
      }),
    drop: ({ phoneHash, appId, codeHash }) =>
      toStorageResult(async () => {
        await sql.near(codes, phoneHash).query(statements.drop, [phoneHash, appId, codeHash]);
      }),
    attempt: ({ phoneHash, appId, codeHash }, now, maxTries) =>
      toStorageResult(async () => {
        const [row] = await attempt({ phoneHash, appId, codeHash, now, maxTries });
        return row === undefined ? "wrong" : enumValue(row, "outcome", OUTCOMES);
      }),
    removeExpired: (before, limit) =>
      toStorageResult(() => removeRows(sql, statements.removeExpired, before, limit)),
  };
}

/** An attempt with the values that decide its outcome. */
interface AttemptCall extends Pick<AuthCode, "appId" | "phoneHash" | "codeHash"> {
  readonly now: number;
  readonly maxTries: number;
}

function keyOf({ phoneHash, appId }: Pick<AuthCode, "phoneHash" | "appId">): string {
  return JSON.stringify([phoneHash, appId]);
}

function record({ phoneHash, appId, codeHash }: Pick<AuthCode, "phoneHash" | "appId" | "codeHash">) {
  return { phone_hash: phoneHash, app_id: appId, code_hash: codeHash };
}
