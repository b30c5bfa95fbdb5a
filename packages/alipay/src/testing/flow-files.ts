import { gbk } from "./bill-files.js";

const HEAD = [
  "#账号：[20881021196858380156]",
  "#起始日期：[2026年11月19日 00:00:00]   终止日期：[2026年11月20日 00:00:00]",
];
const WRITTEN = "#导出时间：[2026年11月20日 05:46:49]";

/** The header row of the movements, from published bills of merchants. */
export const FLOW_COLUMNS =
  "账务流水号,业务流水号,商户订单号,商品名称,发生时间,对方账号,收入金额（+元）,支出金额（-元）,账户余额（元）,交易渠道,业务类型,备注";

const ORDER = "2026111922001458860515315453\t,01JCXW9Z3K7Q2N5T8V0B4D6F1H\t,VIP 会员, 30 天\t";

/** A payment of 0.90 with a comma in its name, its fee, a refund of 0.45, and a withdrawal. */
export const MOVEMENTS = [
  `54632446537371\t,${ORDER},2026-11-19 10:55:23,*津水 (602***@qq.com)\t,0.90,0.00,100.90,支付宝\t,在线支付\t,\t`,
  `54632446537372\t,${ORDER},2026-11-19 10:55:23,支付宝(中国)网络技术有限公司\t,0.00,-0.01,100.89,支付宝\t,收费\t,服务费, 花呗\t`,
  `54632446537373\t,${ORDER},2026-11-19 10:56:48,*津水 (602***@qq.com)\t,0.00,-0.45,100.44,支付宝\t,交易退款\t,\t`,
  "54632446537374\t,20261119200040011100180012345678\t,\t,\t,2026-11-19 23:00:00,\t,,-50.00,50.44,支付宝\t,提现\t,\t",
];

/** The totals of the movements. */
export const FLOW_CLOSING = ["#支出合计：3笔，共-50.46元", "#收入合计：1笔，共0.90元"];

/** Creates the file with the movements. */
export function flowDetail(
  movements: readonly string[] = MOVEMENTS,
  closing: readonly string[] = FLOW_CLOSING,
  columns = FLOW_COLUMNS,
): Uint8Array {
  const lines = [
    "#支付宝账务明细查询",
    ...HEAD,
    "#-----------------------------------------账务明细列表----------------------------------------",
    columns,
    ...movements,
    "#-----------------------------------------账务明细列表结束------------------------------------",
    ...closing,
    WRITTEN,
  ];
  return gbk(lines.join("\r\n"));
}

/** Creates the summary file. */
export function flowSummary(total = "合计\t,1,0.90,3,-50.46,-49.56"): Uint8Array {
  const lines = [
    "#支付宝账务汇总查询",
    ...HEAD,
    "#-----------------------------------------账务汇总列表----------------------------------------",
    "类型,收入笔数,收入金额（+元）,支出笔数,支出金额（-元）,总金额（元）",
    "在线支付\t,1,0.90,0,0.00,0.90",
    total,
    "#-----------------------------------------账务汇总列表结束------------------------------------",
    WRITTEN,
  ];
  return gbk(lines.join("\r\n"));
}
