import type { BillLine } from "@tillkit/core";
import { columns, type Fields, type Stage, type Step } from "@tillkit/runtime";
import { err, ok, type Result } from "neverthrow";
import { type BillBook, type KindSums, noSums, signedCents } from "./bill-book.js";
import { columnNames } from "./column-names.js";

const COLUMNS = {
  walletTradeNo: "支付宝交易号",
  outTradeNo: "商户订单号",
  kind: "业务类型",
  goods: "商品名称",
  createdAt: "创建时间",
  amount: "订单金额（元）",
  received: "商家实收（元）",
  refundNo: "退款批次号/请求号",
} as const;

const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const NUMBER = /^[\x21-\x7e]{1,64}$/;
const AMOUNT = /^(-?\d{1,13}(\.\d{1,2})?)?$/;
const REMARKS = "备注";
const END = /^#-+业务明细列表结束-+$/;

interface Table {
  readonly names: readonly string[];
  readonly fieldsOf: (row: readonly string[]) => Fields<keyof typeof COLUMNS>;
  /** Sums of this file, which its own last lines state. */
  readonly sums: Pick<BillBook, "payments" | "refunds">;
  readonly book: BillBook;
}

/** Reads the lines of a bill, and the counts and sums that close them. */
export function detailTable(book: BillBook): Stage {
  return (text) => {
    const names = columnNames(text);
    return columns(names, COLUMNS).map((fieldsOf) => {
      book.details += 1;
      return { next: body({ names, fieldsOf, book, sums: { payments: noSums(), refunds: noSums() } }) };
    });
  };
}

function body(table: Table): Stage {
  const stage: Stage = (text) => {
    if (text.startsWith("#"))
      return END.test(text.trim())
        ? ok({ next: closing(table, new Set()) })
        : err("the table ends without its mark");
    return lineOf(table, text).map((line) => ({ line, next: stage }));
  };
  return stage;
}

function lineOf({ names, fieldsOf, sums, book }: Table, text: string): Result<BillLine, string> {
  const row = alignedRow(names, text);
  if (row === undefined) return err("its fields do not fit the columns");
  const fields = fieldsOf(row);
  const [outTradeNo, walletTradeNo] = [fields("outTradeNo"), fields("walletTradeNo")];
  if (!NUMBER.test(outTradeNo) || !NUMBER.test(walletTradeNo)) return err("it lacks a number");
  const [amount, received] = [signedCents(fields("amount")), signedCents(fields("received"))];
  if (amount === undefined || received === undefined) return err("it has an amount that is none");
  const trade = { outTradeNo, walletTradeNo, amount: Math.abs(amount), state: "DONE" } as const;
  switch (fields("kind")) {
    case "交易":
      if (amount <= 0) return err("it is a payment that pays nothing");
      for (const each of [sums, book]) count(each.payments, amount, received);
      return ok({ ...trade, kind: "payment" });
    case "退款": {
      if (amount >= 0) return err("it is a refund that sends nothing back");
      for (const each of [sums, book]) count(each.refunds, amount, received);
      const refundNo = fields("refundNo");
      return ok({ ...trade, kind: "refund", ...(refundNo === "" ? {} : { refundNo }) });
    }
    default:
      return err("it is neither a payment nor a refund");
  }
}

function count(sums: KindSums, amount: number, received: number): void {
  sums.count += 1;
  sums.amount += amount;
  sums.received += received;
}

/**
 * The fields of a line, one a column. Nothing is quoted, and the names of goods may have commas in them: such a name goes on up to the time
 * that follows it. What is too much at the end belongs to the remarks. Every column of amounts must have one or none.
 */
function alignedRow(names: readonly string[], text: string): readonly string[] | undefined {
  const fields = text.split(",").map((field) => field.trim());
  const [goods, created] = [names.indexOf(COLUMNS.goods), names.indexOf(COLUMNS.createdAt)];
  const at = fields.findIndex((field, place) => place >= created && TIME.test(field));
  if (at < 0 || goods > created) return undefined;
  const surplus = at - created;
  const row = [...fields.slice(0, goods + 1), ...fields.slice(goods + 1 + surplus)];
  if (row.length < names.length || (row.length > names.length && names.at(-1) !== REMARKS)) return undefined;
  const fits = names.every((name, place) => !name.endsWith("（元）") || AMOUNT.test(row[place] ?? ""));
  return fits ? row : undefined;
}

/** The lines after the table: how many payments and refunds it has, what the seller got of them, and when it was written. */
function closing(table: Table, stated: ReadonlySet<string>): Stage {
  return (text): Result<Step, string> => {
    if (!text.startsWith("#")) return err("it stands after the end of the table");
    const [, kind, count, received] =
      /^#+(交易|退款)合计：(\d+)笔，商家实收(?:退款)?共(-?[\d.]+)元/.exec(text) ?? [];
    if (kind === undefined || count === undefined || received === undefined)
      return ok({ next: closing(table, stated), last: stated.size === 2 });
    const sums = kind === "交易" ? table.sums.payments : table.sums.refunds;
    if (count !== String(sums.count)) return err(`the table has ${sums.count} of them`);
    if (signedCents(received) !== sums.received) return err("the amounts do not add up to it");
    const both = new Set([...stated, kind]);
    return ok({ next: closing(table, both), last: both.size === 2 });
  };
}
