import { errorCode, isError } from "@tillkit/core/errors";
import { grantFindings } from "./grant-findings.js";
import { text } from "../sql/row.js";
import type { SqlQueries, SqlRunner } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";

/**
 * How long a result is reused, in milliseconds, so that not every failed statement causes a query.
 */
const LOOK_AGAIN = 1_000;

const ROLE = statement("missing_rights_role", "select current_user::text as role");

const known = new WeakMap<Error, string>();

/** Returns the text that {@link withMissingRights} found for an error, if any. */
export function missingRightsOf(error: unknown): string | undefined {
  return isError(error) ? known.get(error) : undefined;
}

/**
 * Returns a function that wraps a runner of statements on the tables of `schema`.
 *
 * If a statement of the wrapped runner fails because of a missing right, {@link missingRightsOf}
 * returns a text for the error. The text names the role and the right, which PostgreSQL does not
 * name. `sql` reads the catalogue.
 */
export function missingRightsReader(sql: SqlQueries, schema: string): (runner: SqlRunner) => SqlRunner {
  let looked: { readonly at: number; readonly found: Promise<string | undefined> } | undefined;
  const look = (): Promise<string | undefined> => {
    const now = performance.now();
    if (looked === undefined || now - looked.at >= LOOK_AGAIN)
      looked = { at: now, found: findMissingRights(sql, schema).catch(() => undefined) };
    return looked.found;
  };
  const explained = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (errorCode(error) === "42501" && isError(error) && !known.has(error)) {
        const found = await look();
        if (found !== undefined) known.set(error, found);
      }
      throw error;
    }
  };
  return (runner) => ({
    query: (asked, values) => explained(runner.query(asked, values)),
    script: (script) => explained(runner.script(script)),
    transaction: (work, options) => explained(runner.transaction(work, options)),
  });
}

async function findMissingRights(sql: SqlQueries, schema: string): Promise<string | undefined> {
  const [row] = await sql.query(ROLE, []);
  if (row === undefined) return undefined;
  const role = text(row, "role");
  const missing = (await grantFindings(sql, schema, role)).filter(({ kind }) => kind === "missing-grant");
  const [first] = missing;
  if (first === undefined) return undefined;
  const more = missing.length === 1 ? "" : ` It lacks ${missing.length - 1} further rights.`;
  return `${first.message}${more} Run \`tillkit migrate --application ${role}\` with the role that owns the tables, or: ${first.fix}`;
}
