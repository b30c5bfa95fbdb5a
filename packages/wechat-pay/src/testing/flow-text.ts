/** The header row of a fund-flow bill, from WeChat Pay's documentation. */
export const FLOW_HEADER =
  "记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),资金变更提交申请人,备注,业务凭证号";

/** The header row of the totals. */
export const FLOW_TOTALS = "资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额";

/**
 * A payment of 10.00, its fee of 0.06, a refund and a withdrawal.
 *
 * The refund of 5.00 costs 4.97, because WeChat Pay returns 0.03 of the fee.
 */
export const MOVEMENTS = [
  "`2026-11-19 10:00:00,`4200000001202611190000000001,`4200000001202611190000000001,`交易,`交易,`收入,`10.00,`110.00,`system,`结算总金额 10.00 元;含手续费 0.06 元,`01JCXW9Z3K7Q2N5T8V0B4D6F1H",
  "`2026-11-19 10:00:00,`4200000001202611190000000001,`4200000001202611190000000001,`交易,`扣除交易手续费,`支出,`0.06,`109.94,`system,`结算总金额 10.00 元;含手续费 0.06 元,`01JCXW9Z3K7Q2N5T8V0B4D6F1H",
  "`2026-11-19 11:00:00,`50300000012026111900000000001,`4200000001202611190000000001,`退款,`退款,`支出,`4.97,`104.97,`1900000109API,`退款总金额5.00元;含手续费0.03元,`01JCXW9Z3K7Q2N5T8V0B4D6F1H-R-1",
  "`2026-11-19 23:00:00,`1000000000001,`1000000000001,`充值/提现,`提现,`支出,`50.00,`54.97,`han@1900000109,`,`",
];

/** The totals of the movements above. */
export const FLOW_LAST = "`4,`1,`10.00,`3,`55.03";

/** A bill with these movements. */
export const FLOW = ["\uFEFF" + FLOW_HEADER, ...MOVEMENTS, FLOW_TOTALS, FLOW_LAST, ""];
