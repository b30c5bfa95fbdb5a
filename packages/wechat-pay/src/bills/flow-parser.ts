import { centsOfYuan } from "@tillkit/core";
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
import { AMOUNT, NUMBER, validNumbers, roundedCents, rowOf, TICK } from "./bill-fields.js";

const COLUMNS = {
  at: "记账时间",
  settlementNo: "微信支付业务单号",
  type: "业务类型",
  way: "收支类型",
  amount: "收支金额（元）",
  balance: "账户结余（元）",
  remark: "备注",
  merchantNo: "业务凭证号",
} as const;
/** The required columns. The remark is used only if the row has as many fields as columns. */
const ANCHORED = {
  at: COLUMNS.at,
  settlementNo: COLUMNS.settlementNo,
  type: COLUMNS.type,
  way: COLUMNS.way,
  amount: COLUMNS.amount,
  balance: COLUMNS.balance,
  merchantNo: COLUMNS.merchantNo,
} as const;
type Column = keyof typeof ANCHORED;
const FREE = ["资金变更提交申请人", COLUMNS.remark];
const PATTERNS = {
  记账时间: BEIJING_TIME,
  微信支付业务单号: /^[\w-]{0,128}$/,
  资金流水单号: /^[\w-]{0,128}$/,
  收支类型: /^(收入|支出)$/,
  "收支金额（元）": AMOUNT,
  "账户结余（元）": AMOUNT,
  业务凭证号: /^[\w|*@.-]{0,128}$/,
} as const;

const SUMMARY = {
  lines: "资金流水总笔数",
  incomes: "收入笔数",
  income: "收入金额",
  expenses: "支出笔数",
  expense: "支出金额",
} as const;

/** The kind of a movement by its type. WeChat Pay may add types: an unknown type is `other`. */
const KINDS: Readonly<Record<string, FlowLine["kind"]>> = {
  交易: "payment",
  扣除交易手续费: "fee",
  退款: "refund",
  退款关闭: "refund",
  退还交易手续费: "fee",
};
/** The remark of a refund that was paid net of the returned fee: the full refund and the fee. */
const REFUND_WITH_FEE = /^退款总金额 ?(\d+\.\d\d) ?元;含手续费 ?(\d+\.\d\d) ?元$/;

interface Sums {
  incomes: number;
  income: number;
  expenses: number;
  expense: number;
  isOfDay: boolean;
  unreadable: number;
}

/**
 * Reads a fund-flow bill of one account and day.
 *
 * If no movement has a time on the expected day, the parser rejects the bill as that of another
 * day.
 *
 * The states read the header, the movements, the header of the totals, and the totals. Totals that
 * contradict the movements make the bill invalid.
 */
export function flowParser(day: string): ParseState<FlowLine> {
  const sums: Sums = { incomes: 0, income: 0, expenses: 0, expense: 0, isOfDay: false, unreadable: 0 };
  return (names) => {
    const header = columnNames(names);
    return billRowReader(header, { names: ANCHORED, free: FREE, patterns: PATTERNS }).map((read) => ({
      next: body({ header, read, sums, day }),
    }));
  };
}

interface Table {
  readonly header: readonly string[];
  readonly read: BillRowReader<Column>;
  readonly sums: Sums;
  /** `YYYY-MM-DD`. */
  readonly day: string;
}

function body({ header, read, sums, day }: Table): ParseState<FlowLine> {
  const readRow: ParseState<FlowLine> = (text): Result<ParsedLine<FlowLine>, string> => {
    const faulty = (problem: string, merchantNo?: string): ParsedLine<FlowLine> => {
      sums.unreadable += 1;
      const known = { outTradeNo: merchantNo, refundNo: undefined, walletTradeNo: undefined };
      return { unreadable: { problem, numbers: validNumbers((column) => known[column]) }, next: readRow };
    };
    if (!text.startsWith(TICK)) {
      const summary = columns(columnNames(text), SUMMARY);
      if (summary.isOk())
        return sums.isOfDay || sums.incomes + sums.expenses === 0
          ? ok({ next: closing(summary.value, sums) })
          : err("it is the bill of another day");
      return ok(faulty("it does not start like a bill line"));
    }
    const row = rowOf(text);
    const fields = read(row);
    if (fields.isErr()) return ok(faulty(fields.error.problem, fields.error.known("merchantNo")));
    const remark = row.length === header.length ? (row[header.indexOf(COLUMNS.remark)] ?? "") : "";
    const line = lineOf(fields.value);
    if (line.isErr()) return ok(faulty(line.error, fields.value("merchantNo")));
    sums.isOfDay ||= fields.value("at").startsWith(`${day} `);
    const cents = Math.abs(line.value.amount);
    if (fields.value("way") === "收入") {
      sums.incomes += 1;
      sums.income += cents;
    } else {
      sums.expenses += 1;
      sums.expense += cents;
    }
    return ok({ lines: withFee(line.value, remark).filter((one) => one.amount !== 0), next: readRow });
  };
  return readRow;
}

function lineOf(fields: Fields<Column>): Result<FlowLine, string> {
  const [cents, balance] = [centsOfYuan(fields("amount")), roundedCents(fields("balance"))];
  if (cents === undefined || balance === undefined) return err("it has an invalid amount");
  const at = BEIJING_TIME.test(fields("at")) ? instantOfBeijingTime(fields("at")) : undefined;
  if (at === undefined) return err("it has no valid time");
  const way = fields("way");
  if (way !== "收入" && way !== "支出") return err("it is neither income nor expense");
  const [settlementNo, merchantNo] = [fields("settlementNo"), fields("merchantNo")];
  const kind = settlementNo === "" ? "other" : (KINDS[fields("type")] ?? "other");
  return ok({
    kind,
    amount: way === "收入" || cents === 0 ? cents : -cents,
    at,
    balance,
    ...(kind === "other" ? {} : { settlementNo }),
    ...(kind === "other" || !NUMBER.test(merchantNo) ? {} : { merchantNo }),
  });
}

/**
 * Splits a net refund into the refund and the returned fee.
 *
 * This needs a remark with both amounts, whose difference is the amount of the line.
 */
function withFee(line: FlowLine, remark: string): readonly FlowLine[] {
  const [, whole, returned] = REFUND_WITH_FEE.exec(remark) ?? [];
  if (line.kind !== "refund" || line.balance === undefined) return [line];
  const [amount, fee] = [centsOfYuan(whole ?? ""), centsOfYuan(returned ?? "")];
  if (amount === undefined || fee === undefined || fee - amount !== line.amount) return [line];
  return [
    { ...line, amount: -amount, balance: line.balance - fee },
    { ...line, kind: "fee", amount: fee },
  ];
}

function closing(
  of: (row: readonly string[]) => Fields<keyof typeof SUMMARY>,
  sums: Sums,
): ParseState<FlowLine> {
  return (text) => {
    const stated = of(rowOf(text));
    const [lines, incomes, expenses] = (["lines", "incomes", "expenses"] as const).map((name) =>
      // Some bills contain counts with decimals.
      /^\d{1,9}(\.0+)?$/.test(stated(name)) ? Number(stated(name)) : -1,
    );
    const read = sums.incomes + sums.expenses;
    const isCounted =
      lines === (incomes ?? 0) + (expenses ?? 0) &&
      lines >= read &&
      lines <= read + sums.unreadable &&
      (incomes ?? 0) >= sums.incomes &&
      (expenses ?? 0) >= sums.expenses;
    if (!isCounted) return err(`the bill has ${read} movements, but its totals state another number`);
    const [income, expense] = [centsOfYuan(stated("income")), centsOfYuan(stated("expense"))];
    if (income === undefined || expense === undefined) return err("it has an invalid amount");
    const agrees =
      (incomes === sums.incomes ? income === sums.income : income >= sums.income) &&
      (expenses === sums.expenses ? expense === sums.expense : expense >= sums.expense);
    return agrees
      ? ok({ next: () => err("it follows the end of the bill"), last: true })
      : err("the amounts do not add up to the totals");
  };
}
