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
    `Order ${bizNo} (${id}) charges ${yuanText(amount)} yuan through ${payChannel} for "${goodsTitle}".`,
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
    ALARM_ACKNOWLEDGED: "alarm acknowledged",
  },
  actors: { caller: "the caller", wallet: "the wallet", expiry: "expiry", reconciler: "the reconciler" },
  operator: (name) => `operator ${name}`,
  event: (at, what, actor, reason) => `${at}: ${what}, by ${actor}: ${reason}.`,
  alarm: " This is an alarm: a person must look at it.",
  payable: (until) => `The customer can pay the order until ${until}.`,
  tooLate: (since) => `Tillkit knows of no payment. The time to pay ended at ${since}.`,
  paid: (at, walletTradeNo) =>
    `The order was paid at ${at}${walletTradeNo === undefined ? "" : `, under the wallet's number ${walletTradeNo}`}.`,
  closed: "The order is closed. Tillkit knows of no payment.",
  refunded: ({ refundedAmount, amount }) =>
    `${yuanText(refundedAmount)} of ${yuanText(amount)} yuan have been refunded.`,
  refund: ({ refundNo, amount, reason }, actor) =>
    `Refund ${refundNo} of ${yuanText(amount)} yuan, by ${actor}: ${reason}.`,
  refundStates: {
    REQUESTED: " It is stored, and Tillkit has not sent it to the wallet yet.",
    SENT: " Tillkit sent it to the wallet, and the result is not known yet. Do not refund by other means.",
    WAITING_FOR_FUNDS:
      " The merchant's balance at the wallet is too small. Top up the account. The refund then continues automatically.",
    ABNORMAL:
      " The money has left the merchant's account, but could not reach the customer. The wallet holds it. Pay it out to a bank card (applyAbnormalRefund, `tillkit orders pay-out-refund`), or pay the customer by other means and record that (settleRefund, `tillkit orders settle-refund`).",
    CONFIRMED: " The wallet has confirmed it.",
    FAILED:
      " The wallet refused or closed it. Refund the amount again with a new number, or pay the customer by other means and record that (settleRefund, `tillkit orders settle-refund`).",
    SETTLED: " An operator recorded that the merchant paid the customer by other means.",
  },
  alarms: (count) =>
    count === 0
      ? "The timeline has no open alarm."
      : `Open alarms on the timeline: ${String(count)}. A person must look at each alarm.`,
  chainHolds: (events) => `The hash chain of the timeline is valid for all ${String(events)} events.`,
  chainBreaks: (seq) =>
    `The hash chain of the timeline is broken at event ${String(seq)}: this event or the one before it was changed or removed. Compare the timeline with a backup and with the wallet's records.`,
  noEvents:
    "The timeline is empty, so events were deleted from the database. Compare the timeline with a backup and with the wallet's records.",
  nextQuery: (at) => `The next query of the wallet about the order is at ${at}.`,
  queryOverdue: (at) => `The query of the wallet at ${at} is overdue: check that reconcileOrders runs.`,
  noFurtherQuery: "No further query of the wallet is scheduled. Call syncOrder to query the wallet now.",
  nextRefundQuery: (at) => ` The next query of the wallet about the refund is at ${at}.`,
  refundQueryOverdue: (at) =>
    ` The query of the wallet at ${at} is overdue: check that reconcileOrders runs.`,
  closesAfter: (at) =>
    `If the order stays unpaid, Tillkit closes it after ${at}, when the wallet confirms that the order is closed or does not exist.`,
};

const zh: ExplanationText = {
  order: ({ bizNo, id, amount, payChannel, goodsTitle }) =>
    `订单 ${bizNo}（${id}）：通过 ${payChannel} 收取 ${yuanText(amount)} 元，商品“${goodsTitle}”。`,
  events: {
    CREATED: "已创建",
    PAID: "已支付",
    LATE_PAYMENT: "关闭后支付",
    IMPORTED: "从其他服务导入",
    CONNECTED: "已关联支付工具",
    CLOSED: "已关闭",
    PREPAYMENT_REJECTED: "钱包拒绝了下单请求",
    MISMATCH: "钱包返回的数据与订单不符",
    UNKNOWN_REFUND: "钱包报告了一笔并非由 Tillkit 发起的退款",
    REFUND_REQUESTED: "已申请退款",
    REFUND_SENT: "退款已提交至钱包",
    REFUND_CONFIRMED: "退款已确认",
    REFUND_REFUSED: "钱包在未签名的响应中拒绝了退款，Tillkit 将继续查询",
    REFUND_FAILED: "退款失败",
    REFUND_WAITING_FOR_FUNDS: "退款等待商户充值",
    REFUND_ABNORMAL: "退款异常：资金未能退回客户",
    REFUND_PROCESSING: "钱包已受理退款",
    REFUND_PAYOUT: "已申请支付异常退款",
    REFUND_PAYOUT_REFUSED: "异常退款的支付申请被拒绝",
    REFUND_OVERDUE: "退款超时未完成",
    REFUND_SETTLED: "已登记以其他方式退款",
    REFUND_PAID_TWICE: "登记以其他方式退款后，钱包又确认了该退款",
    REFUNDED: "已全额退款",
    ALARM_ACKNOWLEDGED: "告警已确认",
  },
  actors: { caller: "调用方", wallet: "钱包", expiry: "到期处理", reconciler: "对账任务" },
  operator: (name) => `操作员 ${name}`,
  event: (at, what, actor, reason) => `${at}：${what}（${actor}：${reason}）。`,
  alarm: "此为告警，需要人工处理。",
  payable: (until) => `客户可在 ${until} 前支付。`,
  tooLate: (since) => `未收到支付结果，支付期限已于 ${since} 截止。`,
  paid: (at, walletTradeNo) =>
    `已于 ${at} 支付${walletTradeNo === undefined ? "" : `，钱包交易号为 ${walletTradeNo}`}。`,
  closed: "订单已关闭，未收到支付结果。",
  refunded: ({ refundedAmount, amount }) =>
    `订单金额 ${yuanText(amount)} 元，已退款 ${yuanText(refundedAmount)} 元。`,
  refund: ({ refundNo, amount, reason }, actor) =>
    `退款 ${refundNo}，${yuanText(amount)} 元（${actor}：${reason}）。`,
  refundStates: {
    REQUESTED: "已登记，尚未提交至钱包。",
    SENT: "已提交至钱包，结果未知。请勿以其他方式退款。",
    WAITING_FOR_FUNDS: "商户在钱包的余额不足，请充值。充值后，该退款会自动继续。",
    ABNORMAL:
      "资金已从商户账户扣除，但未能退回客户，目前由钱包保管。请将该款项付至银行卡（applyAbnormalRefund，`tillkit orders pay-out-refund`），或以其他方式退款给客户并登记（settleRefund，`tillkit orders settle-refund`）。",
    CONFIRMED: "钱包已确认。",
    FAILED:
      "钱包已拒绝或关闭该退款。请使用新的退款号再次退款，或以其他方式退款给客户并登记（settleRefund，`tillkit orders settle-refund`）。",
    SETTLED: "操作员已登记：商户已通过其他方式退款给客户。",
  },
  alarms: (count) =>
    count === 0
      ? "时间线上没有未确认的告警。"
      : `时间线上有 ${String(count)} 条未确认的告警，每条都需要人工处理。`,
  chainHolds: (events) => `时间线的哈希链完整，共 ${String(events)} 个事件。`,
  chainBreaks: (seq) =>
    `时间线的哈希链在第 ${String(seq)} 个事件处断裂：该事件或其前一个事件已被修改或删除。请与备份和钱包的记录核对。`,
  noEvents: "时间线为空，说明事件已从数据库中删除。请与备份和钱包的记录核对。",
  nextQuery: (at) => `下次向钱包查询的时间为 ${at}。`,
  queryOverdue: (at) => `原定于 ${at} 的钱包查询尚未执行，请检查 reconcileOrders 是否正在运行。`,
  noFurtherQuery: "没有计划中的钱包查询。如需立即查询，请使用 syncOrder。",
  nextRefundQuery: (at) => `下次向钱包查询该退款的时间为 ${at}。`,
  refundQueryOverdue: (at) => `原定于 ${at} 的退款查询尚未执行，请检查 reconcileOrders 是否正在运行。`,
  closesAfter: (at) =>
    `如果订单仍未支付，${at} 之后，一旦钱包确认订单已关闭或不存在，Tillkit 就会关闭该订单。`,
};

/** The sentences in each language. */
export const EXPLANATION_TEXT: Readonly<Record<Language, ExplanationText>> = { en, zh };
