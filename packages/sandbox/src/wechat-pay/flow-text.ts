import { yuanText } from "@tillkit/core";
import type { AccountMovement, FlowContents } from "../bills/account-flow.js";
import type { BillForm, WrittenBill } from "../bills/bill-archive.js";
import { chinaTime } from "../shared/china-time.js";
import { type BillTable, writeBillFile } from "./bill-file.js";

const COLUMNS =
  "记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),资金变更提交申请人,备注,业务凭证号";
const TOTALS = "资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额";

/** Writes a fund-flow bill of WeChat Pay. */
export function writeWalletAFlow(
  { lines, stated }: FlowContents,
  form: BillForm & { readonly isZipped: boolean },
): WrittenBill {
  const isEmpty = lines.length + stated.length === 0;
  return { ...writeBillFile(tableOf(lines), tableOf(stated), form, form.isZipped), isEmpty };
}

function tableOf(movements: readonly AccountMovement[]): BillTable {
  const [incomes, expenses] = [true, false].map((isIncome) =>
    movements.filter(({ amount }) => amount > 0 === isIncome),
  );
  const sum = (some: readonly AccountMovement[] = []) =>
    yuanText(Math.abs(some.reduce((total, { amount }) => total + amount, 0)));
  return {
    columns: COLUMNS.split(","),
    rows: movements.map(fieldsOf),
    totalNames: TOTALS.split(","),
    totals: [
      String(movements.length),
      String(incomes?.length ?? 0),
      sum(incomes),
      String(expenses?.length ?? 0),
      sum(expenses),
    ],
  };
}

function fieldsOf(movement: AccountMovement): readonly string[] {
  const { kind, order, refund, amount, feeWithin, balance, at } = movement;
  const [name, type] = NAMES[kind];
  const remark =
    refund === undefined ? "" : `退款总金额${yuanText(refund.amount)}元;含手续费${yuanText(feeWithin)}元`;
  return [
    chinaTime(at),
    refund?.walletRefundNo ?? order.walletTradeNo,
    order.walletTradeNo,
    name,
    type,
    amount > 0 ? "收入" : "支出",
    yuanText(Math.abs(amount)),
    signed(balance),
    refund === undefined ? "system" : `${order.terms.merchantId}API`,
    remark,
    refund?.refundNo ?? order.terms.outTradeNo,
  ];
}

const NAMES = {
  payment: ["交易", "交易"],
  fee: ["交易", "扣除交易手续费"],
  refund: ["退款", "退款"],
} as const;

function signed(cents: number): string {
  return cents < 0 ? `-${yuanText(-cents)}` : yuanText(cents);
}
