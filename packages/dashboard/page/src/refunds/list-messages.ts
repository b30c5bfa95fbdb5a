import { catalogue } from "../language/catalogue.js";

/** The texts of the list of all refunds. */
export const REFUND_LIST_TEXTS = catalogue(
  {
    refunds: "All refunds",
    none: "No refund matches these filters.",
    noneHelp: "Remove a filter, or request a refund on the page of its order.",
    noneYet: "None of the newest refunds matches. Continue with older refunds.",
    status: "Status",
    number: "Refund or order number",
    confirmedFrom: "Confirmed from",
    confirmedUntil: "Confirmed until",
    order: "Order",
    refundNo: "Refund",
    amount: "Amount",
    operator: "Operator",
    created: "Requested",
    changed: "Last change",
    sync: "Sync",
    syncTitle: (refundNo: string) => `Ask the wallet about the refund ${refundNo}?`,
    syncHelp:
      "Tillkit asks the wallet now and records its answer. A refund that the wallet does not know yet is sent again under the same number, so it is made once.",
  },
  {
    refunds: "全部退款",
    none: "没有符合筛选条件的退款。",
    noneHelp: "请减少筛选条件，或在订单页面发起退款。",
    noneYet: "较新的退款中没有符合条件的，请继续查看更早的退款。",
    status: "状态",
    number: "退款单号或订单号",
    confirmedFrom: "退款成功日期从",
    confirmedUntil: "退款成功日期至",
    order: "订单",
    refundNo: "退款单号",
    amount: "金额",
    operator: "操作员",
    created: "申请时间",
    changed: "最近变更",
    sync: "查询",
    syncTitle: (refundNo: string) => `向支付渠道查询退款 ${refundNo}？`,
    syncHelp: "将立即向支付渠道查询并记录结果。渠道尚未收到的退款会以相同单号再次提交，只会退款一次。",
  },
);
