import type { StatedLine } from "@tillkit/core/ports";
import {
  BEIJING_TIME,
  billRowReader,
  type BillRowReader,
  columnNames,
  type Fields,
  type ParsedLine,
  type ParseState,
} from "@tillkit/wallet-kit";
import { err, ok, type Result } from "neverthrow";
import {
  type BillAccumulator,
  type BothKinds,
  type KindSums,
  emptySums,
  signedCents,
} from "./bill-accumulator.js";
import { AMOUNT, NUMBER, ORDER_NUMBER, validNumbers, rowOf } from "./bill-fields.js";

const COLUMNS = {
  walletTradeNo: "支付宝交易号",
  outTradeNo: "商户订单号",
  kind: "业务类型",
  createdAt: "创建时间",
  amount: "订单金额（元）",
  received: "商家实收（元）",
  refundNo: "退款批次号/请求号",
  fee: "服务费（元）",
} as const;
type Column = keyof typeof COLUMNS;

/** Free text of merchants and customers, which may contain commas. */
const FREE = ["商品名称", "门店名称", "操作员", "终端号", "对方账户", "券名称", "备注"];
const KINDS = /^(交易|退款)$/;
const LINE_KINDS: ReadonlyMap<string, StatedLine["kind"]> = new Map([
  ["交易", "payment"],
  ["退款", "refund"],
]);
const END = /^#-+业务明细列表结束-+$/;

interface Table {
  readonly read: BillRowReader<Column>;
  /** Totals of this file, which its last lines must confirm. */
  readonly sums: BothKinds;
  /** Number of unreadable lines of this file. */
  unreadable: number;
  readonly accumulator: BillAccumulator;
}

/** Reads the lines of a bill, and the counts and sums after them. */
export function detailTable(accumulator: BillAccumulator): ParseState<StatedLine> {
  return (text) => {
    const header = columnNames(text);
    const patterns: Record<string, RegExp> = {
      支付宝交易号: NUMBER,
      商户订单号: ORDER_NUMBER,
      业务类型: KINDS,
      创建时间: BEIJING_TIME,
      完成时间: BEIJING_TIME,
      // Other systems of the merchant number their stores and refunds with any text.
      门店编号: ORDER_NUMBER,
      "退款批次号/请求号": ORDER_NUMBER,
    };
    for (const name of header) if (name.endsWith("（元）")) patterns[name] = AMOUNT;
    return billRowReader(header, { names: COLUMNS, free: FREE, patterns }).map((read) => {
      accumulator.details += 1;
      const sums = { payments: emptySums(), refunds: emptySums() };
      return { next: body({ read, accumulator, sums, unreadable: 0 }) };
    });
  };
}

function body(table: Table): ParseState<StatedLine> {
  const readRow: ParseState<StatedLine> = (text): Result<ParsedLine<StatedLine>, string> => {
    if (text.startsWith("#"))
      return END.test(text.trim())
        ? ok({ next: closing(table, new Map()) })
        : err("the line that ends the table is missing");
    const row = table.read(rowOf(text));
    const line = row.mapErr(({ problem }) => problem).andThen((fields) => lineOf(table, fields));
    if (line.isOk()) return ok({ lines: [line.value], next: readRow });
    table.unreadable += 1;
    table.accumulator.unreadable += 1;
    const known = row.isOk() ? row.value : row.error.known;
    const lineKind = LINE_KINDS.get(known("kind") ?? "");
    const unreadable = { problem: line.error, lineKind, numbers: validNumbers(known) };
    return ok({ unreadable, next: readRow });
  };
  return readRow;
}

function lineOf({ sums, accumulator }: Table, fields: Fields<Column>): Result<StatedLine, string> {
  if (!BEIJING_TIME.test(fields("createdAt"))) return err("its fields do not match the columns");
  const [outTradeNo, walletTradeNo] = [fields("outTradeNo"), fields("walletTradeNo")];
  // Other systems of the merchant may leave out the order number, or use any text.
  if (!ORDER_NUMBER.test(outTradeNo)) return err("it has no valid order number");
  if (!NUMBER.test(walletTradeNo)) return err("it has no wallet number");
  const [amount, received, charged] = (["amount", "received", "fee"] as const).map((column) =>
    signedCents(fields(column)),
  );
  if (amount === undefined || received === undefined || charged === undefined)
    return err("it has an invalid amount");
  // The fee in the bill is negative if the seller pays it.
  // `no` is the order number, by which the fund-flow bill names both payments and refunds.
  const settlement = { no: outTradeNo, received, fee: charged === 0 ? 0 : -charged };
  const trade = {
    outTradeNo,
    walletTradeNo,
    amount: Math.abs(amount),
    state: "DONE",
    settlement,
  } as const;
  switch (fields("kind")) {
    case "交易":
      if (amount <= 0) return err("it is a payment without a positive amount");
      for (const each of [sums, accumulator]) count(each.payments, amount, received);
      return ok({ ...trade, kind: "payment" });
    case "退款": {
      if (amount >= 0) return err("it is a refund without a negative amount");
      for (const each of [sums, accumulator]) count(each.refunds, amount, received);
      // A full refund may have no number of its own. Alipay then uses the order's number.
      const refundNo = fields("refundNo") || outTradeNo;
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
 * Reads the lines after the table.
 *
 * They contain the number of payments and refunds, the received amounts, and the creation time.
 */
function closing(table: Table, stated: ReadonlyMap<"交易" | "退款", number>): ParseState<StatedLine> {
  return (text): Result<ParsedLine<StatedLine>, string> => {
    if (!text.startsWith("#")) return err("it follows the end of the table");
    const [, kind, count, received] =
      /^#+(交易|退款)合计：(\d+)笔，商家实收(?:退款)?共(-?[\d.]+)元/.exec(text) ?? [];
    if (kind === undefined || count === undefined || received === undefined)
      return ok({ next: closing(table, stated), last: stated.size === 2 });
    const name = kind === "交易" ? "payments" : "refunds";
    const [sums, left] = [table.sums[name], table.accumulator.left[name]];
    const more = Number(count) - sums.count;
    if (more < 0 || more > table.unreadable) return err(`the table has ${sums.count} of them`);
    const amountLeft = (signedCents(received) ?? NaN) - sums.received;
    // Unreadable lines can only increase the absolute value of a sum.
    const agrees = more === 0 ? amountLeft === 0 : name === "payments" ? amountLeft >= 0 : amountLeft <= 0;
    if (!agrees) return err("the amounts do not add up to this total");
    left.count += more;
    left.received += amountLeft;
    const both = new Map([...stated, [kind === "交易" ? kind : "退款", more] as const]);
    const missing = [...both.values()].reduce((sum, one) => sum + one, 0);
    if (missing > table.unreadable) return err(`the table has fewer lines than it states`);
    return ok({ next: closing(table, both), last: both.size === 2 });
  };
}
