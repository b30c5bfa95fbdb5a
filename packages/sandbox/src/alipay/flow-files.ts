import type { AccountMovement, FlowContents } from "../bills/account-flow.js";
import type { BillForm, WrittenBill } from "../bills/bill-archive.js";
import { chinaTime } from "../shared/china-time.js";
import { signed, writeBillZip } from "./bill-zip.js";

const COLUMNS =
  "账务流水号,业务流水号,商户订单号,商品名称,发生时间,对方账号,收入金额（+元）,支出金额（-元）,账户余额（元）,交易渠道,业务类型,备注";
const SUM_COLUMNS = "类型,收入笔数,收入金额（+元）,支出笔数,支出金额（-元）,总金额（元）";
const TYPES = { payment: "在线支付", fee: "收费", refund: "交易退款" } as const;

/** Writes a fund-flow bill of Alipay. */
export function writeWalletBFlow(
  { lines, stated }: FlowContents,
  sellerId: string,
  day: string,
  form: BillForm,
): WrittenBill {
  const [income, expense] = [waySum(stated, true), waySum(stated, false)];
  const [gained, lost] = [signed(income.amount), signed(expense.amount)];
  const files = {
    columns: COLUMNS,
    lines: lines.map(line),
    closing: [`#支出合计：${expense.count}笔，共${lost}元`, `#收入合计：${income.count}笔，共${gained}元`],
    sumColumns: SUM_COLUMNS,
    sums: `合计\t,${income.count},${gained},${expense.count},${lost},${signed(income.amount + expense.amount)}`,
  };
  const isEmpty = lines.length + stated.length === 0;
  return { ...writeBillZip({ sellerId, day, name: "账务" }, files, form), isEmpty };
}

function line(movement: AccountMovement, place: number): string {
  const { kind, order, amount, balance, at } = movement;
  const { terms, walletTradeNo } = order;
  return [
    `${String(at)}${String(place).padStart(4, "0")}\t`,
    `${walletTradeNo}\t`,
    `${terms.outTradeNo}\t`,
    `${terms.goodsTitle}\t`,
    chinaTime(at),
    kind === "fee" ? "支付宝(中国)网络技术有限公司\t" : "*箱(san***@sandbox.com)\t",
    amount > 0 ? signed(amount) : "0.00",
    amount > 0 ? "0.00" : signed(amount),
    signed(balance),
    "支付宝\t",
    `${TYPES[kind]}\t`,
    kind === "fee" ? "服务费\t" : "\t",
  ].join(",");
}

function waySum(
  movements: readonly AccountMovement[],
  isIncome: boolean,
): { readonly count: number; readonly amount: number } {
  const some = movements.filter(({ amount }) => amount > 0 === isIncome);
  return { count: some.length, amount: some.reduce((sum, { amount }) => sum + amount, 0) };
}
