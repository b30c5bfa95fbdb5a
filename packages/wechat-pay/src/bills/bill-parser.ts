import { centsOfYuan } from "@tillkit/core";
import type { BillTotals, LineSettlement, StatedLine } from "@tillkit/core/ports";
import {
  BEIJING_TIME,
  billRowReader,
  type BillRowReader,
  columnNames,
  columns,
  type Fields,
  type ParsedLine,
  type ParseState,
} from "@tillkit/wallet-kit";
import { err, ok, type Result } from "neverthrow";
import { AMOUNT, ORDER_NUMBER, validNumbers, roundedCents, rowOf, TICK } from "./bill-fields.js";

/**
 * The required columns.
 *
 * `订单金额` is the amount of the order and `申请退款金额` the requested refund, as Tillkit stores them.
 * `应结订单金额` and `退款金额` exclude what merchant coupons paid. The account receives or pays these
 * two amounts.
 */
const COLUMNS = {
  at: "交易时间",
  merchant: "商户号",
  subMerchant: "特约商户号",
  walletTradeNo: "微信订单号",
  outTradeNo: "商户订单号",
  state: "交易状态",
  currency: "货币种类",
  walletRefundNo: "微信退款单号",
  refundNo: "商户退款单号",
  refundState: "退款状态",
  orderAmount: "订单金额",
  refundAmount: "申请退款金额",
  settledOrder: "应结订单金额",
  settledRefund: "退款金额",
  fee: "手续费",
} as const;
type LineFields = Fields<keyof typeof COLUMNS>;

/** The kind of the line for each trade state. */
const LINE_KINDS: ReadonlyMap<string, StatedLine["kind"]> = new Map([
  ["SUCCESS", "payment"],
  ["REFUND", "refund"],
  ["REVOKED", "refund"],
]);

/**
 * Free text of merchants and customers. It may contain a comma and a backtick, which also separate
 * fields.
 */
const FREE = ["商品名称", "商户数据包", "费率备注"];

const PATTERNS = {
  交易时间: BEIJING_TIME,
  商户号: /^\d{1,32}$/,
  特约商户号: /^\d{0,32}$/,
  微信订单号: /^\d{1,64}$/,
  商户订单号: ORDER_NUMBER,
  交易状态: /^[A-Z]+$/,
  货币种类: /^[A-Z]{3}$/,
  微信退款单号: /^\d{0,64}$/,
  商户退款单号: /^[\w|*@-]{0,64}$/,
  退款状态: /^[A-Z]*$/,
  应结订单金额: AMOUNT,
  代金券金额: AMOUNT,
  退款金额: AMOUNT,
  充值券退款金额: AMOUNT,
  手续费: AMOUNT,
  费率: /^(\d+(\.\d+)?%)?$/,
  订单金额: AMOUNT,
  申请退款金额: AMOUNT,
} as const;

/** The last line: the number of lines, and the totals of amount columns. */
const SUMMARY = {
  lines: "总交易单数",
  orderAmount: "订单总金额",
  refundAmount: "申请退款总金额",
  fees: "手续费总金额",
} as const;

/** Running totals of a bill, while it is read. */
export interface BillAccumulator {
  lines: number;
  orderAmount: number;
  refundAmount: number;
  /** Whether a line has a time on the day of the bill. */
  isOfDay: boolean;
  /** Whether the bill has lines of sub-merchants, whose fees its totals include. */
  hasSubMerchants: boolean;
  /**
   * Number of unreadable lines of text. A line break in a title turns one bill line into several.
   */
  unreadable: number;
  /** Fees and amounts from the bill's totals. Empty until the last line was read. */
  stated: Pick<BillTotals, "fees"> & { readonly left?: { readonly order: number; readonly refund: number } };
}

/** Creates the running totals of an empty bill. */
export function createBillAccumulator(): BillAccumulator {
  return {
    lines: 0,
    orderAmount: 0,
    refundAmount: 0,
    isOfDay: false,
    hasSubMerchants: false,
    unreadable: 0,
    stated: {},
  };
}

/** The expected merchant and day of a bill. */
export interface BillSubject {
  readonly merchantId: string;
  /** The service provider's number, if the merchant is a sub-merchant. */
  readonly providerId?: string | undefined;
  /** `YYYY-MM-DD`. */
  readonly day: string;
}

/**
 * Reads a bill of all trades of a merchant on a day, and adds its lines to `accumulator`.
 *
 * A bill does not name its day. A line has the time of the payment, or of the refund request. If no
 * line has a time on the expected day, the parser rejects the bill as that of another day.
 *
 * The states read the header, the lines, the header of the totals, and the totals. Totals that
 * contradict the lines make the bill invalid.
 */
export function billParser(of: BillSubject, accumulator: BillAccumulator): ParseState<StatedLine> {
  return (names) =>
    billRowReader(columnNames(names), { names: COLUMNS, free: FREE, patterns: PATTERNS })
      .mapErr(
        (problem) =>
          `${problem}; if the merchant's bills have the old format, ask WeChat Pay for the new format`,
      )
      .map((read) => ({ next: body(of, read, accumulator) }));
}

function body(
  of: BillSubject,
  read: BillRowReader<keyof typeof COLUMNS>,
  accumulator: BillAccumulator,
): ParseState<StatedLine> {
  const readRow: ParseState<StatedLine> = (text): Result<ParsedLine<StatedLine>, string> => {
    const faulty = (
      problem: string,
      known: (column: keyof typeof COLUMNS) => string | undefined,
    ): ParsedLine<StatedLine> => {
      accumulator.unreadable += 1;
      const lineKind = LINE_KINDS.get(known("state") ?? "");
      return { unreadable: { problem, lineKind, numbers: validNumbers(known) }, next: readRow };
    };
    if (!text.startsWith(TICK)) {
      const summary = columns(columnNames(text), SUMMARY);
      if (summary.isOk())
        return accumulator.isOfDay || accumulator.lines === 0
          ? ok({ next: closing(summary.value, accumulator) })
          : err("it is the bill of another day");
      return ok(faulty("it does not start like a bill line", () => undefined));
    }
    const row = read(rowOf(text));
    if (row.isErr()) return ok(faulty(row.error.problem, row.error.known));
    const fields = row.value;
    const { merchantId, providerId, day } = of;
    const signer = providerId ?? merchantId;
    if (fields("merchant") !== signer && /^\d{1,32}$/.test(fields("merchant")))
      return err("it belongs to another merchant");
    const subMerchantId = isNone(fields("subMerchant")) ? undefined : fields("subMerchant");
    if (providerId !== undefined && subMerchantId !== merchantId)
      return err("it belongs to another merchant");
    const line = lineOf(fields, signer);
    if (line.isErr()) return ok(faulty(line.error, fields));
    accumulator.lines += 1;
    accumulator.isOfDay ||= fields("at").startsWith(`${day} `);
    accumulator.orderAmount += centsOfYuan(fields("orderAmount")) ?? 0;
    accumulator.refundAmount += centsOfYuan(fields("refundAmount")) ?? 0;
    // The bill of a service provider also lists its sub-merchants, which have bills of their own.
    const isOther = providerId === undefined && subMerchantId !== undefined;
    accumulator.hasSubMerchants ||= isOther;
    return ok({ lines: isOther ? [] : [line.value], next: readRow });
  };
  return readRow;
}

function lineOf(fields: LineFields, merchantId: string): Result<StatedLine, string> {
  if (fields("merchant") !== merchantId) return err("its merchant number is not valid");
  const [orderAmount, refundAmount, settledOrder, settledRefund] = (
    ["orderAmount", "refundAmount", "settledOrder", "settledRefund"] as const
  ).map((column) => centsOfYuan(fields(column)));
  const fee = roundedCents(fields("fee"));
  if (orderAmount === undefined || refundAmount === undefined) return err("it has an invalid amount");
  if (settledOrder === undefined || settledRefund === undefined || fee === undefined)
    return err("it has an invalid amount");
  if (fields("currency") !== "CNY") return err("it is not in CNY");
  const [outTradeNo, walletTradeNo] = [fields("outTradeNo"), fields("walletTradeNo")];
  // Other systems of the merchant may leave out the order number, or use any text.
  if (!ORDER_NUMBER.test(outTradeNo)) return err("it has no valid order number");
  if (walletTradeNo === "") return err("it has no wallet number");
  const trade = { outTradeNo, walletTradeNo };
  switch (fields("state")) {
    case "SUCCESS": {
      const settlement = { no: walletTradeNo, received: settledOrder, fee };
      return moved({ ...trade, kind: "payment", amount: orderAmount, state: "DONE", settlement });
    }
    // REVOKED is a cancelled payment at a point of sale. It has no refund number.
    case "REFUND":
    case "REVOKED": {
      const [refundNo, no] = [fields("refundNo"), fields("walletRefundNo")];
      const numbered = isNone(refundNo) ? {} : { refundNo };
      const settled = { received: settledRefund === 0 ? 0 : -settledRefund, fee };
      const settlement: LineSettlement = { no: isNone(no) ? "" : no, ...settled };
      // A failed refund stays OPEN too. The bill never changes, so only a query returns the later
      // state of a refund.
      const state = fields("refundState") === "SUCCESS" ? "DONE" : "OPEN";
      return moved({ ...trade, ...numbered, kind: "refund", amount: refundAmount, state, settlement });
    }
    default:
      return err("its state is unknown");
  }
}

function isNone(number: string): boolean {
  return number === "" || number === "0";
}

function moved(line: StatedLine): Result<StatedLine, string> {
  return line.amount === 0 ? err("it moves no money") : ok(line);
}

function closing(
  of: (row: readonly string[]) => Fields<keyof typeof SUMMARY>,
  accumulator: BillAccumulator,
): ParseState<StatedLine> {
  return (text) => {
    const stated = of(rowOf(text));
    const { lines, unreadable } = accumulator;
    const counted = /^\d{1,9}(\.0+)?$/.test(stated("lines")) ? Number(stated("lines")) : -1;
    if (counted < lines || counted > lines + unreadable)
      return err(
        unreadable === 0
          ? `the bill has ${lines} lines, but its totals state another number`
          : `the bill has ${lines} lines and ${unreadable} that cannot be read, but its totals state another number`,
      );
    const [orders, refunds] = [centsOfYuan(stated("orderAmount")), centsOfYuan(stated("refundAmount"))];
    if (orders === undefined || refunds === undefined) return err("it has an invalid amount");
    const left = { order: orders - accumulator.orderAmount, refund: refunds - accumulator.refundAmount };
    // Amounts are never negative, so unreadable lines can only add to the sums of the readable
    // lines.
    const agrees =
      counted === lines ? left.order === 0 && left.refund === 0 : left.order >= 0 && left.refund >= 0;
    if (!agrees) return err("the amounts do not add up to the totals");
    const fees = roundedCents(stated("fees"));
    const hasOwnFees = fees !== undefined && !accumulator.hasSubMerchants;
    accumulator.stated = { ...(hasOwnFees ? { fees } : {}), left };
    return ok({ next: () => err("it follows the end of the bill"), last: true });
  };
}
