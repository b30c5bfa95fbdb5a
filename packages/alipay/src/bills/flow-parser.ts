import type { FlowLine } from "@tillkit/core/ports";
import {
  BEIJING_TIME,
  billRowReader,
  type BillRowReader,
  columnNames,
  columns,
  type Fields,
  instantOfBeijingTime,
  type ParsedLine,
  type ParseState,
} from "@tillkit/wallet-kit";
import { err, ok, type Result } from "neverthrow";
import { signedCents } from "./bill-accumulator.js";
import { AMOUNT, NUMBER, NUMBER_OR_NONE, ORDER_NUMBER, validNumbers, rowOf } from "./bill-fields.js";
import { type BillSubject, fileParser } from "./bill-head.js";
import { type FlowAccumulator, emptyFlowSums, type DirectionSums } from "./flow-accumulator.js";

const COLUMNS = {
  merchantNo: "商户订单号",
  at: "发生时间",
  income: "收入金额（+元）",
  expense: "支出金额（-元）",
  balance: "账户余额（元）",
  type: "业务类型",
} as const;
type Column = keyof typeof COLUMNS;

/** Free text of merchants and customers, which may contain commas. */
const FREE = ["商品名称", "对方账号", "备注"];
const PATTERNS = {
  账务流水号: NUMBER,
  业务流水号: NUMBER_OR_NONE,
  商户订单号: ORDER_NUMBER,
  发生时间: BEIJING_TIME,
  "收入金额（+元）": AMOUNT,
  "支出金额（-元）": AMOUNT,
  "账户余额（元）": AMOUNT,
  业务类型: /^[^\d,]{1,32}$/,
} as const;
const END = /^#-+账务明细列表结束-+,*$/;

/** The kind of a movement by its type. Alipay may add types: an unknown type is `other`. */
const KINDS: Readonly<Record<string, FlowLine["kind"]>> = {
  在线支付: "payment",
  交易付款: "payment",
  交易: "payment",
  交易退款: "refund",
  退款: "refund",
  收费: "fee",
  退费: "fee",
  服务费: "fee",
};

/** Reads one file of a fund-flow bill, details or summary, into the running totals. */
export function flowParser(of: BillSubject, accumulator: FlowAccumulator): ParseState<FlowLine> {
  return fileParser(
    of,
    new Map([
      ["#支付宝账务明细查询", movementTable(accumulator)],
      ["#支付宝账务汇总查询", sumTable(accumulator)],
    ]),
  );
}

function movementTable(accumulator: FlowAccumulator): ParseState<FlowLine> {
  return (text) =>
    billRowReader(columnNames(text), { names: COLUMNS, free: FREE, patterns: PATTERNS }).map((read) => {
      accumulator.details += 1;
      return { next: body({ read, accumulator, sums: emptyFlowSums(), unreadable: 0 }) };
    });
}

interface Table {
  readonly read: BillRowReader<Column>;
  /** Totals of this file, which its last lines must confirm. */
  readonly sums: DirectionSums;
  /** Number of unreadable lines of this file. */
  unreadable: number;
  readonly accumulator: FlowAccumulator;
}

function body(table: Table): ParseState<FlowLine> {
  const readRow: ParseState<FlowLine> = (text): Result<ParsedLine<FlowLine>, string> => {
    if (text.startsWith("#"))
      return END.test(text.trim())
        ? ok({ next: closing(table, new Map()) })
        : err("the line that ends the table is missing");
    const row = table.read(rowOf(text));
    const line = row.mapErr(({ problem }) => problem).andThen(lineOf);
    if (line.isOk()) {
      const { amount } = line.value;
      for (const { [amount > 0 ? "income" : "expense"]: sums } of [table.sums, table.accumulator.sums]) {
        sums.count += 1;
        sums.amount += Math.abs(amount);
      }
      return ok({ lines: [line.value], next: readRow });
    }
    table.unreadable += 1;
    const known = row.isOk() ? row.value : row.error.known;
    const numbers = validNumbers((column) => (column === "outTradeNo" ? known("merchantNo") : undefined));
    return ok({ unreadable: { problem: line.error, numbers }, next: readRow });
  };
  return readRow;
}

function lineOf(fields: Fields<Column>): Result<FlowLine, string> {
  const at = BEIJING_TIME.test(fields("at")) ? instantOfBeijingTime(fields("at")) : undefined;
  if (at === undefined) return err("its fields do not match the columns");
  const [income, expense] = [centsOf(fields("income")), centsOf(fields("expense"))];
  const balance = signedCents(fields("balance"));
  if (income === undefined || expense === undefined) return err("it has an invalid amount");
  if (balance === undefined && fields("balance") !== "") return err("it has an invalid amount");
  // An expense is negative in some bills and positive in others.
  const amount = income - Math.abs(expense);
  if ((income === 0) === (expense === 0)) return err("it is neither income nor expense");
  const merchantNo = fields("merchantNo");
  const kind = merchantNo === "" ? "other" : (KINDS[fields("type")] ?? "other");
  return ok({
    kind,
    amount,
    at,
    ...(balance === undefined ? {} : { balance }),
    ...(kind === "other" ? {} : { settlementNo: merchantNo, merchantNo }),
  });
}

/** Converts an amount to cents. The column is empty if the movement is in the other direction. */
function centsOf(text: string): number | undefined {
  return text === "" ? 0 : signedCents(text.replace(/^\+/, ""));
}

/** Reads the lines after the table, with the count and the sum of each direction. */
function closing(table: Table, missing: ReadonlyMap<"income" | "expense", number>): ParseState<FlowLine> {
  return (text): Result<ParsedLine<FlowLine>, string> => {
    if (!text.startsWith("#")) return err("it follows the end of the table");
    const [, name, count, stated] = /^#+(收入|支出)合计：(\d+)笔，共([+-]?[\d.]+)元/.exec(text) ?? [];
    if (name === undefined || count === undefined || stated === undefined)
      return ok({ next: closing(table, missing), last: missing.size === 2 });
    const way = name === "收入" ? "income" : "expense";
    const more = Number(count) - table.sums[way].count;
    const amountLeft = Math.abs(centsOf(stated) ?? NaN) - table.sums[way].amount;
    if (more < 0 || (more === 0 ? amountLeft !== 0 : !(amountLeft >= 0)))
      return err("the movements do not add up to this total");
    const left = table.accumulator.left[way];
    left.count += more;
    left.amount += amountLeft;
    const both = new Map([...missing, [way, more] as const]);
    if ([...both.values()].reduce((sum, one) => sum + one, 0) > table.unreadable)
      return err("the table has fewer movements than it states");
    return ok({ next: closing(table, both), last: both.size === 2 });
  };
}

const SUMS = {
  type: "类型",
  incomes: "收入笔数",
  income: "收入金额（+元）",
  expenses: "支出笔数",
  expense: "支出金额（-元）",
} as const;
const TOTAL = "合计";
const SUMS_END = /^#-+账务汇总列表结束-+,*$/;

/** Reads the summary file. Uses only its total over all types. */
function sumTable(accumulator: FlowAccumulator): ParseState<FlowLine> {
  return (header) =>
    columns(columnNames(header), SUMS).map((fieldsOf) => {
      const readRow: ParseState<FlowLine> = (text) => {
        if (text.startsWith("#"))
          return SUMS_END.test(text.trim())
            ? ok({ next: remarks, last: true })
            : err("the line that ends the totals is missing");
        const fields = fieldsOf(rowOf(text));
        if (fields("type") !== TOTAL) return ok({ next: readRow });
        const [income, expense] = [centsOf(fields("income")), centsOf(fields("expense"))];
        if (income === undefined || expense === undefined) return err("it has an invalid amount");
        if (accumulator.summary !== undefined) return err("the bill has totals twice");
        accumulator.summary = {
          income: { count: Number(fields("incomes")), amount: Math.abs(income) },
          expense: { count: Number(fields("expenses")), amount: Math.abs(expense) },
        };
        return ok({ next: readRow });
      };
      return { next: readRow };
    });
}

const remarks: ParseState<FlowLine> = (text) =>
  text.startsWith("#") ? ok({ next: remarks, last: true }) : err("it follows the end of the totals");
