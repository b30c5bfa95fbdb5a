import { catalogue } from "../language/catalogue.js";

/** The texts of what a person can do about refunds and alarms. */
export const REMEDY_TEXTS = catalogue(
  {
    nextTry: "Continues by itself at",
    withdraw: "Withdraw",
    withdrawTitle: (refundNo: string) => `Withdraw the refund ${refundNo}?`,
    withdrawHelp: (amount: string) =>
      `Tillkit asks the payment channel first. It withdraws the refund of ${amount} only in one of two cases: the channel signs that there is no such refund, or the refunds that the channel confirmed leave less than this amount of the order. The number of this refund is never sent again, and the amount can be refunded under another number. If you pay the customer in another way, do not withdraw the refund: use “Pay in another way”. No money moves.`,
    settle: "Pay in another way",
    settleTitle: (refundNo: string) => `Record that you pay the refund ${refundNo} in another way?`,
    settleHelp: (amount: string) =>
      `${amount} counts as refunded, as if the payment channel had paid it. Tillkit asks the channel first, and records nothing if the channel has made the refund. Pay the customer after this step, not before: until then, another refund could use the same amount. This step moves no money.`,
    settleReason: "How the customer is paid",
    evidence: "Evidence",
    evidenceHelp:
      "What proves the outcome, such as a line of the channel's console. Required only if the channel gives no clear answer about a refund that has been open for days.",
    adopt: "Record a refund of the console",
    adoptTitle: "Record a refund that was made at the payment channel?",
    adoptHelp:
      "Tillkit asks the payment channel for the number, and records only what the channel signs for this order. The amount counts as refunded. No money moves.",
    adoptNumber: "Number of the refund at the channel",
    adoptNumberHelp: "WeChat Pay: merchant refund number (out_refund_no). Alipay: out_request_no.",
  },
  {
    nextTry: "系统将自动继续，时间：",
    withdraw: "撤回",
    withdrawTitle: (refundNo: string) => `撤回退款 ${refundNo}？`,
    withdrawHelp: (amount: string) =>
      `将先向支付渠道查询，仅当渠道签名确认没有该退款，或渠道已确认的退款使订单余额不足时，才会撤回这笔 ${amount} 的退款。该退款单号不会再次提交，该金额可使用其他退款单号重新退款。如改为线下退款，请直接登记线下退款，无需撤回。不涉及资金变动。`,
    settle: "登记线下退款",
    settleTitle: (refundNo: string) => `将退款 ${refundNo} 登记为线下退款？`,
    settleHelp: (amount: string) =>
      `${amount} 将计为已退款，与渠道退款效果相同。将先向支付渠道查询，如渠道已退款则不会登记。请先登记，再向客户付款：登记之后，该金额不会再被其他退款占用。不涉及资金变动。`,
    settleReason: "向客户付款的方式",
    evidence: "凭证",
    evidenceHelp: "能证明结果的内容，例如渠道商户平台中的记录。仅当渠道多日未返回该退款的结果时必填。",
    adopt: "登记渠道侧退款",
    adoptTitle: "登记在支付渠道侧发起的退款？",
    adoptHelp: "将按单号向支付渠道查询，仅登记渠道签名确认属于本订单的退款，金额计为已退款。不涉及资金变动。",
    adoptNumber: "渠道侧退款单号",
    adoptNumberHelp: "微信支付：商户退款单号（out_refund_no）。支付宝：out_request_no。",
  },
);
