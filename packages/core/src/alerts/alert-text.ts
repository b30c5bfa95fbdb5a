import type { Language } from "../errors/message.js";
import { EVENT_TEXT } from "../operations/event-text.js";
import { walletName } from "../operations/wallet-name.js";
import { moneyText } from "../shared/yuan.js";
import type { AttentionFacts, AttentionKind } from "./attention.js";

/** The texts of one kind of matter. */
interface KindText {
  /** The name of one matter, for the title. */
  readonly one: string;
  /** The name of several matters, for a list. */
  readonly many: string;
  /** What a person should do. */
  readonly advice: string;
}

/** The texts of alerts in one language. */
export interface AlertText {
  readonly kinds: Readonly<Record<AttentionKind, KindText>>;
  /** Describes a matter. `order` is the id of its order, or `-` if the matter has no order. */
  readonly fact: (facts: AttentionFacts, order: string, now: number) => string;
  readonly openFor: (duration: string) => string;
  readonly reminder: (number: number) => string;
  readonly digestTitle: (count: number) => string;
  readonly digestLine: (kind: string, count: number, duration: string) => string;
  readonly duration: (minutes: number) => string;
  readonly test: { readonly title: string; readonly line: string };
}

const DAY_MINUTES = 24 * 60;

/** Writes minutes as days, hours and minutes: the two largest parts that are not 0. */
function durationParts(minutes: number, units: readonly [string, string, string]): string {
  const whole = Math.max(0, Math.floor(minutes));
  const parts = [Math.floor(whole / DAY_MINUTES), Math.floor((whole % DAY_MINUTES) / 60), whole % 60];
  const texts = parts.flatMap((part, index) => (part === 0 ? [] : [`${part} ${units[index] ?? ""}`]));
  return texts.slice(0, 2).join(" ") || `0 ${units[2]}`;
}

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const amountText = (cents: number | undefined): string => (cents === undefined ? "-" : moneyText(cents));

/**
 * Returns the title of an event type. No text that a caller or an operator wrote enters a message.
 */
const eventText = (language: Language, type: string): string => {
  const events: Readonly<Record<string, string>> = EVENT_TEXT[language].titles;
  return Object.hasOwn(events, type) ? (events[type] ?? type) : type;
};

/** Describes a limit of SMS or of wrong codes. */
const subjectOfLimit: Readonly<
  Record<Language, (facts: Extract<AttentionFacts, { kind: "sms-limit-near" }>) => string>
> = {
  en: ({ scope, subject }) => {
    switch (scope) {
      case "sms-app":
        return `SMS of app ${subject}`;
      case "sms-country":
        return `SMS to country ${subject}`;
      case "sms-host":
        return "SMS of all apps";
      case "wrong-codes-app":
        return `Wrong SMS codes at app ${subject}`;
    }
  },
  zh: ({ scope, subject }) => {
    switch (scope) {
      case "sms-app":
        return `应用 ${subject} 的短信`;
      case "sms-country":
        return `发往 ${subject} 的短信`;
      case "sms-host":
        return "全部应用的短信";
      case "wrong-codes-app":
        return `应用 ${subject} 的错误验证码`;
    }
  },
};

const en: AlertText = {
  kinds: {
    "order-alarm": {
      one: "Order alarm",
      many: "Order alarms",
      advice: "Read the order's timeline, act, and acknowledge the alarm.",
    },
    "refund-abnormal": {
      one: "Abnormal refund",
      many: "Abnormal refunds",
      advice: "Pay the refund out to a bank card, or pay the customer by other means and settle the refund.",
    },
    "refund-waiting-for-funds": {
      one: "A refund waits for funds",
      many: "Refunds that wait for funds",
      advice:
        "Do what the alarm of the order says: in most cases, top up the balance at the wallet. The refund then continues by itself.",
    },
    "refund-overdue": {
      one: "Overdue refund",
      many: "Overdue refunds",
      advice:
        "Look for the refund at the wallet. Do not pay the customer by other means before it has ended.",
    },
    "approval-overdue": {
      one: "A refund waits for approval",
      many: "Refunds that wait for approval",
      advice: "Approve or reject it. The operator who requested it cannot.",
    },
    "bill-exception": {
      one: "Bill exception",
      many: "Bill exceptions",
      advice: "Find the cause, and resolve the exception with a note.",
    },
    "bill-days-missing": {
      one: "Bills were not compared",
      many: "Accounts with bills that were not compared",
      advice: "Look for the reason in the log, then run tillkit bills reconcile.",
    },
    "event-parked": {
      one: "Parked event",
      many: "Orders with parked events",
      advice: "Correct the handler. Then replay or skip the event with tillkit events.",
    },
    "sms-limit-near": {
      one: "SMS near a limit",
      many: "SMS limits nearly reached",
      advice: "Look for an attack. Block its prefixes in the policy, or raise the limit.",
    },
    "credential-expiring": {
      one: "A credential ends",
      many: "Credentials that end",
      advice: "Renew it at the wallet, and store it in the pay tool.",
    },
  },
  fact: (facts, order, now) => {
    switch (facts.kind) {
      case "order-alarm":
        return `Order ${order} of app ${facts.appId}: ${eventText("en", facts.type)}.`;
      case "refund-abnormal":
        return `Order ${order} of app ${facts.appId}: the money of a refund of ${amountText(facts.amount)} cannot reach the customer.`;
      case "refund-waiting-for-funds":
        return `Order ${order} of app ${facts.appId}: the merchant's balance is too small for a refund of ${amountText(facts.amount)}.`;
      case "refund-overdue":
        return `Order ${order} of app ${facts.appId}: the wallet has not confirmed a refund of ${amountText(facts.amount)}.`;
      case "approval-overdue":
        return `Order ${order} of app ${facts.appId}: a refund of ${amountText(facts.amount)} waits for a second operator.`;
      case "bill-exception":
        return `${walletName(facts.payChannel, "en")}, bill of ${facts.day}: ${facts.exception}, bill ${amountText(facts.amountThere)}, Tillkit ${amountText(facts.amountHere)}.`;
      case "bill-days-missing":
        return `${walletName(facts.payChannel, "en")} account ${facts.accountId}: the bills of ${facts.days} ${facts.days === 1 ? "day" : "days"} were not compared, the first is ${facts.firstDay}.`;
      case "event-parked":
        return `The handler ${facts.handler} failed to handle the events of order ${order} of app ${facts.appId}.`;
      case "sms-limit-near":
        return `${subjectOfLimit.en(facts)}: ${facts.used} of ${facts.limit} are used.`;
      case "credential-expiring":
        return `${facts.name} of ${walletName(facts.payChannel, "en")} for app ${facts.appId} ${facts.expiresAt <= now ? "ended" : "ends"} on ${dateOf(facts.expiresAt)}.`;
    }
  },
  openFor: (duration) => `Open for ${duration}.`,
  reminder: (number) => `Reminder ${number}.`,
  digestTitle: (count) => `${count} matters need a person`,
  digestLine: (kind, count, duration) => `${kind}: ${count}, the oldest for ${duration}`,
  duration: (minutes) => durationParts(minutes, ["d", "h", "min"]),
  test: { title: "Test message", line: "Alerts of this host arrive here." },
};

const zh: AlertText = {
  kinds: {
    "order-alarm": { one: "订单告警", many: "订单告警", advice: "请查看订单时间线，处理后确认告警。" },
    "refund-abnormal": {
      one: "退款异常",
      many: "退款异常",
      advice: "请将款项退至银行卡，或线下退款后登记。",
    },
    "refund-waiting-for-funds": {
      one: "退款余额不足，待充值",
      many: "余额不足、待充值的退款",
      advice: "请按订单告警处理，多数情况为商户账户充值，之后退款会自动继续。",
    },
    "refund-overdue": {
      one: "退款超时未完成",
      many: "超时未完成的退款",
      advice: "请到支付渠道查询该退款。在其结束之前，请勿线下退款。",
    },
    "approval-overdue": {
      one: "退款待审批",
      many: "待审批的退款",
      advice: "请审批或驳回。申请人本人不能审批。",
    },
    "bill-exception": { one: "对账差错", many: "对账差错", advice: "请查明原因，填写备注并处理差错。" },
    "bill-days-missing": {
      one: "账单未对账",
      many: "有未对账账单的商户号",
      advice: "请在日志中查找原因，然后运行 tillkit bills reconcile。",
    },
    "event-parked": {
      one: "事件已搁置",
      many: "有搁置事件的订单",
      advice: "请修正处理程序，然后用 tillkit events 重放或跳过该事件。",
    },
    "sms-limit-near": {
      one: "短信用量接近上限",
      many: "接近上限的短信用量",
      advice: "请排查是否有人盗刷短信，可在策略中屏蔽号段，或调高上限。",
    },
    "credential-expiring": {
      one: "凭据即将到期",
      many: "即将到期的凭据",
      advice: "请在支付渠道更新凭据，并存入收款配置。",
    },
  },
  fact: (facts, order, now) => {
    switch (facts.kind) {
      case "order-alarm":
        return `应用 ${facts.appId} 的订单 ${order}：${eventText("zh", facts.type)}。`;
      case "refund-abnormal":
        return `应用 ${facts.appId} 的订单 ${order}：${amountText(facts.amount)} 的退款无法退回客户。`;
      case "refund-waiting-for-funds":
        return `应用 ${facts.appId} 的订单 ${order}：商户余额不足，无法退款 ${amountText(facts.amount)}。`;
      case "refund-overdue":
        return `应用 ${facts.appId} 的订单 ${order}：支付渠道尚未确认 ${amountText(facts.amount)} 的退款。`;
      case "approval-overdue":
        return `应用 ${facts.appId} 的订单 ${order}：${amountText(facts.amount)} 的退款等待另一位操作员审批。`;
      case "bill-exception":
        return `${walletName(facts.payChannel, "zh")} ${facts.day} 的账单：${facts.exception}，渠道 ${amountText(facts.amountThere)}，本地 ${amountText(facts.amountHere)}。`;
      case "bill-days-missing":
        return `${walletName(facts.payChannel, "zh")}商户号 ${facts.accountId}：有 ${facts.days} 天的账单未对账，最早为 ${facts.firstDay}。`;
      case "event-parked":
        return `处理程序 ${facts.handler} 未能处理应用 ${facts.appId} 的订单 ${order} 的事件。`;
      case "sms-limit-near":
        return `${subjectOfLimit.zh(facts)}：已用 ${facts.used}，上限 ${facts.limit}。`;
      case "credential-expiring":
        return `应用 ${facts.appId} 的${walletName(facts.payChannel, "zh")}凭据 ${facts.name} ${facts.expiresAt <= now ? "已" : "将"}于 ${dateOf(facts.expiresAt)} 到期。`;
    }
  },
  openFor: (duration) => `已持续 ${duration}。`,
  reminder: (number) => `第 ${number} 次提醒。`,
  digestTitle: (count) => `${count} 件事需要人工处理`,
  digestLine: (kind, count, duration) => `${kind}：${count} 件，最早的已持续 ${duration}`,
  duration: (minutes) => durationParts(minutes, ["天", "小时", "分钟"]),
  test: { title: "测试消息", line: "该宿主程序的告警会发送到这里。" },
};

/** The texts of alerts in each language. */
export const ALERT_TEXT: Readonly<Record<Language, AlertText>> = { en, zh };
