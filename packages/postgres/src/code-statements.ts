import { type StatementVariants, statementVariants } from "./statement-variants.js";
import { type RemovalStatements, removalStatements } from "./remove-expired.js";
import type { SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";
import type { Tables } from "./tables.js";

/** The statements of the code store. */
export interface CodeStatements {
  readonly replace: StatementVariants;
  /** Placeholders: phone hash, app, code hash. */
  readonly drop: SqlStatement;
  /**
   * Returns the outcome of an attempt.
   *
   * Returns no row if there is no code. In a batch, also returns no row if another transaction has
   * locked or changed the code.
   */
  readonly attempt: StatementVariants;
  readonly removeExpired: RemovalStatements;
}

const KEY = { phone_hash: "text", app_id: "text", code_hash: "text" } as const;

/** Creates the statements of the code store over `tables`. */
export function codeStatements({ auth_codes: codes }: Pick<Tables, "auth_codes">): CodeStatements {
  return {
    // Rows are locked in the order of their keys, so that two batches cannot deadlock.
    replace: statementVariants("code_replace", { ...KEY, expires_ms: "bigint" }, ({ value, eachCall }) => {
      const values = ["phone_hash", "app_id", "code_hash", "expires_ms"].map(value).join(", ");
      return `insert into ${codes} (phone_hash, app_id, code_hash, expires_ms, tries)
         ${eachCall(`${values}, 0`, "phone_hash, app_id")}
         on conflict (phone_hash, app_id) do update
           set code_hash = excluded.code_hash, expires_ms = excluded.expires_ms, tries = 0`;
    }),
    drop: statement(
      "code_drop",
      `delete from ${codes} where phone_hash = $1 and app_id = $2 and code_hash = $3`,
    ),
    // The lock in `held` serializes the attempts on a code, so each attempt sees the previous
    // count.
    attempt: statementVariants(
      "code_attempt",
      { ...KEY, now_ms: "bigint", max_tries: "int" },
      ({ value, isKey, lockPerCall, isHeld }) => {
        const exhausted = `tries >= ${value("max_tries")} as exhausted`;
        const matched = `code_hash = ${value("code_hash")} and ${value("now_ms")} < expires_ms as matched`;
        const ofKey = `from ${codes} where ${isKey("phone_hash", "app_id")}`;
        const isHeldCode = isHeld("code", "phone_hash", "app_id");
        return `with held as (
           ${lockPerCall(`${exhausted}, ${matched}`, ofKey)}
         ), tried as (
           update ${codes} code set tries = code.tries + 1 from held
           where ${isHeldCode} and not held.exhausted and not held.matched
           returning held.n
         ), consumed as (
           delete from ${codes} code using held
           where ${isHeldCode} and not held.exhausted and held.matched
           returning held.n
         )
         select n, 'wrong' as outcome from tried
         union all select n, 'matched' from consumed
         union all select n, 'exhausted' from held where exhausted`;
      },
    ),
    removeExpired: removalStatements({
      method: "code_remove_expired",
      table: codes,
      key: ["phone_hash", "app_id"],
      column: "expires_ms",
    }),
  };
}
