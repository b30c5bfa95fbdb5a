import { type StatementVariants, statementVariants } from "../batching/statement-variants.js";
import { type RemovalStatements, removalStatements } from "../sql/remove-expired.js";
import type { SqlStatement } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import type { Tables } from "../sql/tables.js";

/** The statements of the code store. */
export interface CodeStatements {
  /**
   * Adds a code as the newest one. Returns whether an earlier code is still valid.
   *
   * Returns no row if the day's wrong attempts are used up.
   */
  readonly add: StatementVariants;
  /** Placeholders: phone hash, app, code hash. */
  readonly dropEarlier: SqlStatement;
  /** Placeholders: phone hash, app, code hash. */
  readonly drop: SqlStatement;
  /**
   * Returns the outcome of an attempt, within the limits of `code-tries.ts` of `@tillkit/core`.
   *
   * Returns no row if nothing is stored about the phone number. In a batch, also returns no row if
   * another transaction has locked or changed the row.
   */
  readonly attempt: StatementVariants;
  readonly removeExpired: RemovalStatements;
}

const KEY = { phone_hash: "text", app_id: "text", code_hash: "text" } as const;

/**
 * The lists of a row, which have one element per code.
 *
 * No statement uses a slice of a list, because Citus 13 crashes when it sends a slice to a node.
 */
const LISTS = ["code_hashes", "codes_expire_ms", "tries_before"] as const;

/**
 * The maximum number of codes per phone number: more than the requests that can wait for an SMS
 * carrier.
 */
const MOST_CODES = 64;

/** Creates the statements of the code store over `tables`. */
export function codeStatements({ auth_codes: codes }: Pick<Tables, "auth_codes">): CodeStatements {
  const ofCode = "phone_hash = $1 and app_id = $2 and $3::text = any (code_hashes)";
  const place = "array_position(code_hashes, $3::text)";
  return {
    // Rows are locked in the order of their keys, so that two batches cannot deadlock.
    add: statementVariants(
      "code_add",
      { ...KEY, expires_ms: "bigint", now_ms: "bigint", max_day_tries: "int" },
      ({ value, valueForRow, eachCall }) => {
        const [hash, expiry] = [value("code_hash"), value("expires_ms")];
        const key = `${value("phone_hash")}, ${value("app_id")}`;
        const added = `${key}, array[${hash}], array[${expiry}], array[0], 0, 0, 0, ${expiry}`;
        const valueFor = (column: string) => valueForRow(column, "held", "phone_hash", "app_id");
        const newest = (column: string, first: string) =>
          `${column} = trim_array(${first} || held.${column}, greatest(cardinality(held.code_hashes) - ${MOST_CODES - 1}, 0))`;
        return `insert into ${codes} as held (
           phone_hash, app_id, code_hashes, codes_expire_ms, tries_before,
           tries, day_tries, day_ends_ms, ends_ms
         )
         ${eachCall(added, "phone_hash, app_id")}
         on conflict (phone_hash, app_id) do update set
           ${newest("code_hashes", "excluded.code_hashes")},
           ${newest("codes_expire_ms", "excluded.codes_expire_ms")},
           ${newest("tries_before", "array[held.tries]")},
           ends_ms = greatest(held.ends_ms, excluded.ends_ms)
           where held.day_ends_ms <= ${valueFor("now_ms")}
             or held.day_tries < ${valueFor("max_day_tries")}
         returning ${valueFor("n")} as n,
           coalesce(held.codes_expire_ms[2] > ${valueFor("now_ms")}, false) as beside`;
      },
    ),
    dropEarlier: statement(
      "code_drop_earlier",
      `update ${codes} set ${LISTS.map(
        (column) => `${column} = trim_array(${column}, cardinality(code_hashes) - ${place})`,
      ).join(", ")}
       where ${ofCode}`,
    ),
    drop: statement(
      "code_drop",
      `update ${codes} set ${LISTS.map(
        (column) => `${column} = array(
           select item from unnest(${column}) with ordinality as other(item, n) where n <> ${place} order by n
         )`,
      ).join(", ")}
       where ${ofCode}`,
    ),
    // Decides like `codeAttemptOutcome` of core. The lock in `held` serializes the attempts on a
    // number, so each attempt sees the previous count.
    attempt: statementVariants(
      "code_attempt",
      {
        ...KEY,
        now_ms: "bigint",
        day_ends_ms: "bigint",
        max_code_tries: "int",
        max_day_tries: "int",
      },
      ({ value, isKey, lockPerCall, isHeld }) => {
        const now = value("now_ms");
        const isLive = (nth: number) => `coalesce(${now} < codes_expire_ms[${nth}], false)`;
        const isOpen = (nth: number) =>
          `${isLive(nth)} and tries - tries_before[${nth}] < ${value("max_code_tries")}`;
        const isMatch = (nth: number) => `${isOpen(nth)} and code_hashes[${nth}] = ${value("code_hash")}`;
        const dayTries = `case when ${now} < day_ends_ms then day_tries else 0 end`;
        const outcome = `case
           when ${dayTries} >= ${value("max_day_tries")} then 'locked'
           when not (${isLive(1)} or ${isLive(2)}) then 'none'
           when not (${isOpen(1)} or ${isOpen(2)}) then 'exhausted'
           when ${isMatch(1)} or ${isMatch(2)} then 'matched'
           else 'wrong' end as outcome`;
        const counted = `${dayTries} + 1 as counted, ${value("day_ends_ms")} as counted_until`;
        const ofNumber = `from ${codes} where ${isKey("phone_hash", "app_id")}`;
        const isHeldNumber = isHeld("code", "phone_hash", "app_id");
        return `with held as (
           ${lockPerCall(`${outcome}, ${counted}`, ofNumber)}
         ), tried as (
           update ${codes} code set tries = code.tries + 1, day_tries = held.counted,
             day_ends_ms = held.counted_until, ends_ms = greatest(code.ends_ms, held.counted_until)
           from held where ${isHeldNumber} and held.outcome = 'wrong'
           returning held.n
         ), consumed as (
           update ${codes} code set code_hashes = '{}', codes_expire_ms = '{}', tries_before = '{}'
           from held where ${isHeldNumber} and held.outcome = 'matched'
           returning held.n
         )
         select n, 'wrong' as outcome from tried
         union all select n, 'matched' from consumed
         union all select n, outcome from held where outcome in ('locked', 'none', 'exhausted')`;
      },
    ),
    removeExpired: removalStatements({
      method: "code_remove_expired",
      table: codes,
      key: ["phone_hash", "app_id"],
      column: "ends_ms",
    }),
  };
}
