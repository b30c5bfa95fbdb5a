import type { Language } from "../errors/message.js";
import type { Order } from "../orders/order.js";
import type { TimelineEventType } from "../orders/timeline.js";
import type { Refund, RefundStatus } from "../refunds/refund.js";
import { yuanText } from "../shared/yuan.js";

/** The actors of events, other than operators. */
type KnownActor = "caller" | "wallet" | "expiry" | "reconciler";

/** The sentences that explain an order, in one language. Times are passed as formatted text. */
export interface ExplanationText {
  readonly order: (order: Order) => string;
  readonly events: Readonly<Record<TimelineEventType, string>>;
  readonly actors: Readonly<Record<KnownActor, string>>;
  readonly operator: (name: string) => string;
  readonly event: (at: string, what: string, actor: string, reason: string) => string;
  readonly alarm: string;
  readonly payable: (until: string) => string;
  readonly tooLate: (since: string) => string;
  readonly paid: (at: string, walletTradeNo: string | undefined) => string;
  readonly closed: string;
  readonly refunded: (order: Order) => string;
  readonly refund: (refund: Refund, actor: string) => string;
  readonly refundStates: Readonly<Record<RefundStatus, string>>;
  readonly alarms: (count: number) => string;
  readonly chainHolds: (events: number) => string;
  readonly chainBreaks: (seq: number) => string;
  readonly noEvents: string;
  readonly nextQuery: (at: string) => string;
  readonly queryOverdue: (at: string) => string;
  readonly noFurtherQuery: string;
  readonly nextRefundQuery: (at: string) => string;
  readonly refundQueryOverdue: (at: string) => string;
  readonly closesAfter: (at: string) => string;
}

const en: ExplanationText = {
  order: ({ bizNo, id, amount, payChannel, goodsTitle }) =>
    `Order ${bizNo} (${id}) asks for ${yuanText(amount)} yuan through ${payChannel} for "${goodsTitle}".`,
  events: {
    CREATED: "created",
    IMPORTED: "imported from another service",
    CONNECTED: "connected to a pay tool",
    PAID: "paid",
    LATE_PAYMENT: "paid after it was closed",
    CLOSED: "closed",
    PREPAYMENT_REJECTED: "the wallet refused to prepare the payment",
    MISMATCH: "the wallet's report does not match the order",
    UNKNOWN_REFUND: "the wallet reported a refund that Tillkit did not make",
    REFUND_REQUESTED: "refund requested",
    REFUND_SENT: "refund sent to the wallet",
    REFUND_CONFIRMED: "refund confirmed",
    REFUND_REFUSED: "refund refused by an unsigned response; Tillkit continues to query",
    REFUND_FAILED: "refund failed",
    REFUND_WAITING_FOR_FUNDS: "refund waiting for funds",
    REFUND_ABNORMAL: "refund abnormal: the money could not reach the customer",
    REFUND_PROCESSING: "refund accepted by the wallet",
    REFUND_PAYOUT: "payout of the abnormal refund requested",
    REFUND_PAYOUT_REFUSED: "payout of the abnormal refund refused",
    REFUND_OVERDUE: "refund overdue",
    REFUND_SETTLED: "refund settled by other means",
    REFUND_PAID_TWICE: "refund confirmed after it had been settled by other means",
    REFUNDED: "refunded in full",
  },
  actors: { caller: "the caller", wallet: "the wallet", expiry: "expiry", reconciler: "the reconciler" },
  operator: (name) => `operator ${name}`,
  event: (at, what, actor, reason) => `${at}: ${what}, by ${actor}: ${reason}.`,
  alarm: " This is an alarm: a person must look at it.",
  payable: (until) => `The customer can pay it until ${until}.`,
  tooLate: (since) => `No payment is known, and the time to pay ended at ${since}.`,
  paid: (at, walletTradeNo) =>
    `It was paid at ${at}${walletTradeNo === undefined ? "" : `, under the wallet's number ${walletTradeNo}`}.`,
  closed: "It is closed, and no payment is known.",
  refunded: ({ refundedAmount, amount }) =>
    `${yuanText(refundedAmount)} of ${yuanText(amount)} yuan have been refunded.`,
  refund: ({ refundNo, amount, reason }, actor) =>
    `Refund ${refundNo} of ${yuanText(amount)} yuan, by ${actor}: ${reason}.`,
  refundStates: {
    REQUESTED: " It is stored, and Tillkit has not sent it to the wallet yet.",
    SENT: " Tillkit sent it to the wallet, and the result is not known yet. Do not refund in another way.",
    WAITING_FOR_FUNDS:
      " The merchant's balance at the wallet is too small. Top up the account. The refund then continues by itself.",
    ABNORMAL:
      " The money has left the merchant's account, but could not reach the customer. The wallet holds it. Pay it out to a bank card (applyAbnormalRefund, `tillkit orders pay-out-refund`), or pay the customer by other means and record that (settleRefund, `tillkit orders settle-refund`).",
    CONFIRMED: " The wallet has confirmed it.",
    FAILED:
      " The wallet refused or closed it. Refund the amount again with a new number, or pay the customer by other means and record that (settleRefund, `tillkit orders settle-refund`).",
    SETTLED: " An operator recorded that the merchant paid the customer by other means.",
  },
  alarms: (count) =>
    count === 0
      ? "Its timeline has no alarm."
      : `Alarms on its timeline: ${String(count)}. A person must look at each.`,
  chainHolds: (events) => `The hash chain of its timeline is valid for all ${String(events)} events.`,
  chainBreaks: (seq) =>
    `The hash chain of its timeline is broken at event ${String(seq)}: this event or the one before it was changed or removed. Compare the timeline with a backup and with the wallet's records.`,
  noEvents:
    "Its timeline is empty, so events were deleted from the database. Compare the timeline with a backup and with the wallet's records.",
  nextQuery: (at) => `Tillkit queries the wallet about it next at ${at}.`,
  queryOverdue: (at) => `The query of the wallet at ${at} is overdue: check that reconcileOrders runs.`,
  noFurtherQuery: "No further query of the wallet is scheduled. syncOrder queries it now.",
  nextRefundQuery: (at) => ` Tillkit queries the wallet about it next at ${at}.`,
  refundQueryOverdue: (at) =>
    ` The query of the wallet at ${at} is overdue: check that reconcileOrders runs.`,
  closesAfter: (at) =>
    `If it stays unpaid, Tillkit closes it after ${at}, when the wallet confirms that it is closed there or does not exist.`,
};

const zh: ExplanationText = {
  order: ({ bizNo, id, amount, payChannel, goodsTitle }) =>
    `订单 ${bizNo}（${id}）：通过 ${payChannel} 收取 ${yuanText(amount)} 元，商品“${goodsTitle}”。`,
  events: {
    CREATED: "已创建",
    PAID: "已支付",
    LATE_PAYMENT: "关闭后才支付",
    IMPORTED: "从其他服务导入",
    CONNECTED: "已关联支付工具",
    CLOSED: "已关闭",
    PREPAYMENT_REJECTED: "钱包拒绝预下单",
    MISMATCH: "钱包所述与记录不符",
    UNKNOWN_REFUND: "钱包报告了并非由本服务发起的退款",
    REFUND_REQUESTED: "已申请退款",
    REFUND_SENT: "退款已发往钱包",
    REFUND_CONFIRMED: "退款已确认",
    REFUND_REFUSED: "退款遭拒但未经证实，继续跟进",
    REFUND_FAILED: "退款失败",
    REFUND_WAITING_FOR_FUNDS: "余额不足，退款等待充值",
    REFUND_ABNORMAL: "退款异常：资金未能退到客户",
    REFUND_PROCESSING: "钱包已受理退款",
    REFUND_PAYOUT: "已申请异常退款出款",
    REFUND_PAYOUT_REFUSED: "异常退款出款遭拒",
    REFUND_OVERDUE: "退款超期未完成",
    REFUND_SETTLED: "已以其他方式退款给客户",
    REFUND_PAID_TWICE: "以其他方式退款后，钱包又确认了退款",
    REFUNDED: "已全额退款",
  },
  actors: { caller: "调用方", wallet: "钱包", expiry: "到期处理", reconciler: "对账任务" },
  operator: (name) => `操作员 ${name}`,
  event: (at, what, actor, reason) => `${at}：${what}（${actor}：${reason}）。`,
  alarm: "此为告警，须人工处理。",
  payable: (until) => `尚未得知已支付，可支付至 ${until}。`,
  tooLate: (since) => `尚未得知已支付，支付期限已于 ${since} 结束。`,
  paid: (at, walletTradeNo) =>
    `已于 ${at} 支付${walletTradeNo === undefined ? "" : `，钱包交易号为 ${walletTradeNo}`}。`,
  closed: "订单已关闭，未得知已支付。",
  refunded: ({ refundedAmount, amount }) =>
    `共 ${yuanText(amount)} 元，已退款 ${yuanText(refundedAmount)} 元。`,
  refund: ({ refundNo, amount, reason }, actor) =>
    `退款 ${refundNo}，${yuanText(amount)} 元（${actor}：${reason}）。`,
  refundStates: {
    REQUESTED: "已登记，钱包尚不知晓。",
    SENT: "已提交钱包，结果未知；请勿以其他方式退款。",
    WAITING_FOR_FUNDS: "商户在钱包的余额不足。请充值；充值后退款以原退款号自动继续。",
    ABNORMAL:
      "资金已从商户账户扣除，但未能退到客户，仍停留在钱包。请将其付至银行卡（applyAbnormalRefund，`tillkit orders pay-out-refund`），或以其他方式退款给客户并登记（settleRefund，`tillkit orders settle-refund`）。",
    CONFIRMED: "钱包已确认。",
    FAILED:
      "钱包已拒绝或关闭。该金额可使用新的退款号再次退款；也可以其他方式退款给客户并登记（settleRefund，`tillkit orders settle-refund`）。",
    SETTLED: "操作员已登记：商户以其他方式退款给客户。",
  },
  alarms: (count) =>
    count === 0 ? "时间线上没有告警。" : `时间线上有 ${String(count)} 条告警，每条均须人工处理。`,
  chainHolds: (events) => `时间线的哈希链完整，共 ${String(events)} 个事件。`,
  chainBreaks: (seq) =>
    `时间线的哈希链在第 ${String(seq)} 个事件处断裂，其后的内容已非原始记录。请与备份及钱包方的记录核对。`,
  noEvents: "时间线为空，而任何订单都不会没有事件：事件已被删除。请与备份及钱包方的记录核对。",
  nextQuery: (at) => `下次向钱包查询的时间为 ${at}。`,
  queryOverdue: (at) => `本应于 ${at} 向钱包查询，请确认 reconcileOrders 正在运行。`,
  noFurtherQuery: "不会再自动向钱包查询；可用 syncOrder 立即查询。",
  nextRefundQuery: (at) => `下次跟进的时间为 ${at}。`,
  refundQueryOverdue: (at) => `本应于 ${at} 跟进，请确认 reconcileOrders 正在运行。`,
  closesAfter: (at) => `若仍未支付，自 ${at} 起，一旦钱包确认该单已关闭或从未存在，即予关闭。`,
};

/** The sentences in each language. */
export const EXPLANATION_TEXT: Readonly<Record<Language, ExplanationText>> = { en, zh };
