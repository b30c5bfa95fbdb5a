/** The header row of a bill of all trades, from WeChat Pay's documentation. */
export const HEADER =
  "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注";

/** The header row of the totals. */
export const TOTALS =
  "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额";

/** A payment of 1.00, of which a coupon paid 0.10. The goods name contains a comma. */
export const PAYMENT =
  "`2026-11-19 10:00:00,`wxd678efh567hg6787,`1900000109,`0,`,`4200000001202611190000000001,`01JCXW9Z3K7Q2N5T8V0B4D6F1H,`oUpF8uMuAJO_M2pxb1Q9zNjWeS6o,`APP,`SUCCESS,`OTHERS,`CNY,`0.90,`0.00,`0,`0,`0.00,`0.00,`,`,`VIP 会员, 30 天,`,`0.00540,`0.60%,`1.00,`0.00,`";

/** A completed refund of 0.50 of this payment, for which the merchant paid 0.45. */
export const REFUND =
  "`2026-11-19 11:00:00,`wxd678efh567hg6787,`1900000109,`0,`,`4200000001202611190000000001,`01JCXW9Z3K7Q2N5T8V0B4D6F1H,`oUpF8uMuAJO_M2pxb1Q9zNjWeS6o,`APP,`REFUND,`OTHERS,`CNY,`0.00,`0.00,`50300000012026111900000000001,`R-1,`0.45,`0.00,`ORIGINAL,`SUCCESS,`VIP 会员, 30 天,`,`-0.00270,`0.60%,`0.00,`0.50,`";

/** A bill with the payment and the refund. */
export const BILL = [
  "\uFEFF" + HEADER,
  PAYMENT,
  REFUND,
  TOTALS,
  "`2,`0.90,`0.45,`0.00,`0.00270,`1.00,`0.50",
  "",
];
