import type { AuthCode, CodeStore } from "@tillkit/core";
import { askTogether } from "./asked.js";
import { codeGroupStatements } from "./code-group-statements.js";
import { grouped, type Grouping } from "./grouped.js";
import { guard } from "./guard.js";
import { removalStatements, removeRows } from "./removal.js";
import { oneOf } from "./row.js";
import type { SqlClient } from "./sql-client.js";
import { statement } from "./statement.js";
import { tablesOf } from "./tables.js";

const OUTCOMES = ["matched", "wrong", "exhausted"] as const;

/** `CodeStore` on PostgreSQL, over the tables of `schema`. */
export function postgresCodeStore(sql: SqlClient, schema: string, grouping?: Grouping): CodeStore {
  const tables = tablesOf(schema);
  const { auth_codes: codes } = tables;
  const groups = codeGroupStatements(tables);
  const replace = statement(
    "code_replace",
    `insert into ${codes} (phone_hash, app_id, code_hash, expires_ms, tries) values ($1, $2, $3, $4, 0)
     on conflict (phone_hash, app_id) do update
       set code_hash = excluded.code_hash, expires_ms = excluded.expires_ms, tries = 0`,
  );
  const drop = statement(
    "code_drop",
    `delete from ${codes} where phone_hash = $1 and app_id = $2 and code_hash = $3`,
  );
  // The lock in `held` makes the tries of one code come one after the other, each seeing the count the one before left.
  const attempt = statement(
    "code_attempt",
    `with held as (
       select tries >= $5::int as exhausted, code_hash = $3 and $4::bigint < expires_ms as matched
       from ${codes} where phone_hash = $1 and app_id = $2 for update
     ), tried as (
       update ${codes} code set tries = code.tries + 1 from held
       where code.phone_hash = $1 and code.app_id = $2 and not held.exhausted and not held.matched
     ), consumed as (
       delete from ${codes} code using held
       where code.phone_hash = $1 and code.app_id = $2 and not held.exhausted and held.matched
     )
     select case when exhausted then 'exhausted' when matched then 'matched' else 'wrong' end as outcome from held`,
  );
  const removeExpired = removalStatements({
    verb: "code_remove_expired",
    table: codes,
    key: ["phone_hash", "app_id"],
    column: "expires_ms",
  });
  const replaceOne = grouped<AuthCode, true>(
    {
      keyOf,
      one: async ({ phoneHash, appId, codeHash, expiresAt }) => {
        await sql.query(replace, [phoneHash, appId, codeHash, expiresAt]);
        return true;
      },
      many: askTogether(sql, {
        statement: groups.replace,
        values: (code) => ({ ...record(code), expires_ms: code.expiresAt }),
        answer: () => true,
      }),
    },
    grouping,
  );
  const attemptOne = grouped<AttemptAsk, (typeof OUTCOMES)[number]>(
    {
      keyOf,
      one: async ({ phoneHash, appId, codeHash, now, maxTries }) => {
        const [row] = await sql.query(attempt, [phoneHash, appId, codeHash, now, maxTries]);
        return row === undefined ? "wrong" : oneOf(row, "outcome", OUTCOMES);
      },
      many: askTogether(sql, {
        statement: groups.attempt,
        values: (ask) => ({ ...record(ask), now_ms: ask.now, max_tries: ask.maxTries }),
        answer: (row) => oneOf(row, "outcome", OUTCOMES),
      }),
    },
    grouping,
  );
  return {
    replace: (code) =>
      guard(async () => {
        await replaceOne(code);
      }),
    drop: ({ phoneHash, appId, codeHash }) =>
      guard(async () => {
        await sql.query(drop, [phoneHash, appId, codeHash]);
      }),
    attempt: ({ phoneHash, appId, codeHash }, now, maxTries) =>
      guard(() => attemptOne({ phoneHash, appId, codeHash, now, maxTries })),
    removeExpired: (before, limit) => guard(() => removeRows(sql, removeExpired, before, limit)),
  };
}

/** A try, and what it is judged by. */
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
