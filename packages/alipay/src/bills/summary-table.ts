import type { StatedLine } from "@tillkit/core/ports";
import { columnNames, columns, type Fields, type ParseState } from "@tillkit/wallet-kit";
import { err, ok } from "neverthrow";
import { type BillAccumulator, signedCents } from "./bill-accumulator.js";

const COLUMNS = {
  store: "门店编号",
  payments: "交易订单总笔数",
  refunds: "退款订单总笔数",
  amount: "订单金额（元）",
  received: "商家实收（元）",
  fees: "服务费（元）",
} as const;
type Columns = (row: readonly string[]) => Fields<keyof typeof COLUMNS>;

const TOTAL = "合计";
const END = /^#-+业务汇总列表结束-+$/;

/** Reads the summary file. Uses only its total over all shops. */
export function summaryTable(accumulator: BillAccumulator): ParseState<StatedLine> {
  return (text) =>
    columns(columnNames(text), COLUMNS).map((fieldsOf) => ({ next: body(fieldsOf, accumulator) }));
}

function body(fieldsOf: Columns, accumulator: BillAccumulator): ParseState<StatedLine> {
  const readRow: ParseState<StatedLine> = (text) => {
    if (text.startsWith("#"))
      return END.test(text.trim())
        ? ok({ next: remarks, last: true })
        : err("the line that ends the totals is missing");
    const fields = fieldsOf(text.split(",").map((field) => field.trim()));
    if (fields("store") !== TOTAL) return ok({ next: readRow });
    const [amount, received, charged] = (["amount", "received", "fees"] as const).map((column) =>
      signedCents(fields(column)),
    );
    if (amount === undefined || received === undefined || charged === undefined)
      return err("it has an invalid amount");
    if (accumulator.summary !== undefined) return err("the bill has totals twice");
    // The fees in the bill are negative if the seller pays them.
    const fees = charged === 0 ? 0 : -charged;
    accumulator.summary = {
      payments: fields("payments"),
      refunds: fields("refunds"),
      amount,
      received,
      fees,
    };
    return ok({ next: readRow });
  };
  return readRow;
}

const remarks: ParseState<StatedLine> = (text) =>
  text.startsWith("#") ? ok({ next: remarks, last: true }) : err("it follows the end of the totals");
