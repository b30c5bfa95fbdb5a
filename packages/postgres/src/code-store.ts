import type { AuthCode, CodeStore } from "@tillkit/core";
import { changeRows, writeRows } from "./call-forms.js";
import { codeStatements } from "./code-statements.js";
import { grouped, type Grouping } from "./grouped.js";
import { guard } from "./guard.js";
import { removeRows } from "./removal.js";
import { oneOf } from "./row.js";
import type { SqlClient, SqlRow } from "./sql-client.js";
import { tablesOf } from "./tables.js";

const OUTCOMES = ["matched", "wrong", "exhausted"] as const;

/** Creates a `CodeStore` on PostgreSQL, over the tables of `schema`. */
export function postgresCodeStore(sql: SqlClient, schema: string, grouping?: Grouping): CodeStore {
  const statements = codeStatements(tablesOf(schema));
  const replace = grouped<AuthCode, true>(
    {
      keyOf,
      ...writeRows(sql, statements.replace, (code) => ({ ...record(code), expires_ms: code.expiresAt })),
    },
    grouping,
  );
  const attempt = grouped<AttemptAsk, readonly SqlRow[]>(
    {
      keyOf,
      ...changeRows(sql, statements.attempt, (ask) => ({
        ...record(ask),
        ...{ now_ms: ask.now, max_tries: ask.maxTries },
      })),
    },
    grouping,
  );
  return {
    replace: (code) =>
      guard(async () => {
        await replace(code);
      }),
    drop: ({ phoneHash, appId, codeHash }) =>
      guard(async () => {
        await sql.query(statements.drop, [phoneHash, appId, codeHash]);
      }),
    attempt: ({ phoneHash, appId, codeHash }, now, maxTries) =>
      guard(async () => {
        const [row] = await attempt({ phoneHash, appId, codeHash, now, maxTries });
        return row === undefined ? "wrong" : oneOf(row, "outcome", OUTCOMES);
      }),
    removeExpired: (before, limit) => guard(() => removeRows(sql, statements.removeExpired, before, limit)),
  };
}

/** An attempt with the values that decide its outcome. */
interface AttemptAsk extends Pick<AuthCode, "appId" | "phoneHash" | "codeHash"> {
  readonly now: number;
  readonly maxTries: number;
}

function keyOf({ phoneHash, appId }: Pick<AuthCode, "phoneHash" | "appId">): string {
  return JSON.stringify([phoneHash, appId]);
}

function record({ phoneHash, appId, codeHash }: Pick<AuthCode, "phoneHash" | "appId" | "codeHash">) {
  return { phone_hash: phoneHash, app_id: appId, code_hash: codeHash };
}
