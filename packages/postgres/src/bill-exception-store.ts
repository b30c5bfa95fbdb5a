import type { BillExceptionStore } from "@tillkit/core";
import { rowChanger } from "./append-audit.js";
import { arrayLiteral } from "./array-literal.js";
import { billExceptionStatements } from "./bill-exception-statements.js";
import { foundRecords, toException } from "./bill-exception-row.js";
import { toBillCount, toComparedBill } from "./bill-day-row.js";
import { toDueWork } from "./due-work.js";
import { toStorageResult } from "./to-storage-result.js";
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
  const tables = tablesOf(schema);
  const statements = billExceptionStatements(tables);
  const changeRow = rowChanger(sql, tables);
  const read = rowReader("bill_exceptions", ["id"], toException, onUnreadable);
  const billKey = ["day", "pay_channel", "app_env", "account_id"];
  const readDays = rowReader("bill_days", billKey, toComparedBill, onUnreadable);
  const find = async (ids: readonly string[]) =>
    (await sql.query(statements.find, [JSON.stringify(ids)])).map((row) => read.one(row));
  return {
    report: (found) =>
      toStorageResult(async () => {
        if (found.length === 0) return [];
        await sql.query(statements.report, [foundRecords(found)]);
        return find(found.map(({ id }) => id));
      }),
    markListed: (listed) =>
      toStorageResult(async () => {
        await sql.query(statements.markListed, [foundRecords(listed)]);
      }),
    markHealed: (ids, at) =>
      toStorageResult(async () => (await sql.query(statements.markHealed, [JSON.stringify(ids), at])).length),
    closeUnseen: ({ payChannel, appEnv, accountId, day }, { asOf, at, kinds }, limit) =>
      toStorageResult(async () => {
        const bill = [payChannel, appEnv, accountId, day];
        const found = await sql.query(statements.unseen, [...bill, asOf, limit, JSON.stringify(kinds)]);
        if (found.length === 0) return 0;
        const ids = JSON.stringify(found.map((row) => text(row, "id")));
        return (await sql.query(statements.closeUnseen, [ids, asOf, at])).length;
      }),
    resolve: (id, { operator, note, at }, audit) =>
      toStorageResult(async () => {
        const moved = await changeRow(statements.resolve, [id, operator, note, at], audit);
        if (moved !== undefined) return { moved: true, exception: read.one(moved) };
        const [stored] = await find([id]);
        return stored && { moved: false, exception: stored };
      }),
    list: ({ state, apps, offset, limit }) =>
      toStorageResult(async () => {
        const ofApps = apps === undefined ? null : arrayLiteral(apps);
        const items = read.all(await sql.query(statements.list, [state, offset, limit, ofApps]));
        const [counted] = await sql.query(statements.count, [state, ofApps]);
        if (counted === undefined) throw new Error("The count query returned no row.");
        return { items, totalCount: integer(counted, "total_count") };
      }),
    openSince: (atMost) =>
      toStorageResult(async () => toDueWork(await sql.query(statements.openSince, [atMost]))),
    recordCompared: ({ day, payChannel, appEnv, accountId, matched, fees, asOf }) =>
      toStorageResult(async () => {
        const bill = [day, payChannel, appEnv, accountId];
        await sql.query(statements.recordCompared, [...bill, matched, fees ?? null, asOf]);
      }),
    listCompared: (from, until) =>
      toStorageResult(async () => readDays.all(await sql.query(statements.listCompared, [from, until]))),
    countByBill: (from, until) =>
      toStorageResult(async () => (await sql.query(statements.countByBill, [from, until])).map(toBillCount)),
  };
}
