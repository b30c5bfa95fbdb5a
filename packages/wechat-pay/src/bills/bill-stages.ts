import { type BillLine, centsOfYuan } from "@tillkit/core";
import { columns, type Fields, type Stage, type Step } from "@tillkit/runtime";
import { err, ok, type Result } from "neverthrow";

/**
 * The columns that count. Of the amounts these are what the order was made for and what the refund was applied for, as orders and refunds
 * have them here; the other columns are less by what coupons bore.
 */
const COLUMNS = {
  merchant: "商户号",
  walletTradeNo: "微信订单号",
  outTradeNo: "商户订单号",
  state: "交易状态",
  currency: "货币种类",
  refundNo: "商户退款单号",
  refundState: "退款状态",
  orderAmount: "订单金额",
  refundAmount: "申请退款金额",
} as const;
type LineFields = Fields<keyof typeof COLUMNS>;

/** What the last line states: how many lines there are, and what the two columns of amounts add up to. */
const SUMMARY = { lines: "总交易单数", orderAmount: "订单总金额", refundAmount: "申请退款总金额" } as const;

/** Stands before every field of a line, and before no other. */
const TICK = "`";

interface Sums {
  readonly lines: number;
  readonly orderAmount: number;
  readonly refundAmount: number;
}

/** Reads a bill of all trades of `merchantId`: the names of the columns, the lines, the names of the totals, and totals that agree. */
export function billStages(merchantId: string): Stage {
  return (names) => {
    const header = names.split(",");
    return columns(header, COLUMNS)
      .mapErr(
        (problem) => `${problem}; a merchant with bills of the old form can have the new one from WeChat Pay`,
      )
      .map((fieldsOf) => ({
        next: body(
          { merchantId, width: header.length, fieldsOf },
          { lines: 0, orderAmount: 0, refundAmount: 0 },
        ),
      }));
  };
}

interface Table {
  readonly merchantId: string;
  readonly width: number;
  readonly fieldsOf: (row: readonly string[]) => LineFields;
}

function body(table: Table, sums: Sums): Stage {
  return (text): Result<Step, string> => {
    if (!text.startsWith(TICK))
      return columns(text.split(","), SUMMARY).map((of) => ({ next: closing(of, sums) }));
    const row = rowOf(text);
    if (row.length !== table.width) return err(`it has ${row.length} fields instead of ${table.width}`);
    const fields = table.fieldsOf(row);
    const [orderAmount, refundAmount] = [
      centsOfYuan(fields("orderAmount")),
      centsOfYuan(fields("refundAmount")),
    ];
    if (orderAmount === undefined || refundAmount === undefined) return err("it has an amount that is none");
    if (fields("merchant") !== table.merchantId) return err("it is another merchant's");
    if (fields("currency") !== "CNY") return err("it is not in CNY");
    return lineOf(fields, orderAmount, refundAmount).map((line) => ({
      line,
      next: body(table, {
        lines: sums.lines + 1,
        orderAmount: sums.orderAmount + orderAmount,
        refundAmount: sums.refundAmount + refundAmount,
      }),
    }));
  };
}

function lineOf(fields: LineFields, orderAmount: number, refundAmount: number): Result<BillLine, string> {
  const [outTradeNo, walletTradeNo] = [fields("outTradeNo"), fields("walletTradeNo")];
  if (outTradeNo === "" || walletTradeNo === "") return err("it lacks a number");
  const trade = { outTradeNo, walletTradeNo };
  switch (fields("state")) {
    case "SUCCESS":
      return moved({ ...trade, kind: "payment", amount: orderAmount, state: "DONE" });
    // REVOKED: a payment at a till that was called off, and has no refund's number.
    case "REFUND":
    case "REVOKED": {
      const refundNo = fields("refundNo");
      const numbered = refundNo === "" || refundNo === "0" ? {} : { refundNo };
      // One that failed is not done either: the bill is not written again, so only the wallet itself knows more.
      const state = fields("refundState") === "SUCCESS" ? "DONE" : "OPEN";
      return moved({ ...trade, ...numbered, kind: "refund", amount: refundAmount, state });
    }
    default:
      return err("its state is not known");
  }
}

function moved(line: BillLine): Result<BillLine, string> {
  return line.amount === 0 ? err("it moves no money") : ok(line);
}

function closing(of: (row: readonly string[]) => Fields<keyof typeof SUMMARY>, sums: Sums): Stage {
  return (text) => {
    const stated = of(rowOf(text));
    if (stated("lines") !== String(sums.lines))
      return err(`the bill has ${sums.lines} lines, and says otherwise of itself`);
    const agrees =
      centsOfYuan(stated("orderAmount")) === sums.orderAmount &&
      centsOfYuan(stated("refundAmount")) === sums.refundAmount;
    return agrees
      ? ok({ next: () => err("it stands after the end"), last: true })
      : err("the amounts do not add up to the totals");
  };
}

/** The fields of a line. A comma alone does not end one: the names of goods have commas in them. */
function rowOf(text: string): readonly string[] {
  return text.slice(TICK.length).split(`,${TICK}`);
}
