import type { Refund, RefundsQuery } from "@tillkit/core";
import { arrayLiteral } from "./array-literal.js";
import type { RefundStatements } from "./refund-statements.js";
import type { RowReader } from "./row-reader.js";
import type { SqlQueries, SqlStatement } from "./sql-client.js";

/**
 * Returns a page of refunds, newest first.
 *
 * Most refunds are CONFIRMED. A list of another status therefore uses the index on the status. All
 * other lists of some apps use the index on the app, with one statement for each app.
 */
export async function searchRefunds(
  sql: SqlQueries,
  { search, searchStatus, searchApp }: RefundStatements,
  toRefunds: RowReader<Refund>["all"],
  query: RefundsQuery,
): Promise<readonly Refund[]> {
  const { status, apps, before, limit } = query;
  const { gmtCreate = Number.MAX_SAFE_INTEGER, bizNo = "", appId = "", refundNo = "" } = before ?? {};
  const page = async (statement: SqlStatement, of: readonly string[] | undefined) => {
    const place = [gmtCreate, bizNo, appId, refundNo];
    const filter = [status ?? null, of === undefined ? null : arrayLiteral(of)];
    return toRefunds(await sql.query(statement, [...place, limit, ...filter]));
  };
  if (apps !== undefined && (status === undefined || status === "CONFIRMED")) {
    const pages = await Promise.all([...new Set(apps)].map((app) => page(searchApp, [app])));
    return pages.flat().toSorted(newestFirst).slice(0, limit);
  }
  return page(status === undefined ? search : searchStatus, apps);
}

function newestFirst(left: Refund, right: Refund): number {
  return (
    right.gmtCreate - left.gmtCreate ||
    compareText(right.bizNo, left.bizNo) ||
    compareText(right.appId, left.appId) ||
    compareText(right.refundNo, left.refundNo)
  );
}

/** Compares two texts by code point, as the database does. */
function compareText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
