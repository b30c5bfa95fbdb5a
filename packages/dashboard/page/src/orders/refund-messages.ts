import { catalogue } from "../language/catalogue.js";

/** The texts of the dialog that refunds an order. */
export const REFUND_TEXTS = catalogue(
  {
    refund: "Refund…",
    title: "Refund this order",
    amount: "Amount in yuan",
    amountHelp: (max: string) => `At most ${max}.`,
    check: "Check",
    invalid: "Enter an amount such as 12.50.",
    will: "Refund amount",
    remains: "Remaining after the refund",
    number: "Refund number",
    wallet: "Request to the payment channel",
    approval: "A second operator must approve this refund before Tillkit sends it to the payment channel.",
    confirm: (amount: string) => `Type ${amount} to confirm`,
    send: "Refund now",
    request: "Request approval",
    back: "Change the amount",
    refunded: (money: string) => `${money} is refunded.`,
    accepted: (money: string) =>
      `The payment channel has accepted the refund of ${money}. This page shows when the refund is done.`,
    unknown: (money: string) =>
      `The payment channel did not respond, so it is not known whether ${money} is refunded. Tillkit repeats the refund with the same number. The customer cannot get the money twice.`,
    waiting: (money: string) =>
      `The refund of ${money} waits for the approval of a second operator. See Refunds.`,
  },
  {
    refund: "退款…",
    title: "对此订单退款",
    amount: "金额（元）",
    amountHelp: (max: string) => `最多 ${max}。`,
    check: "核对",
    invalid: "请输入金额，例如 12.50。",
    will: "退款金额",
    remains: "退款后剩余",
    number: "退款单号",
    wallet: "将向支付渠道发送",
    approval: "此退款需要另一位操作员批准后才会提交给支付渠道。",
    confirm: (amount: string) => `请输入 ${amount} 以确认`,
    send: "立即退款",
    request: "提交审批",
    back: "修改金额",
    refunded: (money: string) => `${money} 已退款成功。`,
    accepted: (money: string) => `支付渠道已受理退款 ${money}。页面会持续跟踪直到结束。`,
    unknown: (money: string) =>
      `支付渠道没有响应，退款 ${money} 的结果未知。系统会用同一退款单号重试，不会重复退款。`,
    waiting: (money: string) => `退款 ${money} 正在等待另一位操作员审批，可在“退款”页面查看。`,
  },
);
