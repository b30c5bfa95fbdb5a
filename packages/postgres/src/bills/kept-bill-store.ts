import type { Bill, KeptBill, KeptBillLine, KeptBillStore, KeptBillSums } from "@tillkit/core/ports";
import { arrayLiteral } from "../sql/array-literal.js";
import { toBill } from "./bill-day-row.js";
import { enumValue, integer, optionalInteger, optionalMember, optionalText, text } from "../sql/row.js";
import type { SqlClient, SqlRow } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";
import { toStorageResult } from "../client/to-storage-result.js";

const BILL = "day, pay_channel, app_env, account_id";
const FACTS = "lines, unreadable, fees_cents, opening_cents, closing_cents";
const LINE =
  "position, app_id, biz_no, kind, out_trade_no, refund_no, amount_cents, state, wallet_trade_no, settlement_no, received_cents, fee_cents";
/** The maximum number of runs whose lines one call removes. */
const RUNS = 100;

/**
 * Creates a `KeptBillStore` on PostgreSQL, over the tables of `schema`.
 *
 * A run reads the lines of one bill. The lines of one run of each bill are kept.
 */
export function postgresKeptBillStore(sql: SqlClient, schema: string): KeptBillStore {
  const { bill_runs: runs, kept_bill_lines: lines } = tablesOf(schema);
  const begin = statement(
    "kept_bill_begin",
    `insert into ${runs} (run_id, ${BILL}, as_of_ms, state, changed_ms)
     values ($1, $2, $3, $4, $5, $6, 'READING', $6) on conflict (run_id) do nothing`,
  );
  const add = statement(
    "kept_bill_add",
    `insert into ${lines} (run_id, ${LINE})
     select $1::text, ${LINE} from json_to_recordset($2::text::json) as line (position integer, app_id text,
       biz_no text, kind text, out_trade_no text, refund_no text, amount_cents bigint, state text,
       wallet_trade_no text, settlement_no text, received_cents bigint, fee_cents bigint)
     on conflict (run_id, position) do nothing`,
  );
  // Locks every run of a bill before one run keeps the bill. A run that begins later cannot have
  // kept the bill yet.
  const lock = statement(
    "kept_bill_lock",
    `select run_id, state, as_of_ms from ${runs}
     where day = $1 and pay_channel = $2 and app_env = $3 and account_id = $4 order by run_id for update`,
  );
  const replace = statement(
    "kept_bill_replace",
    `update ${runs} set state = 'REPLACED', changed_ms = $5
     where day = $1 and pay_channel = $2 and app_env = $3 and account_id = $4 and state = 'KEPT'`,
  );
  const keep = statement(
    "kept_bill_keep",
    `update ${runs} set state = 'KEPT', changed_ms = $2, lines = $3, unreadable = $4, fees_cents = $5,
       opening_cents = $6, closing_cents = $7
     where run_id = $1`,
  );
  // A cluster reads the lines of both runs from their nodes, and compares them on the coordinator.
  const missing = statement(
    "kept_bill_missing",
    `with both_runs as materialized (
       select run_id, ${LINE}, coalesce(refund_no, '') as number from ${lines} where run_id = any($1::text[])
     ), mine as (
       select kind, out_trade_no, number, count(*) as count from both_runs where run_id = $2 group by 1, 2, 3
     ), earlier as (
       select both_runs.*, row_number() over (partition by kind, out_trade_no, number order by position) as nth
       from both_runs where run_id = $3
     )
     select earlier.*
     from earlier left join mine on mine.kind = earlier.kind and mine.out_trade_no = earlier.out_trade_no
       and mine.number = earlier.number
     where earlier.nth > coalesce(mine.count, 0) order by position limit $4`,
  );
  const shared = statement(
    "kept_bill_shared",
    `with both_runs as materialized (
       select run_id, ${LINE} from ${lines}
       where run_id = any($1::text[]) and kind = 'refund' and refund_no <> ''
     )
     select other.* from both_runs other
     where other.run_id = $3 and exists (
       select 1 from both_runs mine
       where mine.run_id = $2 and mine.out_trade_no = other.out_trade_no and mine.refund_no = other.refund_no
     )
     order by position limit $4`,
  );
  const list = statement(
    "kept_bill_list",
    `select run_id, ${BILL}, as_of_ms, ${FACTS} from ${runs}
     where day between $1 and $2 and state = 'KEPT' order by ${BILL}`,
  );
  const sums = statement(
    "kept_bill_sums",
    `select run_id, app_id,
       count(*) filter (where kind = 'payment') as payments,
       coalesce(sum(amount_cents) filter (where kind = 'payment'), 0)::bigint as payment_cents,
       count(*) filter (where kind = 'refund') as refunds,
       coalesce(sum(amount_cents) filter (where kind = 'refund'), 0)::bigint as refund_cents,
       sum(coalesce(received_cents, case kind when 'payment' then amount_cents else -amount_cents end))::bigint as received_cents,
       coalesce(sum(fee_cents), 0)::bigint as fees_cents,
       count(*) filter (where fee_cents is null) as unpriced
     from ${lines} where run_id = any($1::text[]) group by run_id, app_id`,
  );
  const page = statement(
    "kept_bill_page",
    `select ${LINE} from ${lines} where run_id = $1 and position > $2 order by position limit $3`,
  );
  // A run is marked before its lines are removed, so that no listed bill lacks lines.
  const expire = statement(
    "kept_bill_expire",
    `update ${runs} set state = 'REMOVED'
     where (state in ('READING', 'REPLACED') and changed_ms < $1) or (state = 'KEPT' and day < $2)`,
  );
  const removed = statement(
    "kept_bill_removed",
    `select run_id from ${runs} where state = 'REMOVED' order by run_id limit ${RUNS}`,
  );
  const removeLines = statement(
    "kept_bill_remove_lines",
    `with gone as (select run_id, position from ${lines} where run_id = $1 order by position limit $2)
     delete from ${lines} line using gone
     where line.run_id = $1 and line.run_id = gone.run_id and line.position = gone.position
     returning 1 as removed`,
  );
  const removeRun = statement(
    "kept_bill_remove_run",
    `delete from ${runs} where run_id = $1 and state = 'REMOVED'`,
  );
  return {
    begin: (runId, bill, asOf) =>
      toStorageResult(async () => void (await sql.query(begin, [runId, ...keyOf(bill), asOf]))),
    add: (runId, added) =>
      toStorageResult(async () => {
        if (added.length > 0) await sql.query(add, [runId, JSON.stringify(added.map(toRecord))]);
      }),
    keep: (bill, instead, at) =>
      toStorageResult(() =>
        sql.transaction(async (queries) => {
          const held = (await queries.query(lock, keyOf(bill))).map(toRun);
          const mine = held.find(({ runId }) => runId === bill.runId);
          if (mine?.state === "KEPT") return true;
          const before = held.find(({ state }) => state === "KEPT");
          if (mine?.state !== "READING" || before?.runId !== instead) return false;
          if (before !== undefined && before.asOf > mine.asOf) return false;
          const { lines: count, unreadable, fees = null, opening = null, closing = null } = bill;
          await queries.query(replace, [...keyOf(bill), at]);
          await queries.query(keep, [bill.runId, at, count, unreadable, fees, opening, closing]);
          return true;
        }),
      ),
    missingLines: (runId, earlier, limit) =>
      toStorageResult(async () =>
        (await sql.query(missing, [arrayLiteral([runId, earlier]), runId, earlier, limit])).map(toLine),
      ),
    sharedRefunds: (runId, other, limit) =>
      toStorageResult(async () =>
        (await sql.query(shared, [arrayLiteral([runId, other]), runId, other, limit])).map(toLine),
      ),
    list: (from, until) =>
      toStorageResult(async () => (await sql.query(list, [from, until])).map(toKeptBill)),
    sums: (runIds) =>
      toStorageResult(async () =>
        runIds.length === 0 ? [] : (await sql.query(sums, [arrayLiteral(runIds)])).map(toSums),
      ),
    page: (runId, after, limit) =>
      toStorageResult(async () => (await sql.query(page, [runId, after, limit])).map(toLine)),
    remove: ({ before, day }, limit) =>
      toStorageResult(async () => {
        await sql.query(expire, [before, day]);
        let count = 0;
        for (const row of await sql.query(removed, [])) {
          const runId = text(row, "run_id");
          const asked = limit - count;
          const gone = (await sql.query(removeLines, [runId, asked])).length;
          count += gone;
          if (gone === asked) break;
          // A concurrent call may have removed some of the lines that this statement chose. Then
          // other lines are left.
          if ((await sql.query(page, [runId, 0, 1])).length === 0) await sql.query(removeRun, [runId]);
        }
        return count;
      }),
  };
}

function keyOf({ day, payChannel, appEnv, accountId }: Bill) {
  return [day, payChannel, appEnv, accountId] as const;
}

function toRecord(line: KeptBillLine) {
  return {
    position: line.position,
    app_id: line.appId,
    biz_no: line.bizNo,
    kind: line.kind,
    out_trade_no: line.outTradeNo,
    refund_no: line.refundNo,
    amount_cents: line.amount,
    state: line.state,
    wallet_trade_no: line.walletTradeNo,
    settlement_no: line.settlementNo,
    received_cents: line.received,
    fee_cents: line.fee,
  };
}

function toLine(row: SqlRow): KeptBillLine {
  return {
    position: integer(row, "position"),
    ...optionalMember("appId", optionalText(row, "app_id")),
    ...optionalMember("bizNo", optionalText(row, "biz_no")),
    kind: enumValue(row, "kind", ["payment", "refund"] as const),
    outTradeNo: text(row, "out_trade_no"),
    ...optionalMember("refundNo", optionalText(row, "refund_no")),
    amount: integer(row, "amount_cents"),
    state: enumValue(row, "state", ["DONE", "OPEN"] as const),
    walletTradeNo: text(row, "wallet_trade_no"),
    ...optionalMember("settlementNo", optionalText(row, "settlement_no")),
    ...optionalMember("received", optionalInteger(row, "received_cents")),
    ...optionalMember("fee", optionalInteger(row, "fee_cents")),
  };
}

function toRun(row: SqlRow) {
  return {
    runId: text(row, "run_id"),
    state: enumValue(row, "state", ["READING", "KEPT", "REPLACED", "REMOVED"] as const),
    asOf: integer(row, "as_of_ms"),
  };
}

function toKeptBill(row: SqlRow): KeptBill {
  return {
    ...toBill(row),
    runId: text(row, "run_id"),
    asOf: integer(row, "as_of_ms"),
    lines: integer(row, "lines"),
    unreadable: integer(row, "unreadable"),
    ...optionalMember("fees", optionalInteger(row, "fees_cents")),
    ...optionalMember("opening", optionalInteger(row, "opening_cents")),
    ...optionalMember("closing", optionalInteger(row, "closing_cents")),
  };
}

function toSums(row: SqlRow): KeptBillSums {
  return {
    runId: text(row, "run_id"),
    ...optionalMember("appId", optionalText(row, "app_id")),
    payments: integer(row, "payments"),
    paymentAmount: integer(row, "payment_cents"),
    refunds: integer(row, "refunds"),
    refundAmount: integer(row, "refund_cents"),
    received: integer(row, "received_cents"),
    fees: integer(row, "fees_cents"),
    unpriced: integer(row, "unpriced"),
  };
}
