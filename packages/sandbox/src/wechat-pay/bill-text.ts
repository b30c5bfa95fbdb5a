import { yuanText } from "@tillkit/core";
import { feeOf, returnedFee } from "../bills/fees.js";
import type { BillContents, Movement } from "../bills/movements.js";
import type { BillForm, WrittenBill } from "../bills/bill-archive.js";
import { couponShare, doneAt, type RefundState, refundState } from "../ledger-order.js";
import { chinaTime } from "../shared/china-time.js";
import { type BillTable, writeBillFile } from "./bill-file.js";

/** The types of trade bills: which movements a bill contains. */
export const BILL_TYPES = ["ALL", "SUCCESS", "REFUND"] as const;
/** A type of trade bill. */
export type BillType = (typeof BILL_TYPES)[number];

const TRADE =
  "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额";
const BACK = "微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态";
const COLUMNS: Readonly<Record<BillType, string>> = {
  ALL: `${TRADE},${BACK},商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注`,
  SUCCESS: `${TRADE},商品名称,商户数据包,手续费,费率,订单金额,费率备注`,
  REFUND: `${TRADE},退款申请时间,退款成功时间,${BACK},商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注`,
};
const TOTALS = "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额";
const TOTAL_COLUMNS: Readonly<Record<BillType, string>> = {
  ALL: TOTALS,
  SUCCESS: "总交易单数,应结订单总金额,手续费总金额,订单总金额",
  REFUND: TOTALS,
};
const PAYER = "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o";

/** How to write a trade bill of WeChat Pay. */
export interface TradeBillForm extends BillForm {
  readonly type: BillType;
  readonly isZipped: boolean;
}

/** Writes a trade bill of WeChat Pay. */
export function writeWalletABill({ lines, stated }: BillContents, form: TradeBillForm): WrittenBill {
  const [printed, meant] = [lines, stated].map((movements) =>
    movements.filter(
      ({ refund }) => form.type === "ALL" || (refund !== undefined) === (form.type === "REFUND"),
    ),
  );
  const isEmpty = (printed ?? []).length + (meant ?? []).length === 0;
  return {
    ...writeBillFile(tableOf(printed ?? [], form), tableOf(meant ?? [], form), form, form.isZipped),
    isEmpty,
  };
}

function tableOf(movements: readonly Movement[], form: TradeBillForm): BillTable {
  const columns = COLUMNS[form.type].split(",");
  const totalNames = TOTAL_COLUMNS[form.type].split(",");
  const totals = totalsOf(movements);
  return {
    columns,
    rows: movements.map((movement) => {
      const fields = fieldsOf(movement, form);
      return columns.map((name) => fields[name] ?? "");
    }),
    totalNames,
    totals: totalNames.map((name) => totals[name] ?? ""),
  };
}

function fieldsOf(movement: Movement, { madeAt }: TradeBillForm): Readonly<Record<string, string>> {
  const { order, refund, amount, at } = movement;
  const { terms, walletTradeNo } = order;
  const paid = refund === undefined ? yuanText(amount) : "0.00";
  const sentBack = refund === undefined ? "0.00" : yuanText(amount);
  const state = refund === undefined ? undefined : refundState(refund, madeAt);
  return {
    交易时间: chinaTime(at),
    公众账号ID: terms.walletAppId,
    商户号: terms.provider?.id ?? terms.merchantId,
    特约商户号: terms.provider === undefined ? "0" : terms.merchantId,
    微信订单号: walletTradeNo,
    商户订单号: terms.outTradeNo,
    用户标识: PAYER,
    交易类型: terms.paySource === "H5" ? "MWEB" : terms.paySource,
    交易状态: refund === undefined ? "SUCCESS" : "REFUND",
    付款银行: "OTHERS",
    货币种类: "CNY",
    应结订单金额: paid,
    代金券金额: refund === undefined ? yuanText(order.coupon) : "0.00",
    退款申请时间: refund === undefined ? "" : chinaTime(refund.at),
    退款成功时间: refund !== undefined && state === "SUCCESS" ? chinaTime(doneAt(refund)) : "",
    微信退款单号: refund?.walletRefundNo ?? "0",
    商户退款单号: refund?.refundNo ?? "0",
    退款金额: sentBack,
    充值券退款金额: refund === undefined ? "0.00" : yuanText(couponShare(order, refund)),
    退款类型: refund === undefined ? "" : "ORIGINAL",
    退款状态: state === undefined ? "" : REFUND_STATES[state],
    商品名称: terms.goodsTitle,
    商户数据包: terms.echoed["attach"] ?? "",
    手续费: feeText(feeIn(movement)),
    费率: "0.60%",
    订单金额: paid,
    申请退款金额: sentBack,
  };
}

/** The names of the refund states in a bill. */
const REFUND_STATES = {
  PROCESSING: "PROCESSING",
  SUCCESS: "SUCCESS",
  ABNORMAL: "CHANGE",
  CLOSED: "FAIL",
} as const satisfies Record<RefundState, string>;

/** Cents that WeChat Pay keeps of a payment, or returns with a refund (negative). */
function feeIn({ order, refund, amount }: Movement): number {
  return refund === undefined ? feeOf(amount) : -returnedFee(order, refund);
}

function totalsOf(movements: readonly Movement[]): Readonly<Record<string, string>> {
  const sum = (back: boolean) =>
    yuanText(
      movements
        .filter(({ refund }) => (refund !== undefined) === back)
        .reduce((total, { amount }) => total + amount, 0),
    );
  return {
    总交易单数: String(movements.length),
    应结订单总金额: sum(false),
    退款总金额: sum(true),
    充值券退款总金额: yuanText(
      movements.reduce(
        (total, { order, refund }) => total + (refund === undefined ? 0 : couponShare(order, refund)),
        0,
      ),
    ),
    手续费总金额: feeText(movements.reduce((total, movement) => total + feeIn(movement), 0)),
    订单总金额: sum(false),
    申请退款总金额: sum(true),
  };
}

/** Formats a fee as trade bills do: whole cents, with five decimals. */
function feeText(cents: number): string {
  return `${cents < 0 ? "-" : ""}${yuanText(Math.abs(cents))}000`;
}
