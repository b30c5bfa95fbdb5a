import type { Language } from "../errors/message.js";
import type { Order } from "../orders/order.js";
import type { TimelineEventType } from "../orders/timeline.js";
import type { Refund, RefundStatus } from "../refunds/refund.js";
import { yuanText } from "../shared/money.js";

/** Who can be the actor of an event, beside operators. */
type KnownActor = "caller" | "wallet" | "expiry";

/** The sentences that make the story of an order, in one language. Times come in as text. */
export interface StoryWords {
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
  readonly asksNext: (at: string) => string;
  readonly asksSince: (at: string) => string;
  readonly asksNoMore: string;
  readonly pursuedNext: (at: string) => string;
  readonly pursuedSince: (at: string) => string;
  readonly closesFrom: (at: string) => string;
}

const en: StoryWords = {
  order: ({ bizNo, id, amount, payChannel, goodsTitle }) =>
    `Order ${bizNo} (${id}) asks for ${yuanText(amount)} yuan through ${payChannel} for "${goodsTitle}".`,
  events: {
    CREATED: "created",
    PAID: "paid",
    LATE_PAYMENT: "paid after it was closed",
    CLOSED: "closed",
    PREPAYMENT_REJECTED: "the wallet refused to prepare the payment",
    MISMATCH: "the wallet said something that does not fit",
    UNKNOWN_REFUND: "the wallet reported a refund that was not made here",
    REFUND_REQUESTED: "refund asked for",
    REFUND_SENT: "refund sent to the wallet",
    REFUND_CONFIRMED: "refund confirmed",
    REFUND_REFUSED: "refund refused without proof, and pursued",
    REFUND_FAILED: "refund failed",
    REFUNDED: "refunded in full",
  },
  actors: { caller: "the caller", wallet: "the wallet", expiry: "expiry" },
  operator: (name) => `operator ${name}`,
  event: (at, what, actor, reason) => `${at}: ${what}, by ${actor}: ${reason}.`,
  alarm: " This is an alarm: a person must look at it.",
  payable: (until) => `It is not known to be paid, and can be paid until ${until}.`,
  tooLate: (since) => `It is not known to be paid, and the time to pay it ended at ${since}.`,
  paid: (at, walletTradeNo) =>
    `It was paid at ${at}${walletTradeNo === undefined ? "" : `, under the wallet's number ${walletTradeNo}`}.`,
  closed: "It is closed and not known to be paid.",
  refunded: ({ refundedAmount, amount }) =>
    `${yuanText(refundedAmount)} of ${yuanText(amount)} yuan are refunded.`,
  refund: ({ refundNo, amount, reason }, actor) =>
    `Refund ${refundNo} of ${yuanText(amount)} yuan, by ${actor}: ${reason}.`,
  refundStates: {
    REQUESTED: " It is written down, and the wallet does not know of it yet.",
    SENT: " It is with the wallet, which has not said how it ended; do not refund in another way.",
    CONFIRMED: " The wallet has confirmed it.",
    FAILED: " The wallet has refused it; the amount can be refunded again, under a new number.",
  },
  alarms: (count) =>
    count === 0
      ? "Its timeline has no alarm."
      : `Alarms on its timeline: ${String(count)}. A person must look at each.`,
  chainHolds: (events) =>
    `The hash chain of its timeline holds over all events, ${String(events)} in number.`,
  chainBreaks: (seq) =>
    `The hash chain of its timeline breaks at event ${String(seq)}: from there on it is not what was written. Compare it with a backup and with the wallet's own record.`,
  noEvents:
    "Its timeline is empty, which no order's ever is: events were removed. Compare it with a backup and with the wallet's own record.",
  asksNext: (at) => `The wallet is asked about it next at ${at}.`,
  asksSince: (at) => `The wallet should have been asked about it at ${at}: see that reconcileOrders runs.`,
  asksNoMore: "The wallet is not asked about it again by itself; syncOrder asks now.",
  pursuedNext: (at) => ` It is pursued next at ${at}.`,
  pursuedSince: (at) => ` It should have been pursued at ${at}: see that reconcileOrders runs.`,
  closesFrom: (at) =>
    `If it stays unpaid, it is closed from ${at} on, as soon as the wallet says that it is closed there or never existed.`,
};

const zh: StoryWords = {
  order: ({ bizNo, id, amount, payChannel, goodsTitle }) =>
    `订单 ${bizNo}（${id}）：通过 ${payChannel} 收取 ${yuanText(amount)} 元，商品“${goodsTitle}”。`,
  events: {
    CREATED: "已创建",
    PAID: "已支付",
    LATE_PAYMENT: "关闭后才支付",
    CLOSED: "已关闭",
    PREPAYMENT_REJECTED: "钱包拒绝预下单",
    MISMATCH: "钱包所述与记录不符",
    UNKNOWN_REFUND: "钱包报告了并非由本服务发起的退款",
    REFUND_REQUESTED: "已申请退款",
    REFUND_SENT: "退款已发往钱包",
    REFUND_CONFIRMED: "退款已确认",
    REFUND_REFUSED: "退款遭拒但未经证实，继续跟进",
    REFUND_FAILED: "退款失败",
    REFUNDED: "已全额退款",
  },
  actors: { caller: "调用方", wallet: "钱包", expiry: "到期处理" },
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
    CONFIRMED: "钱包已确认。",
    FAILED: "钱包已拒绝，该金额可使用新的退款号再次退款。",
  },
  alarms: (count) =>
    count === 0 ? "时间线上没有告警。" : `时间线上有 ${String(count)} 条告警，每条均须人工处理。`,
  chainHolds: (events) => `时间线的哈希链完整，共 ${String(events)} 个事件。`,
  chainBreaks: (seq) =>
    `时间线的哈希链在第 ${String(seq)} 个事件处断裂，其后的内容已非原始记录。请与备份及钱包方的记录核对。`,
  noEvents: "时间线为空，而任何订单都不会没有事件：事件已被删除。请与备份及钱包方的记录核对。",
  asksNext: (at) => `下次向钱包查询的时间为 ${at}。`,
  asksSince: (at) => `本应于 ${at} 向钱包查询，请确认 reconcileOrders 正在运行。`,
  asksNoMore: "不会再自动向钱包查询；可用 syncOrder 立即查询。",
  pursuedNext: (at) => `下次跟进的时间为 ${at}。`,
  pursuedSince: (at) => `本应于 ${at} 跟进，请确认 reconcileOrders 正在运行。`,
  closesFrom: (at) => `若仍未支付，自 ${at} 起，一旦钱包确认该单已关闭或从未存在，即予关闭。`,
};

/** The words of each language. */
export const STORY_WORDS: Readonly<Record<Language, StoryWords>> = { en, zh };
