import type { BillExceptionStore } from "@tillkit/core";
import { billExceptionStatements } from "./bill-exception-statements.js";
import { foundRecords, toException } from "./bill-exception-row.js";
import { toDueWork } from "./due-work.js";
import { guard } from "./guard.js";
import { type OnUnreadable, rowReader } from "./row-reader.js";
import { integer, text } from "./row.js";
import type { SqlClient } from "./sql-client.js";
import { tablesOf } from "./tables.js";

/** Creates a `BillExceptionStore` on PostgreSQL, over the tables of `schema`. */
export function postgresBillExceptionStore(
  sql: SqlClient,
  schema: string,
  onUnreadable?: OnUnreadable,
): BillExceptionStore {
  const statements = billExceptionStatements(tablesOf(schema));
  const read = rowReader("bill_exceptions", ["id"], toException, onUnreadable);
  const find = async (ids: readonly string[]) =>
    (await sql.query(statements.find, [JSON.stringify(ids)])).map((row) => read.one(row));
  return {
    report: (found) =>
      guard(async () => {
        if (found.length === 0) return [];
        await sql.query(statements.report, [foundRecords(found)]);
        return find(found.map(({ id }) => id));
      }),
    markListed: (listed) =>
      guard(async () => {
        await sql.query(statements.markListed, [foundRecords(listed)]);
      }),
    markHealed: (ids, at) =>
      guard(async () => (await sql.query(statements.markHealed, [JSON.stringify(ids), at])).length),
    closeUnseen: ({ payChannel, appEnv, accountId, day }, { asOf, at, kinds }, limit) =>
      guard(async () => {
        const bill = [payChannel, appEnv, accountId, day];
        const found = await sql.query(statements.unseen, [...bill, asOf, limit, JSON.stringify(kinds)]);
        if (found.length === 0) return 0;
        const ids = JSON.stringify(found.map((row) => text(row, "id")));
        return (await sql.query(statements.closeUnseen, [ids, asOf, at])).length;
      }),
    resolve: (id, { operator, note, at }) =>
      guard(async () => {
        const [moved] = await sql.query(statements.resolve, [id, operator, note, at]);
        if (moved !== undefined) return { moved: true, exception: read.one(moved) };
        const [held] = await find([id]);
        return held && { moved: false, exception: held };
      }),
    list: ({ state, offset, limit }) =>
      guard(async () => {
        const items = read.all(await sql.query(statements.list, [state, offset, limit]));
        const [counted] = await sql.query(statements.count, [state]);
        if (counted === undefined) throw new Error("Counting gave no row.");
        return { items, totalCount: integer(counted, "total_count") };
      }),
    openSince: (atMost) => guard(async () => toDueWork(await sql.query(statements.openSince, [atMost]))),
  };
}
