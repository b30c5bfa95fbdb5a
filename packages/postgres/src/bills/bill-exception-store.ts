import { BILL_EXCEPTION_KINDS } from "@tillkit/core";
import type {
  BillExceptionFilter,
  BillExceptionState,
  BillExceptionStore,
  OrderNumbers,
} from "@tillkit/core/ports";
import { rowChanger } from "../audit/append-audit.js";
import { appsFilter } from "../sql/apps-filter.js";
import { countBoundedList, type ListPosition, readBoundedList } from "../sql/bounded-list.js";
import { billExceptionStatements } from "./bill-exception-statements.js";
import { foundRecords, toException } from "./bill-exception-row.js";
import { toBillCount, toComparedBill } from "./bill-day-row.js";
import { openByName } from "../sql/open-by-name.js";
import { toStorageResult } from "../client/to-storage-result.js";
import { type OnUnreadable, rowReader } from "../sql/row-reader.js";
import { integer, text } from "../sql/row.js";
import type { SqlClient, SqlRow } from "../sql/sql-client.js";
import { storeClient } from "../cluster/store-client.js";
import { tablesOf } from "../sql/tables.js";

/** Creates a `BillExceptionStore` on PostgreSQL, over the tables of `schema`. */
export function postgresBillExceptionStore(
  client: SqlClient,
  schema: string,
  onUnreadable?: OnUnreadable,
): BillExceptionStore {
  const sql = storeClient(client, schema);
  const tables = tablesOf(schema);
  const statements = billExceptionStatements(tables);
  const changeRow = rowChanger(sql, tables);
  const read = rowReader("bill_exceptions", ["id"], toException, onUnreadable);
  const billKey = ["day", "pay_channel", "app_env", "account_id"];
  const readDays = rowReader("bill_days", billKey, toComparedBill, onUnreadable);
  const find = async (ids: readonly string[]) =>
    (await sql.query(statements.find, [JSON.stringify(ids)])).map((row) => read.one(row));
  const selectionOf = async (filter: BillExceptionFilter) => {
    const { apps, day, payChannel, kind, accountId, outTradeNo } = filter;
    const values = [payChannel, kind, accountId, day, outTradeNo].map((value) => value ?? null);
    return { filter: [appsFilter(apps), ...values], isDistributed: await sql.isDistributed() };
  };
  /** Returns the list whose index selects the fewest rows. */
  const partOf = ({ state, day, outTradeNo }: BillExceptionFilter) => {
    if (outTradeNo !== undefined) return { list: statements.ofOrder, leading: [outTradeNo, state] };
    return day === undefined
      ? { list: statements.inState, leading: [state] }
      : { list: statements.ofDay, leading: [day, state] };
  };
  const partsOf = ({ id, appId, bizNo }: OrderNumbers, state: BillExceptionState) => [
    { list: statements.ofOrder, leading: [id, state] },
    { list: statements.ofOrderKey, leading: [bizNo, appId, state] },
  ];
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
    resolve: (id, { operator, note, at, remedy, order }, audit) =>
      toStorageResult(async () => {
        const moved = await changeRow(
          statements.resolve,
          [id, operator, note, at, remedy, order?.appId ?? null, order?.bizNo ?? null],
          audit,
        );
        if (moved !== undefined) return { moved: true, exception: read.one(moved) };
        const [stored] = await find([id]);
        return stored && { moved: false, exception: stored };
      }),
    find: (id) => toStorageResult(async () => (await find([id]))[0]),
    list: ({ before, limit, ofOrder, ...filter }) =>
      toStorageResult(async () => {
        const selection = await selectionOf(filter);
        const place: ListPosition | undefined = before && [before.gmtCreate, before.id];
        const parts = ofOrder === undefined ? [partOf(filter)] : partsOf(ofOrder, filter.state);
        const query = { ...selection, parts, before: place, limit };
        const { rows, next } = await readBoundedList(sql, statements.shape, query, positionOf);
        const [gmtCreate, id] = next ?? [];
        const end = gmtCreate === undefined ? {} : { next: { gmtCreate, id: String(id) } };
        return { items: read.all(rows), ...end };
      }),
    count: (filter, atMost) =>
      toStorageResult(async () => {
        const query = { ...(await selectionOf(filter)), part: partOf(filter) };
        return countBoundedList(sql, statements.shape, query, atMost);
      }),
    openByKind: (atMost) =>
      toStorageResult(async () =>
        openByName(BILL_EXCEPTION_KINDS, await sql.query(statements.openByKind, [atMost])).map(
          ({ name: kind, count, oldestAt }) => ({ kind, count, oldestAt }),
        ),
      ),
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

function positionOf(row: SqlRow): ListPosition {
  return [integer(row, "created_ms"), text(row, "id")];
}
