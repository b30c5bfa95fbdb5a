import { feeOf } from "../bills/fees.js";
import type { BillContents, Movement } from "../bills/movements.js";
import type { BillForm, WrittenBill } from "../bills/bill-archive.js";
import { couponShare } from "../ledger-order.js";
import { chinaTime } from "../shared/china-time.js";
import { signed, writeBillZip } from "./bill-zip.js";

const COLUMNS =
  "支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）," +
  "集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注";
const SUM_COLUMNS =
  "门店编号,门店名称,交易订单总笔数,退款订单总笔数,订单金额（元）,商家实收（元）,支付宝优惠（元）,商家优惠（元）,卡消费金额（元）,服务费（元）,分润（元）,实收净额（元）";

/** Writes a trade bill of Alipay. The wallet keeps its fee when the merchant refunds a payment. */
export function writeWalletBBill(
  { lines, stated }: BillContents,
  sellerId: string,
  day: string,
  form: BillForm,
): WrittenBill {
  const [paid, sentBack] = [sumOf(stated, false), sumOf(stated, true)];
  const net = signed(paid.amount - sentBack.amount);
  const [fees, left] = [signed(-paid.fees), signed(paid.amount - sentBack.amount - paid.fees)];
  const files = {
    columns: COLUMNS,
    lines: lines.map(line),
    closing: [
      `#交易合计：${paid.count}笔，商家实收共${signed(paid.amount)}元，商家优惠共0.00元`,
      `#退款合计：${sentBack.count}笔，商家实收退款共${signed(-sentBack.amount)}元，商家优惠退款共0.00元`,
    ],
    sumColumns: SUM_COLUMNS,
    sums: `合计\t,\t,${paid.count},${sentBack.count},${net},${net},0.00,0.00,0.00,${fees},0.00,${left}`,
  };
  const isEmpty = lines.length + stated.length === 0;
  return { ...writeBillZip({ sellerId, day, name: "业务" }, files, form), isEmpty };
}

function line({ order, refund, amount, at }: Movement): string {
  const { terms, walletTradeNo } = order;
  const moved = signed(refund === undefined ? amount : -amount);
  return [
    `${walletTradeNo}\t`,
    `${terms.outTradeNo}\t`,
    `${refund === undefined ? "交易" : "退款"}\t`,
    terms.goodsTitle,
    chinaTime(order.paidAt ?? at),
    chinaTime(at),
    "\t",
    "\t",
    "\t",
    "\t",
    "*箱(san***@sandbox.com)\t",
    moved,
    moved,
    signed(refund === undefined ? order.coupon : -couponShare(order, refund)),
    "0.00",
    "0.00",
    "0.00",
    "0.00",
    "",
    "0.00\t",
    "0.00",
    refund?.refundNo ?? "\t",
    refund === undefined ? signed(-feeOf(amount)) : "0.00",
    "0.00",
    terms.echoed["body"] ?? "",
  ].join(",");
}

function sumOf(
  movements: readonly Movement[],
  back: boolean,
): { readonly count: number; readonly amount: number; readonly fees: number } {
  const some = movements.filter(({ refund }) => (refund !== undefined) === back);
  return {
    count: some.length,
    amount: some.reduce((sum, { amount }) => sum + amount, 0),
    fees: some.reduce((sum, { amount }) => sum + feeOf(amount), 0),
  };
}
