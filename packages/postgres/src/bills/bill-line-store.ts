import type { BillLine, BillLineKey, BillLineStore } from "@tillkit/core/ports";
import { toStorageResult } from "../client/to-storage-result.js";
import { removalStatements, removeRows } from "../sql/remove-expired.js";
import { integer, enumValue, text } from "../sql/row.js";
import type { SqlClient, SqlRow } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";

const KEY = ["run_id", "kind", "out_trade_no", "refund_no"];

/** Creates a `BillLineStore` on PostgreSQL, over the tables of `schema`. */
export function postgresBillLineStore(sql: SqlClient, schema: string): BillLineStore {
  const { bill_lines: lines } = tablesOf(schema);
  const key = KEY.join(", ");
  const columns = "kind, out_trade_no, refund_no, amount_cents, state, wallet_trade_no";
  // A statement cannot update a row twice, so it sums the lines of a key first. It locks the rows
  // in the order of their keys.
  const stage = statement(
    "bill_line_stage",
    `insert into ${lines} as held (run_id, ${columns}, staged_ms)
     select $1::text, kind, out_trade_no, refund_no, sum(amount_cents)::bigint, max(state), min(wallet_trade_no), $3::bigint
     from json_to_recordset($2::text::json) as line (kind text, out_trade_no text, refund_no text, amount_cents bigint,
       state text, wallet_trade_no text)
     group by kind, out_trade_no, refund_no order by kind, out_trade_no, refund_no
     on conflict (${key}) do update
       set amount_cents = held.amount_cents + excluded.amount_cents, state = greatest(held.state, excluded.state)`,
  );
  const page = statement(
    "bill_line_page",
    `select ${columns} from ${lines} where run_id = $1 and (kind, out_trade_no, refund_no) > ($2, $3, $4)
     order by kind, out_trade_no, refund_no limit $5`,
  );
  // PostgreSQL has no statistics of the lines of a run that has just begun. With `lateral`, it
  // looks up each key instead of reading every line of the run.
  const find = statement(
    "bill_line_find",
    `select found.* from (
       select distinct kind, out_trade_no, refund_no
       from json_to_recordset($2::text::json) as given (kind text, out_trade_no text, refund_no text)
     ) asked
     cross join lateral (
       select ${columns} from ${lines} line where line.run_id = $1 and line.kind = asked.kind
         and line.out_trade_no = asked.out_trade_no and line.refund_no = asked.refund_no limit 1
     ) found`,
  );
  const discard = statement(
    "bill_line_discard",
    `with gone as (
       select ${key} from ${lines} where run_id = $1 order by kind, out_trade_no, refund_no limit $2
     )
     delete from ${lines} line using gone
     where line.run_id = $1 and ${KEY.map((column) => `line.${column} = gone.${column}`).join(" and ")}
     returning 1 as removed`,
  );
  const removeBefore = removalStatements({
    method: "bill_line_remove_before",
    table: lines,
    key: KEY,
    column: "staged_ms",
  });
  return {
    stage: (runId, staged, at) =>
      toStorageResult(async () => {
        if (staged.length > 0) await sql.query(stage, [runId, JSON.stringify(staged.map(toRecord)), at]);
      }),
    page: (runId, after, limit) =>
      toStorageResult(async () => {
        // No kind is empty, so every line sorts after the empty key.
        const { kind, out_trade_no: number, refund_no: refund } = after === undefined ? FIRST : toKey(after);
        return (await sql.query(page, [runId, kind, number, refund, limit])).map(toLine);
      }),
    find: (runId, keys) =>
      toStorageResult(async () =>
        (await sql.query(find, [runId, JSON.stringify(keys.map(toKey))])).map(toLine),
      ),
    discard: (runId, limit) => toStorageResult(async () => (await sql.query(discard, [runId, limit])).length),
    removeBefore: (before, limit) => toStorageResult(() => removeRows(sql, removeBefore, before, limit)),
  };
}

const FIRST = { kind: "", out_trade_no: "", refund_no: "" };

function toKey({ kind, outTradeNo, refundNo = "" }: BillLineKey) {
  return { kind, out_trade_no: outTradeNo, refund_no: refundNo };
}

function toRecord(line: BillLine) {
  const { amount, state, walletTradeNo } = line;
  return { ...toKey(line), amount_cents: amount, state, wallet_trade_no: walletTradeNo };
}

function toLine(row: SqlRow): BillLine {
  const refundNo = text(row, "refund_no");
  return {
    kind: enumValue(row, "kind", ["payment", "refund"] as const),
    outTradeNo: text(row, "out_trade_no"),
    ...(refundNo === "" ? {} : { refundNo }),
    amount: integer(row, "amount_cents"),
    state: enumValue(row, "state", ["DONE", "OPEN"] as const),
    walletTradeNo: text(row, "wallet_trade_no"),
  };
}
