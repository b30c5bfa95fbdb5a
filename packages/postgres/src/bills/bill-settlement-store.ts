import type { BillSettlementStore, Settlement, SettlementEntry } from "@tillkit/core/ports";
import { arrayLiteral } from "../sql/array-literal.js";
import { toStorageResult } from "../client/to-storage-result.js";
import { integer, optionalMember, optionalText, text } from "../sql/row.js";
import { removalStatements, removeRows } from "../sql/remove-expired.js";
import type { SqlClient, SqlRow } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";

const KEY = ["run_id", "settlement_no"];
/** Columns that are summed. */
const SUMS = [
  "stated_lines",
  "open_lines",
  "stated_received_cents",
  "stated_fee_cents",
  "moved_lines",
  "moved_received_cents",
  "moved_fee_cents",
];
/** Columns that keep the smallest text. */
const NUMBERS = ["out_trade_no", "refund_no"];

/** Creates a `BillSettlementStore` on PostgreSQL, over the tables of `schema`. */
export function postgresBillSettlementStore(sql: SqlClient, schema: string): BillSettlementStore {
  const { bill_settlements: settlements } = tablesOf(schema);
  const columns = ["settlement_no", ...SUMS, ...NUMBERS].join(", ");
  const types = [
    "settlement_no text",
    ...SUMS.map((column) => `${column} bigint`),
    ...NUMBERS.map((column) => `${column} text`),
  ];
  // A statement cannot update a row twice, so it sums the entries of a settlement first. It locks
  // the rows in the order of their keys.
  const stage = statement(
    "bill_settlement_stage",
    `insert into ${settlements} as held (run_id, ${columns}, staged_ms)
     select $1::text, settlement_no, ${SUMS.map((column) => `sum(${column})::bigint`).join(", ")},
       ${NUMBERS.map((column) => `min(${column} collate "C")`).join(", ")}, $3::bigint
     from json_to_recordset($2::text::json) as entry (${types.join(", ")})
     group by settlement_no order by settlement_no collate "C"
     on conflict (run_id, settlement_no) do update set
       ${[
         ...SUMS.map((column) => `${column} = held.${column} + excluded.${column}`),
         ...NUMBERS.map((column) => `${column} = least(held.${column}, excluded.${column})`),
       ].join(", ")}`,
  );
  const page = statement(
    "bill_settlement_page",
    `select ${columns} from ${settlements} where run_id = $1 and settlement_no > $2 order by settlement_no limit $3`,
  );
  const find = statement(
    "bill_settlement_find",
    `select ${columns} from ${settlements} where run_id = $1 and settlement_no = any($2::text[])`,
  );
  const discard = statement(
    "bill_settlement_discard",
    `with gone as (
       select run_id, settlement_no from ${settlements} where run_id = $1 order by settlement_no limit $2
     )
     delete from ${settlements} settlement using gone
     where settlement.run_id = $1 and settlement.run_id = gone.run_id and settlement.settlement_no = gone.settlement_no
     returning 1 as removed`,
  );
  const removeBefore = removalStatements({
    method: "bill_settlement_remove_before",
    table: settlements,
    key: KEY,
    column: "staged_ms",
  });
  return {
    stage: (runId, entries, at) =>
      toStorageResult(async () => {
        if (entries.length > 0) await sql.query(stage, [runId, JSON.stringify(entries.map(toRecord)), at]);
      }),
    page: (runId, after, limit) =>
      // No settlement number is empty, so every settlement sorts after the empty text.
      toStorageResult(async () => (await sql.query(page, [runId, after ?? "", limit])).map(toSettlement)),
    find: (runId, settlementNos) =>
      toStorageResult(async () =>
        (await sql.query(find, [runId, arrayLiteral(settlementNos)])).map(toSettlement),
      ),
    discard: (runId, limit) => toStorageResult(async () => (await sql.query(discard, [runId, limit])).length),
    removeBefore: (before, limit) => toStorageResult(() => removeRows(sql, removeBefore, before, limit)),
  };
}

function toRecord({ settlementNo, side, received, fee, open, outTradeNo, refundNo }: SettlementEntry) {
  const isStated = side === "STATED";
  return {
    settlement_no: settlementNo,
    stated_lines: isStated ? 1 : 0,
    open_lines: open ? 1 : 0,
    stated_received_cents: isStated ? received : 0,
    stated_fee_cents: isStated ? fee : 0,
    moved_lines: isStated ? 0 : 1,
    moved_received_cents: isStated ? 0 : received,
    moved_fee_cents: isStated ? 0 : fee,
    out_trade_no: outTradeNo,
    refund_no: refundNo,
  };
}

function toSettlement(row: SqlRow): Settlement {
  return {
    settlementNo: text(row, "settlement_no"),
    stated: {
      lines: integer(row, "stated_lines"),
      received: integer(row, "stated_received_cents"),
      fee: integer(row, "stated_fee_cents"),
    },
    moved: {
      lines: integer(row, "moved_lines"),
      received: integer(row, "moved_received_cents"),
      fee: integer(row, "moved_fee_cents"),
    },
    open: integer(row, "open_lines"),
    ...optionalMember("outTradeNo", optionalText(row, "out_trade_no")),
    ...optionalMember("refundNo", optionalText(row, "refund_no")),
  };
}
