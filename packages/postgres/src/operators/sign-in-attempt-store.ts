import { countingAttempts, decideAttempt, type SignInAttemptStore } from "@tillkit/core/ports";
import { arrayLiteral } from "../sql/array-literal.js";
import { removalStatements, removeRows } from "../sql/remove-expired.js";
import { integers } from "../sql/row.js";
import type { SqlClient } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";
import { toStorageResult } from "../client/to-storage-result.js";

/** Creates a `SignInAttemptStore` on PostgreSQL, over the tables of `schema`. */
export function postgresSignInAttemptStore(sql: SqlClient, schema: string): SignInAttemptStore {
  const statements = attemptStatements(tablesOf(schema));
  return {
    take: (subjects, attempt) =>
      toStorageResult(() =>
        sql.transaction(async (transaction) => {
          const counted = [];
          // Every call locks its rows in one order, so that no two calls wait for each other.
          for (const { subject, limit } of inOrder(subjects)) {
            await transaction.query(statements.lock, [subject]);
            const [row] = await transaction.query(statements.find, [subject]);
            const times = row === undefined ? [] : integers(row, "attempts");
            counted.push({ subject, limit, times: countingAttempts(times, attempt) });
          }
          const decided = decideAttempt(counted, attempt);
          if (!decided.granted) return decided;
          for (const { subject, times } of counted) {
            const next = [...times, attempt.at].sort((left, right) => left - right);
            await transaction.query(statements.set, [subject, arrayLiteral(next.map(String)), attempt.at]);
          }
          return decided;
        }),
      ),
    giveBack: (subjects, at) =>
      toStorageResult(() =>
        sql.transaction(async (transaction) => {
          for (const { subject } of inOrder(subjects.map((one) => ({ subject: one }))))
            await transaction.query(statements.giveBack, [subject, at]);
        }),
      ),
    removeBefore: (before, limit) =>
      toStorageResult(() => removeRows(sql, statements.removeBefore, before, limit)),
  };
}

function inOrder<S extends { readonly subject: string }>(subjects: readonly S[]): readonly S[] {
  return subjects.toSorted((left, right) => (left.subject < right.subject ? -1 : 1));
}

function attemptStatements({ sign_in_attempts }: ReturnType<typeof tablesOf>) {
  return {
    // The update changes nothing, but locks a row that exists already.
    lock: statement(
      "sign_in_attempt_lock",
      `insert into ${sign_in_attempts} as a (subject, attempts_ms, last_ms) values ($1, '{}', 0)
       on conflict (subject) do update set last_ms = a.last_ms`,
    ),
    find: statement(
      "sign_in_attempt_find",
      `select attempts_ms::text as attempts from ${sign_in_attempts} where subject = $1`,
    ),
    set: statement(
      "sign_in_attempt_set",
      `update ${sign_in_attempts} set attempts_ms = $2::text::bigint[], last_ms = greatest(last_ms, $3)
       where subject = $1`,
    ),
    giveBack: statement(
      "sign_in_attempt_give_back",
      `update ${sign_in_attempts} set attempts_ms =
         attempts_ms[1:array_position(attempts_ms, $2) - 1] || attempts_ms[array_position(attempts_ms, $2) + 1:]
       where subject = $1 and array_position(attempts_ms, $2) is not null`,
    ),
    removeBefore: removalStatements({
      method: "sign_in_attempt_remove_before",
      table: sign_in_attempts,
      key: ["subject"],
      column: "last_ms",
    }),
  };
}
