import { type BoundedList, boundedList, equalTo, type ListShape } from "../sql/bounded-list.js";
import { EXCEPTION_COLUMNS, FOUND_COLUMNS, FOUND_TYPES } from "./bill-exception-row.js";
import type { SqlStatement } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import type { Tables } from "../sql/tables.js";

/**
 * The statements of the exception store. A run is one comparison of a bill.
 *
 * Each statement locks its rows in the order of their ids, so that two statements cannot deadlock.
 */
export interface BillExceptionStatements {
  /** Placeholder: the reported exceptions as JSON. */
  readonly report: SqlStatement;
  /** Placeholder: ids as a JSON array. */
  readonly find: SqlStatement;
  /** Placeholder: the listed exceptions as JSON. */
  readonly markListed: SqlStatement;
  /** Placeholders: ids as a JSON array, time. */
  readonly markHealed: SqlStatement;
  /**
   * Finds the open exceptions of a bill that a run did not report.
   *
   * Placeholders: channel, gateway, account, day, start of the run, limit, kinds as a JSON array.
   * Takes no locks, so that a distributed database can run it on every node.
   */
  readonly unseen: SqlStatement;
  /** Placeholders: ids as a JSON array, start of the run, time. */
  readonly closeUnseen: SqlStatement;
  /** Placeholders: id, operator, note, time, remedy, app and number of an assigned order. */
  readonly resolve: SqlStatement;
  readonly shape: ListShape;
  /** The exceptions in a state. */
  readonly inState: BoundedList;
  /** The exceptions of a day in a state. */
  readonly ofDay: BoundedList;
  /** The exceptions in a state that have the number of an order. */
  readonly ofOrder: BoundedList;
  /** The exceptions in a state that name an order by `bizNo` and app. */
  readonly ofOrderKey: BoundedList;
  /**
   * Finds the exceptions of an order that have a note.
   *
   * Placeholders: id, `bizNo` and app of the order.
   */
  readonly noted: SqlStatement;
  /** Placeholder: ids as a JSON array. */
  readonly eraseNotes: SqlStatement;
  /** Placeholder: limit. */
  readonly openByKind: SqlStatement;
  /** Placeholders: day, channel, gateway, account, matched lines, fees, start of the run. */
  readonly recordCompared: SqlStatement;
  /** Placeholders: first and last day. */
  readonly listCompared: SqlStatement;
  /** Placeholders: first and last day. */
  readonly countByBill: SqlStatement;
}

/** The columns that identify a bill, in the order of lists. */
const BILL = "day, pay_channel, app_env, account_id";
const COLUMNS = EXCEPTION_COLUMNS.join(", ");
const IDS = "(select asked.id from json_array_elements_text($1::text::json) as asked (id) order by asked.id)";

/** Returns the value of a column after a run. An assigned order stays if the run found no order. */
function reportedValue(column: string): string {
  const isOfOrder = column === "app_id" || column === "biz_no";
  return isOfOrder ? `coalesce(excluded.${column}, held.${column})` : `excluded.${column}`;
}

/** Creates the statements of the exception store over `tables`. */
export function billExceptionStatements({
  bill_exceptions: exceptions,
  bill_days: days,
}: Tables): BillExceptionStatements {
  const found = FOUND_COLUMNS.join(", ");
  const insert = (state: string) =>
    `insert into ${exceptions} as held (${found}, state)
     select ${found}, '${state}' from json_to_recordset($1::text::json) as found (${FOUND_TYPES}) order by id
     on conflict (id) do update`;
  // `FIXED` lists the columns that never change, and `opened_ms`, which the statement sets itself.
  const changing = FOUND_COLUMNS.filter((column) => !FIXED.has(column));
  const sameAmounts = `(held.amount_there_cents, held.amount_here_cents)
    is not distinct from (excluded.amount_there_cents, excluded.amount_here_cents)`;
  const staysClosed = `(held.state = 'LISTED' or held.state = 'RESOLVED' and ${sameAmounts})`;
  const shape: ListShape = {
    table: exceptions,
    isDistributed: true,
    columns: EXCEPTION_COLUMNS.map((column) => `r.${column}`).join(", "),
    position: new Map([
      ["created_ms", "0"],
      ["id", "''"],
    ]),
    filter: (first) =>
      `($${first}::text[] is null or r.app_id = any ($${first}::text[]))
       and ($${first + 1}::text is null or r.pay_channel = $${first + 1})
       and ($${first + 2}::text is null or r.kind = $${first + 2})
       and ($${first + 3}::text is null or r.account_id = $${first + 3})
       and ($${first + 4}::text is null or r.day = $${first + 4})
       and ($${first + 5}::text is null or r.out_trade_no = $${first + 5})`,
  };
  return {
    report: statement(
      "bill_exception_report",
      `${insert("OPEN")} set ${changing.map((column) => `${column} = ${reportedValue(column)}`).join(", ")},
         state = case when ${staysClosed} then held.state else 'OPEN' end,
         opened_ms = case when held.state = 'OPEN' or ${staysClosed} then held.opened_ms else excluded.opened_ms end
       where excluded.as_of_ms >= held.as_of_ms`,
    ),
    find: statement("bill_exception_find", `select ${COLUMNS} from ${exceptions} where id in ${IDS}`),
    markListed: statement(
      "bill_exception_mark_listed",
      `${insert("LISTED")} set day = excluded.day, state = 'LISTED', modified_ms = excluded.modified_ms
       where held.state in ('OPEN', 'GONE')`,
    ),
    markHealed: statement(
      "bill_exception_mark_healed",
      `update ${exceptions} held set state = 'HEALED', modified_ms = $2 from ${IDS} asked
       where held.id = asked.id and held.state = 'OPEN' returning 1 as healed`,
    ),
    unseen: statement(
      "bill_exception_unseen",
      `select id from ${exceptions}
       where pay_channel = $1 and app_env = $2 and account_id = $3 and day = $4 and state = 'OPEN' and as_of_ms < $5
         and kind in (select looked.kind from json_array_elements_text($7::text::json) as looked (kind))
       order by as_of_ms, id limit $6`,
    ),
    // The statement repeats the condition, because the row may change before it is locked.
    closeUnseen: statement(
      "bill_exception_close_unseen",
      `update ${exceptions} held set state = 'GONE', as_of_ms = $2, modified_ms = $3 from ${IDS} asked
       where held.id = asked.id and held.state = 'OPEN' and held.as_of_ms < $2 returning 1 as gone`,
    ),
    resolve: statement(
      "bill_exception_resolve",
      `update ${exceptions} set state = 'RESOLVED', operator = $2, note = $3, modified_ms = $4, remedy = $5,
         app_id = coalesce($6, app_id), biz_no = coalesce($7, biz_no)
       where id = $1 and state = 'OPEN' returning ${COLUMNS}`,
    ),
    shape,
    inState: boundedList(shape, "bill_exception_list", equalTo("r.state"), true),
    ofDay: boundedList(
      shape,
      "bill_exception_list_of_day",
      { sql: (first) => `r.day = $${first} and r.state = $${first + 1}`, values: 2 },
      true,
    ),
    ofOrder: boundedList(
      shape,
      "bill_exception_list_of_order",
      { sql: (first) => `r.out_trade_no = $${first} and r.state = $${first + 1}`, values: 2 },
      true,
    ),
    ofOrderKey: boundedList(shape, "bill_exception_list_of_order_key", {
      sql: (first) => `r.biz_no = $${first} and r.app_id = $${first + 1} and r.state = $${first + 2}`,
      values: 3,
    }),
    noted: statement(
      "bill_exception_noted",
      `select id from ${exceptions} where out_trade_no = $1 and note <> ''
       union
       select id from ${exceptions} where biz_no = $2 and app_id = $3 and note <> ''`,
    ),
    eraseNotes: statement(
      "bill_exception_erase_notes",
      `update ${exceptions} held set note = '' from ${IDS} asked
       where held.id = asked.id and held.note <> '' returning 1 as erased`,
    ),
    openByKind: statement(
      "bill_exception_open_by_kind",
      `select kind as name, count(*) as count, min(created_ms) as oldest_ms from (
         select kind, created_ms from ${exceptions} where state = 'OPEN' order by created_ms, id limit $1
       ) open group by kind`,
    ),
    recordCompared: statement(
      "bill_day_record",
      `insert into ${days} as held (${BILL}, matched, fees_cents, as_of_ms) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (${BILL}) do update
         set matched = excluded.matched, fees_cents = excluded.fees_cents, as_of_ms = excluded.as_of_ms
         where excluded.as_of_ms >= held.as_of_ms`,
    ),
    listCompared: statement(
      "bill_day_list",
      `select ${BILL}, matched, fees_cents, as_of_ms from ${days} where day between $1 and $2 order by ${BILL}`,
    ),
    countByBill: statement(
      "bill_exception_count_by_bill",
      `select ${BILL}, count(*) filter (where state = 'OPEN') as open, count(*) filter (where state = 'RESOLVED') as resolved
       from ${exceptions} where day between $1 and $2 and state in ('OPEN', 'RESOLVED')
       group by ${BILL} order by ${BILL}`,
    ),
  };
}

const FIXED: ReadonlySet<string> = new Set([
  "id",
  "pay_channel",
  "app_env",
  "account_id",
  "kind",
  "out_trade_no",
  "refund_no",
  "created_ms",
  "opened_ms",
]);
