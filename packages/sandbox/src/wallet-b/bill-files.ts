import { yuanText } from "@tillkit/core";
import type { BillContents, Movement } from "../bills/movements.js";
import type { WrittenBill } from "../bills/shelf.js";
import { chinaTime } from "../shared/china-time.js";
import { gbkBytes } from "../shared/gbk.js";
import { zipBytes } from "../shared/zip.js";

const COLUMNS =
  "支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）," +
  "集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注";
const SUM_COLUMNS =
  "门店编号,门店名称,交易订单总笔数,退款订单总笔数,订单金额（元）,商家实收（元）,支付宝优惠（元）,商家优惠（元）,卡消费金额（元）,服务费（元）,分润（元）,实收净额（元）";
const DAY = 86_400_000;
/** Empty lines that make a bill too long, in bytes; in an archive they are few. */
const PADDING = 4 * 1024 * 1024;

/** Writes a bill of WALLET_B: an archive of two GBK files, one with the lines and one with their sums, fields padded with tabs. */
export function writeWalletBBill(
  { lines, stated }: BillContents,
  sellerId: string,
  day: string,
  madeAt: number,
  spoilt: "digest" | "long" | null,
): WrittenBill {
  const account = `${sellerId}0156`;
  const from = Date.parse(`${day}T00:00:00+08:00`);
  const head = (what: string) => [
    `#支付宝业务${what}查询`,
    `#账号：[${account}]`,
    `#起始日期：[${longTime(from)}]   终止日期：[${longTime(from + DAY)}]`,
    `#${dashes(41)}业务${what}列表${dashes(40)}`,
  ];
  const written = `#导出时间：[${longTime(madeAt)}]`;
  const [paid, sentBack] = [sumOf(stated, false), sumOf(stated, true)];
  const detail = [
    ...head("明细"),
    COLUMNS,
    ...lines.map(line),
    `#${dashes(41)}业务明细列表结束${dashes(36)}`,
    `#交易合计：${paid.count}笔，商家实收共${signed(paid.amount)}元，商家优惠共0.00元`,
    `#退款合计：${sentBack.count}笔，商家实收退款共${signed(-sentBack.amount)}元，商家优惠退款共0.00元`,
    written,
    "",
  ];
  const net = signed(paid.amount - sentBack.amount);
  const sums = [
    ...head("汇总"),
    SUM_COLUMNS,
    `合计\t,\t,${paid.count},${sentBack.count},${net},${net},0.00,0.00,0.00,0.00,0.00,${net}`,
    `#${dashes(40)}业务汇总列表结束${dashes(37)}`,
    written,
    "",
  ];
  const padding = Buffer.alloc(spoilt === "long" ? PADDING : 0, "\n");
  const name = `${account}_${day.replaceAll("-", "")}`;
  const files = [
    {
      name: gbkBytes(`${name}_业务明细.csv`),
      bytes: Buffer.concat([gbkBytes(detail.join("\r\n")), padding]),
    },
    { name: gbkBytes(`${name}_业务明细(汇总).csv`), bytes: gbkBytes(sums.join("\r\n")) },
  ];
  return { file: zipBytes(files, spoilt === "digest"), text: new Uint8Array() };
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
    ...["0.00", "0.00", "0.00", "0.00", "0.00", "", "0.00\t", "0.00"],
    refund?.refundNo ?? "\t",
    "0.00",
    "0.00",
    terms.echoed["body"] ?? "",
  ].join(",");
}

function sumOf(
  movements: readonly Movement[],
  back: boolean,
): { readonly count: number; readonly amount: number } {
  const some = movements.filter(({ refund }) => (refund !== undefined) === back);
  return { count: some.length, amount: some.reduce((sum, { amount }) => sum + amount, 0) };
}

function signed(cents: number): string {
  return cents < 0 ? `-${yuanText(-cents)}` : yuanText(cents);
}

function longTime(instant: number): string {
  const [day = "", time = ""] = chinaTime(instant).split(" ");
  const [year, month, date] = day.split("-");
  return `${year}年${month}月${date}日 ${time}`;
}

function dashes(count: number): string {
  return "-".repeat(count);
}
