import { errorCode } from "@tillkit/core/errors";
import { firstWords, splitStatements } from "./split-statements.js";
import type { SqlQueries } from "../sql/sql-client.js";

/**
 * Runs the statements of `text` one by one.
 *
 * Citus refuses a text with several statements if one of them changes a distributed table. If a
 * statement fails, the error names it, and its `cause` is the error of the driver.
 *
 * @param what - the subject of the message, such as "The migration 0001-first-schema".
 */
export async function runStatements(sql: SqlQueries, text: string, what: string): Promise<void> {
  for (const [index, statement] of splitStatements(text).entries()) {
    try {
      await sql.script(statement);
    } catch (cause) {
      const place = `statement ${index + 1} (${firstWords(statement)})`;
      const error = new Error(`${what} failed at ${place}: ${String(cause)}`, { cause });
      // A missing right has the same remedy here as in a store. Other codes have another one.
      throw errorCode(cause) === "42501" ? Object.assign(error, { code: "42501" }) : error;
    }
  }
}
