import type { StatedLine } from "@tillkit/core";
import { columns, type Fields, type Stage } from "@tillkit/wallet-kit";
import { err, ok } from "neverthrow";
import { type BillBook, signedCents } from "./bill-book.js";
import { columnNames } from "./column-names.js";

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
export function summaryTable(book: BillBook): Stage<StatedLine> {
  return (text) => columns(columnNames(text), COLUMNS).map((fieldsOf) => ({ next: body(fieldsOf, book) }));
}

function body(fieldsOf: Columns, book: BillBook): Stage<StatedLine> {
  const stage: Stage<StatedLine> = (text) => {
    if (text.startsWith("#"))
      return END.test(text.trim())
        ? ok({ next: remarks, last: true })
        : err("the sums end without their mark");
    const fields = fieldsOf(text.split(",").map((field) => field.trim()));
    if (fields("store") !== TOTAL) return ok({ next: stage });
    const [amount, received, charged] = (["amount", "received", "fees"] as const).map((column) =>
      signedCents(fields(column)),
    );
    if (amount === undefined || received === undefined || charged === undefined)
      return err("it has an amount that is none");
    if (book.summary !== undefined) return err("the bill has two sums");
    // The fees in the bill are negative if the seller pays them.
    const fees = charged === 0 ? 0 : -charged;
    book.summary = { payments: fields("payments"), refunds: fields("refunds"), amount, received, fees };
    return ok({ next: stage });
  };
  return stage;
}

const remarks: Stage<StatedLine> = (text) =>
  text.startsWith("#") ? ok({ next: remarks, last: true }) : err("it stands after the end of the sums");
