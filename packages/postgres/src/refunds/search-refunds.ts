import type { Refund } from "@tillkit/core";
import {
  consoleRefundNo,
  type RefundPosition,
  type RefundSearchQuery,
  type RefundsPage,
} from "@tillkit/core/ports";
import {
  type BoundedList,
  boundedList,
  equalTo,
  type ListPart,
  type ListPosition,
  type ListShape,
  readBoundedList,
} from "../sql/bounded-list.js";
import { appsFilter } from "../sql/apps-filter.js";
import { refundColumns } from "./refund-row.js";
import type { RowReader } from "../sql/row-reader.js";
import { integer, text } from "../sql/row.js";
import type { SqlQueries, SqlRow, SqlStatement, SqlValue } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import type { StoreClient } from "../cluster/store-client.js";
import type { Tables } from "../sql/tables.js";

/** The statements of the search, by the condition that an index serves. */
interface RefundSearchStatements {
  readonly shape: ListShape;
  readonly all: BoundedList;
  readonly ofStatus: BoundedList;
  readonly ofApp: BoundedList;
  readonly ofOperator: BoundedList;
  readonly ofNumber: BoundedList;
  readonly ofWalletNumber: BoundedList;
  readonly ofBizNo: BoundedList;
  /** Placeholders: `bizNo`, app and number of the refund. */
  readonly ofKey: BoundedList;
  /** The key of an order by its id. */
  readonly keyOfOrder: SqlStatement;
}

/** Creates the statements over `tables`. */
export function refundSearchStatements({
  orders,
  refunds,
}: Pick<Tables, "orders" | "refunds">): RefundSearchStatements {
  const shape: ListShape = {
    table: refunds,
    isDistributed: true,
    columns: refundColumns("r"),
    position: new Map([
      ["created_ms", "0"],
      ["biz_no", "''"],
      ["app_id", "''"],
      ["refund_no", "''"],
    ]),
    filter: (first) =>
      `($${first}::text is null or r.status = $${first})
       and ($${first + 1}::text[] is null or r.app_id = any ($${first + 1}::text[]))
       and ($${first + 2}::text is null or r.operator = $${first + 2})
       and r.amount_cents >= $${first + 3} and r.amount_cents <= $${first + 4}
       and ($${first + 5}::bigint is null or (r.status = 'CONFIRMED'
         and r.modified_ms >= $${first + 5} and r.modified_ms < $${first + 6}::bigint))
       and ($${first + 7}::text is null or (select o.pay_channel from ${orders} o
         where o.biz_no = r.biz_no and o.app_id = r.app_id) = $${first + 7})`,
  };
  const equal = (method: string, column: string) =>
    boundedList(shape, `refund_search_${method}`, equalTo(`r.${column}`));
  return {
    shape,
    all: boundedList(shape, "refund_search"),
    ofStatus: equal("status", "status"),
    ofApp: equal("app", "app_id"),
    ofOperator: equal("operator", "operator"),
    ofNumber: equal("number", "refund_no"),
    ofWalletNumber: equal("wallet_number", "wallet_refund_no"),
    ofBizNo: equal("biz_no", "biz_no"),
    ofKey: boundedList(shape, "refund_search_key", {
      sql: (first) => `r.biz_no = $${first} and r.app_id = $${first + 1} and r.refund_no = $${first + 2}`,
      values: 3,
    }),
    keyOfOrder: statement("refund_search_order", `select biz_no, app_id from ${orders} where id = $1`),
  };
}

/**
 * Returns a page of refunds, newest first.
 *
 * Most refunds are CONFIRMED. A list of another status therefore uses the index on the status. A
 * list of some apps uses the index on the app, with one statement for each app.
 */
export async function searchRefunds(
  sql: StoreClient,
  statements: RefundSearchStatements,
  toRefunds: RowReader<Refund>["all"],
  query: RefundSearchQuery,
): Promise<RefundsPage> {
  const { status, apps, operator, from, until, minAmount, maxAmount, payChannel, before, limit } = query;
  const { rows, next } = await readBoundedList(
    sql,
    statements.shape,
    {
      parts: await partsOf(sql, statements, query),
      from,
      until,
      limit,
      before: before && positionOf(before),
      filter: [
        status ?? null,
        appsFilter(apps),
        operator ?? null,
        minAmount ?? 0,
        maxAmount ?? Number.MAX_SAFE_INTEGER,
        ...confirmedValues(query),
        payChannel ?? null,
      ],
      isDistributed: await sql.isDistributed(),
    },
    (row) => positionOf(refundPosition(row)),
  );
  const [gmtCreate, bizNo, appId, refundNo] = next ?? [];
  return {
    items: toRefunds(rows),
    ...(gmtCreate === undefined
      ? {}
      : { next: { gmtCreate, bizNo: String(bizNo), appId: String(appId), refundNo: String(refundNo) } }),
  };
}

/** Returns the range of the confirmation, or nulls for refunds of every status. */
function confirmedValues({ confirmedFrom, confirmedUntil }: RefundSearchQuery): readonly SqlValue[] {
  if (confirmedFrom === undefined && confirmedUntil === undefined) return [null, null];
  return [confirmedFrom ?? 0, confirmedUntil ?? Number.MAX_SAFE_INTEGER];
}

async function partsOf(
  sql: SqlQueries,
  statements: RefundSearchStatements,
  { number, status, apps, operator }: RefundSearchQuery,
): Promise<readonly ListPart[]> {
  if (number !== undefined) {
    const key = await keyAtWallet(sql, statements.keyOfOrder, number);
    return [
      { list: statements.ofNumber, leading: [number] },
      { list: statements.ofNumber, leading: [consoleRefundNo(number)] },
      { list: statements.ofWalletNumber, leading: [number] },
      { list: statements.ofBizNo, leading: [number] },
      ...(key === undefined ? [] : [{ list: statements.ofKey, leading: key }]),
    ];
  }
  if (status !== undefined && status !== "CONFIRMED")
    return [{ list: statements.ofStatus, leading: [status] }];
  if (operator !== undefined) return [{ list: statements.ofOperator, leading: [operator] }];
  if (apps !== undefined)
    return [...new Set(apps)].map((app) => ({ list: statements.ofApp, leading: [app] }));
  return [{ list: statements.all, leading: [] }];
}

/** Returns the key of a refund by its number at the wallet: `{id of the order}-{refundNo}`. */
async function keyAtWallet(
  sql: SqlQueries,
  keyOfOrder: SqlStatement,
  number: string,
): Promise<readonly [string, string, string] | undefined> {
  const [, id, refundNo] = /^([^-]+)-(.+)$/.exec(number) ?? [];
  if (id === undefined || refundNo === undefined) return undefined;
  const [row] = await sql.query(keyOfOrder, [id]);
  return row && [text(row, "biz_no"), text(row, "app_id"), refundNo];
}

function refundPosition(row: SqlRow): RefundPosition {
  return {
    gmtCreate: integer(row, "r_created_ms"),
    bizNo: text(row, "r_biz_no"),
    appId: text(row, "r_app_id"),
    refundNo: text(row, "r_refund_no"),
  };
}

function positionOf({ gmtCreate, bizNo, appId, refundNo }: RefundPosition): ListPosition {
  return [gmtCreate, bizNo, appId, refundNo];
}
