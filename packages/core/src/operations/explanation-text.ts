import type { Language } from "../errors/message.js";
import type { StatementSource } from "../orders/event-details.js";
import type { Order } from "../orders/order.js";
import type { RefundStatus } from "../orders/refund-status.js";
import type { Shipment } from "../orders/shipment.js";
import type { Refund } from "../refunds/refund.js";
import { moneyText } from "../shared/yuan.js";
import { proofText, spaced } from "./event-text.js";

/**
 * The sentences that explain an order, in one language. Times are passed as formatted text.
 *
 * `wallet` is the name of the payment channel, such as `WeChat Pay`.
 */
export interface ExplanationText {
  readonly order: (order: Order, wallet: string) => string;
  /** The names of the options that the wallet gets. Their values may be personal. */
  readonly options: (names: readonly string[], wallet: string) => string;
  /** A sentence of the timeline with its time. */
  readonly event: (at: string, sentence: string) => string;
  readonly alarm: string;
  readonly proof: ProofText;
  readonly payable: (until: string) => string;
  readonly tooLate: (since: string) => string;
  readonly paid: (at: string, wallet: string, walletTradeNo: string | undefined) => string;
  readonly closed: string;
  readonly refunded: (order: Order) => string;
  readonly refund: (refund: Refund, actor: string) => string;
  readonly refundStates: Readonly<Record<RefundStatus, (wallet: string) => string>>;
  readonly alarms: (count: number) => string;
  readonly chainHolds: (events: number) => string;
  readonly chainBreaks: (seq: number) => string;
  readonly noEvents: string;
  readonly nextQuery: (at: string, wallet: string) => string;
  readonly queryOverdue: (at: string, wallet: string) => string;
  readonly noFurtherQuery: (wallet: string) => string;
  readonly nextRefundQuery: (at: string, wallet: string) => string;
  readonly refundQueryOverdue: (at: string, wallet: string) => string;
  readonly closesAfter: (at: string, wallet: string) => string;
  /**
   * The state of the report that the customer has got the goods.
   *
   * `at` is the time of the next attempt.
   */
  readonly shipment: Readonly<Record<Shipment["state"], (wallet: string, at: string) => string>>;
  readonly shipmentOverdue: (wallet: string, at: string) => string;
  readonly openRefund: (refundNo: string, at: string, wallet: string) => string;
  readonly openRefundOverdue: (refundNo: string, at: string, wallet: string) => string;
}

/** Texts about the status of an order, who confirmed it, and when. */
interface ProofText {
  readonly asked: (wallet: string, nextQuery: string) => string;
  readonly overdue: (wallet: string, nextQuery: string) => string;
  readonly notAsked: (wallet: string) => string;
  readonly paid: (source: StatementSource, wallet: string, at: string) => string;
  readonly refunded: (actor: string, at: string) => string;
  readonly closed: (sentence: string, at: string) => string;
  readonly imported: (actor: string, at: string, wallet: string) => string;
  readonly unknown: string;
}

const en: ExplanationText = {
  order: ({ bizNo, id, amount, goodsTitle }, wallet) =>
    `Order ${bizNo} (${id}) charges ${moneyText(amount)} through ${wallet} for "${goodsTitle}".`,
  options: (names, wallet) => ` ${wallet} gets these options with it: ${names.join(", ")}.`,
  event: (at, sentence) => `${at}: ${sentence}.`,
  alarm: " This is an alarm: a person must look at it.",
  proof: {
    asked: (wallet, nextQuery) => `No payment is known. Tillkit asks ${wallet} again at ${nextQuery}`,
    overdue: (wallet, nextQuery) =>
      `It is not known whether the order is paid. The query of ${wallet} at ${nextQuery} is overdue`,
    notAsked: (wallet) => `No payment is known. Tillkit does not ask ${wallet} again by itself: use Sync`,
    paid: (source, wallet, at) => `Paid, confirmed by ${proofText(source, wallet, "en")} at ${at}`,
    refunded: (actor, at) => `Refunded in full, confirmed by ${actor} at ${at}`,
    closed: (sentence, at) => `${sentence} (${at})`,
    imported: (actor, at, wallet) =>
      `Imported with this status by ${actor} at ${at}. ${wallet} has not confirmed it to Tillkit`,
    unknown: "The timeline does not contain who confirmed this status",
  },
  payable: (until) => `The customer can pay the order until ${until}.`,
  tooLate: (since) => `Tillkit knows of no payment. The time to pay ended at ${since}.`,
  paid: (at, wallet, walletTradeNo) =>
    `The order was paid at ${at}${walletTradeNo === undefined ? "" : `, under ${wallet}'s number ${walletTradeNo}`}.`,
  closed: "The order is closed. Tillkit knows of no payment.",
  refunded: ({ refundedAmount, amount }) =>
    `${moneyText(refundedAmount)} of ${moneyText(amount)} have been refunded.`,
  refund: ({ refundNo, amount, reason }, actor) =>
    `Refund ${refundNo} of ${moneyText(amount)}, by ${actor}: ${reason}.`,
  refundStates: {
    REQUESTED: (wallet) => ` It is stored, and Tillkit has not sent it to ${wallet} yet.`,
    SENT: (wallet) =>
      ` Tillkit sent it to ${wallet}, and the result is not known yet. Do not refund by other means.`,
    WAITING_FOR_FUNDS: (wallet) =>
      ` ${wallet} cannot pay it yet. Do what the alarm says: in most cases, top up the account. The refund then continues automatically.`,
    ABNORMAL: (wallet) =>
      ` The money has left the merchant's account, but could not reach the customer. ${wallet} holds it. Pay it out to a bank card (\`tillkit orders pay-out-refund\`), or record that you pay the customer by other means (\`tillkit refunds settle\`), and pay then.`,
    CONFIRMED: (wallet) => ` Confirmed by ${wallet}.`,
    FAILED: (wallet) =>
      ` Refused or closed by ${wallet}. Refund the amount again with a new number, or record that you pay the customer by other means (\`tillkit refunds settle\`), and pay then.`,
    WITHDRAWN: (wallet) =>
      ` Withdrawn by an operator: ${wallet} had none with its number, which is never sent again.`,
    SETTLED: () => " An operator recorded that the merchant pays the customer by other means.",
  },
  alarms: (count) =>
    count === 0
      ? "The timeline has no open alarm."
      : `Open alarms on the timeline: ${String(count)}. A person must look at each alarm.`,
  chainHolds: (events) => `The hash chain of the timeline is valid (events: ${String(events)}).`,
  chainBreaks: (seq) =>
    `The hash chain of the timeline is broken at event ${String(seq)}: this event or the one before it was changed or removed. Compare the timeline with a backup and with the wallet's records.`,
  noEvents:
    "The timeline is empty, so events were deleted from the database. Compare the timeline with a backup and with the wallet's records.",
  nextQuery: (at, wallet) => `The next query of ${wallet} about the order is at ${at}.`,
  queryOverdue: (at, wallet) =>
    `The query of ${wallet} at ${at} is overdue: check that reconcileOrders runs.`,
  noFurtherQuery: (wallet) =>
    `No further query of ${wallet} is scheduled. Use Sync (\`tillkit orders sync\`) to query ${wallet} now.`,
  nextRefundQuery: (at, wallet) => ` The next query of ${wallet} about the refund is at ${at}.`,
  refundQueryOverdue: (at, wallet) =>
    ` The query of ${wallet} at ${at} is overdue: check that reconcileOrders runs.`,
  shipment: {
    waiting: (wallet, at) => `The delivery is not reported to ${wallet} yet. Tillkit reports it at ${at}.`,
    retrying: (wallet, at) =>
      `The delivery is not reported to ${wallet}: see the alarm. ${wallet} may keep the money until it has the report. Tillkit tries again at ${at}.`,
    reported: (wallet) => `${wallet} has the report of the delivery.`,
    failed: (wallet) =>
      `${wallet} refused the report of the delivery, and may keep the money until it has one. Correct what the alarm names, then use \`tillkit orders report-shipment\`.`,
    ended: (wallet) => `The delivery was not reported to ${wallet}: see the timeline.`,
  },
  shipmentOverdue: (wallet, at) =>
    `The delivery is not reported to ${wallet} yet. The report at ${at} is overdue: check that reconcileOrders runs.`,
  openRefund: (refundNo, at, wallet) =>
    `The refund ${refundNo} is open. The next query of ${wallet} about it is at ${at}.`,
  openRefundOverdue: (refundNo, at, wallet) =>
    `The refund ${refundNo} is open. The query of ${wallet} at ${at} is overdue: check that reconcileOrders runs, or use Sync.`,
  closesAfter: (at, wallet) =>
    `If the order stays unpaid, Tillkit closes it after ${at}, when ${wallet} confirms that the order is closed or does not exist.`,
};

const zh: ExplanationText = {
  order: ({ bizNo, id, amount, goodsTitle }, wallet) =>
    `订单 ${bizNo}（${id}）：通过${wallet}收取 ${moneyText(amount)}，商品“${goodsTitle}”。`,
  options: (names, wallet) => `提交给${wallet}的选项：${names.join("、")}。`,
  event: (at, sentence) => `${at}：${sentence}。`,
  alarm: "此为告警，需要人工处理。",
  proof: {
    asked: (wallet, nextQuery) => `未查询到支付记录，Tillkit 将于 ${nextQuery} 再次查询${wallet}`,
    overdue: (wallet, nextQuery) => `支付结果未知，原定于 ${nextQuery} 向${wallet}的查询尚未执行`,
    notAsked: (wallet) => `未查询到支付记录。Tillkit 不会再自动查询${wallet}，请使用“同步”`,
    paid: (source, wallet, at) => `已支付，由${proofText(source, wallet, "zh")}于 ${at} 确认`,
    refunded: (actor, at) => `已全额退款，由${spaced(actor)}于 ${at} 确认`,
    closed: (sentence, at) => `${sentence}（${at}）`,
    imported: (actor, at, wallet) => `${actor} 于 ${at} 导入订单时的状态，${wallet}尚未向 Tillkit 确认`,
    unknown: "时间线中没有确认此状态的记录",
  },
  payable: (until) => `客户可在 ${until} 前支付。`,
  tooLate: (since) => `未查询到支付记录，支付期限已于 ${since} 截止。`,
  paid: (at, wallet, walletTradeNo) =>
    `已于 ${at} 支付${walletTradeNo === undefined ? "" : `，${wallet}的渠道交易号为 ${walletTradeNo}`}。`,
  closed: "订单已关闭，未查询到支付记录。",
  refunded: ({ refundedAmount, amount }) =>
    `订单金额 ${moneyText(amount)}，已退款 ${moneyText(refundedAmount)}。`,
  refund: ({ refundNo, amount, reason }, actor) =>
    `退款 ${refundNo}，${moneyText(amount)}（${actor}：${reason}）。`,
  refundStates: {
    REQUESTED: (wallet) => `已登记，尚未提交至${wallet}。`,
    SENT: (wallet) => `${wallet}处理中，结果未知。请勿以其他方式退款。`,
    WAITING_FOR_FUNDS: (wallet) =>
      `${wallet}暂时无法完成该退款，请按告警处理，多数情况为充值。之后该退款会自动继续。`,
    ABNORMAL: (wallet) =>
      `资金已从商户账户扣除，但未能退回客户，目前由${wallet}保管。请将该款项打款至银行卡（\`tillkit orders pay-out-refund\`），或先登记线下退款（\`tillkit refunds settle\`），再以其他方式付款给客户。`,
    CONFIRMED: (wallet) => `${wallet}已确认退款成功。`,
    FAILED: (wallet) =>
      `${wallet}已拒绝或关闭该退款。请使用新的退款单号再次退款，或先登记线下退款（\`tillkit refunds settle\`），再以其他方式付款给客户。`,
    WITHDRAWN: (wallet) => `运营人员已撤回：${wallet}没有该单号的退款，此单号不会再提交。`,
    SETTLED: () => "运营人员已登记线下退款。",
  },
  alarms: (count) =>
    count === 0
      ? "时间线上没有未确认的告警。"
      : `时间线上有 ${String(count)} 条未确认的告警，每条都需要人工处理。`,
  chainHolds: (events) => `时间线的哈希链完整，共 ${String(events)} 个事件。`,
  chainBreaks: (seq) =>
    `时间线的哈希链在第 ${String(seq)} 个事件处断裂：该事件或其前一个事件已被修改或删除。请与备份和支付渠道的记录核对。`,
  noEvents: "时间线为空，说明事件已从数据库中删除。请与备份和支付渠道的记录核对。",
  nextQuery: (at, wallet) => `下次向${wallet}查询的时间为 ${at}。`,
  queryOverdue: (at, wallet) =>
    `原定于 ${at} 向${wallet}的查询尚未执行，请检查查单任务（reconcileOrders）是否正在运行。`,
  noFurtherQuery: (wallet) =>
    `没有计划中的${wallet}查询。如需立即查询，请使用“同步”（\`tillkit orders sync\`）。`,
  nextRefundQuery: (at, wallet) => `下次向${wallet}查询该退款的时间为 ${at}。`,
  refundQueryOverdue: (at, wallet) =>
    `原定于 ${at} 向${wallet}的退款查询尚未执行，请检查查单任务（reconcileOrders）是否正在运行。`,
  shipment: {
    waiting: (wallet, at) => `尚未向${wallet}上报发货信息，Tillkit 将于 ${at} 上报。`,
    retrying: (wallet, at) =>
      `未能向${wallet}上报发货信息，见告警。上报之前资金可能一直冻结。Tillkit 将于 ${at} 重试。`,
    reported: (wallet) => `${wallet}已有该订单的发货信息。`,
    failed: (wallet) =>
      `${wallet}拒绝了发货信息，上报之前资金可能一直冻结。请按告警更正，然后使用 \`tillkit orders report-shipment\` 重新上报。`,
    ended: (wallet) => `未向${wallet}上报发货信息，见时间线。`,
  },
  shipmentOverdue: (wallet, at) =>
    `尚未向${wallet}上报发货信息，原定于 ${at} 的上报尚未执行，请检查查单任务（reconcileOrders）是否正在运行。`,
  openRefund: (refundNo, at, wallet) => `退款 ${refundNo} 尚未结束，下次向${wallet}查询的时间为 ${at}。`,
  openRefundOverdue: (refundNo, at, wallet) =>
    `退款 ${refundNo} 尚未结束，原定于 ${at} 向${wallet}的查询尚未执行，请检查查单任务（reconcileOrders）是否正在运行，或使用“同步”。`,
  closesAfter: (at, wallet) =>
    `如果订单仍未支付，${at} 之后，一旦${wallet}确认订单已关闭或不存在，Tillkit 就会关闭该订单。`,
};

/** The sentences in each language. */
export const EXPLANATION_TEXT: Readonly<Record<Language, ExplanationText>> = { en, zh };
