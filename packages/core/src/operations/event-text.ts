import type { Language } from "../errors/message.js";
import type {
  ErasedText,
  EventDetails,
  StatementDifference,
  StatementSource,
  TimelineEventType,
} from "../orders/event-details.js";
import type { RefundStatus } from "../orders/refund-status.js";
import { moneyText } from "../shared/yuan.js";
import type { FundsRemedy } from "../wallets/wallet.js";

/** The names that the sentence of an event contains. */
export interface EventNames {
  /** Who caused the event. */
  readonly who: string;
  /** The payment channel, such as `WeChat Pay`. */
  readonly wallet: string;
}

/** The sentences of events, in one language, without a full stop at their end. */
export interface EventText {
  /** Adds the reason that a person gave to a sentence. */
  readonly because: (sentence: string, reason: string) => string;
  /** A sentence of an event whose details cannot be read. */
  readonly unreadable: (title: string, who: string) => string;
  /** Adds the number of the refund to a sentence, for a text about several refunds. */
  readonly about: (sentence: string, refundNo: string) => string;
  readonly titles: Readonly<Record<TimelineEventType, string>>;
  readonly sentences: {
    readonly [T in TimelineEventType]: (details: EventDetails[T], names: EventNames) => string;
  };
}

const STATUS_EN: Readonly<Record<RefundStatus, string>> = {
  REQUESTED: "stored, but not sent",
  SENT: "sent, without a result",
  WAITING_FOR_FUNDS: "waiting for funds",
  ABNORMAL: "abnormal",
  CONFIRMED: "confirmed",
  FAILED: "failed",
  WITHDRAWN: "withdrawn",
  SETTLED: "settled by other means",
};

/** The end of a sentence: why a refund waits, and what ends the wait. */
const REMEDIES_EN: Readonly<Record<FundsRemedy, (wallet: string) => string>> = {
  "top-up": (wallet) =>
    `the merchant's balance at ${wallet} is too small. Top up the account, then the refund continues`,
  "other-account": (wallet) =>
    `the merchant's balance at ${wallet} is too small. Tillkit tries the available balance next. If the refund still waits then, top up the account`,
  "named-account": (wallet) =>
    `the account at ${wallet} that the pay tool names in fundsAccount has too little money. Top up this account, or remove fundsAccount, then the refund continues`,
  "repair-account": (wallet) =>
    `the account at ${wallet} that pays refunds does not exist or is blocked. Correct this in the console of ${wallet}, then the refund continues`,
  wait: (wallet) =>
    `${wallet} could not return its fee. Tillkit tries again by itself. If the refund still waits tomorrow, contact ${wallet}`,
};

const REMEDIES_ZH: Readonly<Record<FundsRemedy, (wallet: string) => string>> = {
  "top-up": (wallet) => `商户的${wallet}账户余额不足，请充值，之后退款会自动继续`,
  "other-account": (wallet) =>
    `商户的${wallet}账户余额不足，Tillkit 将改用可用余额重试；若退款仍未完成，请充值`,
  "named-account": (wallet) =>
    `收款配置的 fundsAccount 指定的${wallet}账户余额不足，请为该账户充值，或移除 fundsAccount，之后退款会自动继续`,
  "repair-account": (wallet) =>
    `${wallet}的退款出资账户不存在或状态异常，请在${wallet}后台处理，之后退款会自动继续`,
  wait: (wallet) => `${wallet}未能退回手续费，Tillkit 会自动重试；若次日仍未完成，请联系${wallet}`,
};

const ERASED_EN: Readonly<Record<ErasedText, string>> = {
  customerName: "the customer's name",
  attachData: "attachData",
  payerId: "the customer's id at the wallet",
  walletOptions: "the options of the wallet request",
  reasons: "what operators wrote",
};

const ERASED_ZH: Readonly<Record<ErasedText, string>> = {
  customerName: "客户名称",
  attachData: "attachData",
  payerId: "客户在支付渠道的标识",
  walletOptions: "支付渠道请求的选项",
  reasons: "操作员填写的文字",
};

const DIFFERENCES_EN: Readonly<Record<StatementDifference, string>> = {
  "order-number": "order number",
  "app-id": "app id",
  merchant: "merchant",
  amount: "amount",
  currency: "currency",
};

/** Returns the name of the wallet's message that contains a statement. */
export function proofText(source: StatementSource, wallet: string, language: Language): string {
  if (language === "zh") return wallet + (source === "notification" ? "异步通知" : "查询结果");
  return source === "notification" ? `${wallet}'s notification` : `${wallet}'s answer to a query`;
}

const TO_MERCHANT_EN = ". The money went to the merchant's own account: pay the customer by other means";
const TO_MERCHANT_ZH = "，资金已退至商户自己的账户，请以其他方式付款给客户";

const en: EventText = {
  because: (sentence, reason) => `${sentence}: ${reason}`,
  unreadable: (title, who) => (who === "" ? title : `${title}, by ${who}`),
  about: (sentence, refundNo) => `${sentence} (refund ${refundNo})`,
  titles: {
    CREATED: "Created",
    IMPORTED: "Imported from another service",
    CONNECTED: "Connected to a pay tool",
    PAID: "Paid",
    LATE_PAYMENT: "Paid after the order was closed",
    SECOND_PAYMENT: "Second payment",
    SECOND_PAYMENT_REFUNDED: "Second payment refunded",
    CLOSED_AFTER_PAYMENT: "Closed at the wallet after the payment",
    CLOSED: "Closed",
    PREPAYMENT_REJECTED: "Payment could not be prepared",
    MISMATCH: "Statement does not match the order",
    UNKNOWN_REFUND: "Refund that Tillkit did not make",
    BILL_DIFFERENCE: "Differs from the bill",
    BILL_ASSIGNED: "Line of a bill assigned",
    REFUND_APPROVAL_REQUESTED: "Approval of a refund requested",
    REFUND_APPROVED: "Refund approved",
    REFUND_REJECTED: "Refund rejected",
    REFUND_NOT_MADE: "Approved refund not made",
    REFUND_REQUESTED: "Refund requested",
    REFUND_SENT: "Refund sent",
    REFUND_CONFIRMED: "Refund confirmed",
    REFUND_REFUSED: "Refund refused, without a signature",
    REFUND_FAILED: "Refund failed",
    REFUND_WAITING_FOR_FUNDS: "Refund waits for funds",
    REFUND_ABNORMAL: "Refund is abnormal",
    REFUND_PROCESSING: "Refund is processed again",
    REFUND_PAYOUT: "Payout of the abnormal refund requested",
    REFUND_PAYOUT_REFUSED: "Payout of the abnormal refund refused",
    REFUND_PAYOUT_PROPOSED: "Payout of the abnormal refund waits for a second operator",
    REFUND_OVERDUE: "Refund overdue",
    REFUND_SETTLED: "Refund paid by other means",
    REFUND_WITHDRAWN: "Refund withdrawn",
    REFUND_ADOPTED: "Refund made at the wallet",
    REFUND_PAID_TWICE: "Refund paid twice",
    REFUNDED: "Refunded in full",
    SHIPMENT_REQUESTED: "Report of the delivery requested",
    SHIPMENT_REPORTED: "Delivery reported",
    SHIPMENT_REFUSED: "Report of the delivery refused",
    SHIPMENT_OVERDUE: "Report of the delivery overdue",
    SHIPMENT_ENDED: "Report of the delivery not needed",
    ALARM_ACKNOWLEDGED: "Alarm acknowledged",
    PERSONAL_DATA_ERASED: "Personal data erased",
  },
  sentences: {
    CREATED: (_, { who }) => `Created by ${who}`,
    IMPORTED: ({ replaced }, { who }) =>
      replaced === undefined
        ? `Imported from another service by ${who}`
        : `Imported again by ${who}, which replaced the earlier values`,
    CONNECTED: ({ payToolId }, { who }) => `Connected to the pay tool ${payToolId} by ${who}`,
    PAID: ({ source, statedAt }, { wallet }) =>
      `Paid, confirmed by ${proofText(source, wallet, "en")}${notPlausible(statedAt, "en")}`,
    LATE_PAYMENT: ({ source, statedAt }, { wallet }) =>
      `Paid after the order was closed, confirmed by ${proofText(source, wallet, "en")}${notPlausible(statedAt, "en")}. Deliver, or refund the order`,
    SECOND_PAYMENT: ({ source, recorded, stated }, { wallet }) =>
      `${proofText(source, wallet, "en")} states payment ${stated}, and payment ${recorded} is on record. The customer may have paid twice: compare both at ${wallet}, and refund payment ${stated} there`,
    SECOND_PAYMENT_REFUNDED: ({ amount, number, stated }, { wallet }) =>
      `${wallet} refunded ${moneyText(amount)} of payment ${stated} (refund ${number}). The payment on record stays`,
    CLOSED_AFTER_PAYMENT: ({ source }, { wallet }) =>
      `${proofText(source, wallet, "en")} states that the order is closed without a payment, although the payment was confirmed. Ask ${wallet} before you deliver`,
    CLOSED: ({ source, atWallet }, { who, wallet }) => {
      if (source !== undefined) return `Closed, confirmed by ${proofText(source, wallet, "en")}`;
      const by = who === "" ? "Closed, because the time to pay was over" : `Closed by ${who}`;
      switch (atWallet) {
        case "closed":
          return `${by}; ${wallet} closed the order too`;
        case "absent":
          return `${by}; ${wallet} never had the order`;
        case "absent-unsigned":
          return `${by}; ${wallet} reports, without a signature, that it never had the order`;
        case "not-there-yet":
          return `${by}; ${wallet} does not have the order yet, and Tillkit asks again`;
        case undefined:
          return by;
      }
    },
    PREPAYMENT_REJECTED: ({ refusal }, { wallet }) => `${wallet} refused to prepare the payment: ${refusal}`,
    MISMATCH: (details, { wallet }) => {
      switch (details.about) {
        case "order": {
          const differences = details.differences.map((one) => DIFFERENCES_EN[one]).join(", ");
          return `${proofText(details.source, wallet, "en")} does not match the order (${differences}), so it changed nothing`;
        }
        case "refund":
          return `${wallet}'s statement about refund ${details.number} does not match it (merchant, order or amount), so it changed nothing`;
        case "failed-after-confirmed":
          return `${wallet} reports that the refund failed, after it had confirmed it`;
        case "abnormal-after-end":
          return `${wallet} reports that the refund is abnormal, but it was ${STATUS_EN[details.status]} here. The money may not have reached the customer`;
        case "processing-after-end":
          return `${wallet} is making the refund, but it was ${STATUS_EN[details.status]} here. The customer may be paid twice`;
      }
    },
    UNKNOWN_REFUND: (details, { wallet }) =>
      "number" in details
        ? `${wallet} reports refund ${details.number}, which Tillkit did not make`
        : `${proofText(details.source, wallet, "en")} reports a refund that Tillkit did not make`,
    BILL_DIFFERENCE: ({ day, amountThere, amountHere }, { wallet }) =>
      `Differs from ${wallet}'s bill of ${day}: the bill has ${amountThere === undefined ? "no such line" : moneyText(amountThere)}, expected was ${amountHere === undefined ? "none" : moneyText(amountHere)}. See Bills`,
    BILL_ASSIGNED: ({ day, number, amountThere }, { wallet, who }) =>
      `Number ${number} in ${wallet}'s bill of ${day}${amountThere === undefined ? "" : `, ${moneyText(amountThere)},`} belongs to this order, recorded by ${who}`,
    REFUND_APPROVAL_REQUESTED: ({ amount }, { who }) =>
      `Refund of ${moneyText(amount)} requested by ${who}, for the approval of a second operator`,
    REFUND_APPROVED: ({ amount, requestedBy }, { who }) =>
      `Refund of ${moneyText(amount)}, requested by ${requestedBy}, approved by ${who}`,
    REFUND_REJECTED: ({ amount, requestedBy }, { who }) =>
      `Refund of ${moneyText(amount)}, requested by ${requestedBy}, rejected by ${who}`,
    REFUND_NOT_MADE: ({ amount, approvedBy, failure }) =>
      `Refund of ${moneyText(amount)}${approvedBy === undefined ? "" : `, approved by ${approvedBy},`} cannot be made (${failure}). No money moved. Look at the other refunds, and request it again with another amount if the customer still needs it`,
    REFUND_REQUESTED: ({ amount, approvedBy }, { who }) =>
      `Refund of ${moneyText(amount)} requested by ${who}${approvedBy === undefined ? "" : ` and approved by ${approvedBy}`}`,
    REFUND_SENT: ({ amount, number }, { wallet }) =>
      `Refund of ${moneyText(amount)} sent to ${wallet}${number === undefined ? "" : ` as ${number}`}`,
    REFUND_CONFIRMED: (
      { amount, afterFailure = false, afterWithdrawal = false, toMerchant = false },
      { wallet },
    ) => {
      const refusal = afterFailure ? ", after it had refused it" : "";
      const late = afterWithdrawal ? ", after the refund was withdrawn" : refusal;
      const whom = toMerchant ? TO_MERCHANT_EN : "";
      return `Refund of ${moneyText(amount)} confirmed by ${wallet}${late}${whom}`;
    },
    REFUND_REFUSED: ({ refusal }, { wallet }) =>
      `${wallet} refused the refund, without a signature. Tillkit asks again. ${wallet} wrote: ${refusal}`,
    REFUND_FAILED: ({ refusal }, { wallet }) =>
      refusal === undefined
        ? `${wallet} could not make the refund`
        : `${wallet} refused the refund: ${refusal}`,
    REFUND_WAITING_FOR_FUNDS: ({ amount, refusal, remedy = "top-up" }, { wallet }) =>
      `Refund of ${moneyText(amount)} waits, because ${REMEDIES_EN[remedy](wallet)}. ${wallet} wrote: ${refusal}`,
    REFUND_ABNORMAL: ({ amount }) =>
      `Refund of ${moneyText(amount)} is abnormal: the money has left the merchant's account and could not reach the customer. Pay it out to a bank card, or record that you pay the customer by other means, and pay then`,
    REFUND_PROCESSING: ({ was }, { wallet }) =>
      `${wallet} processes the refund again, which was ${STATUS_EN[was]}`,
    REFUND_PAYOUT: ({ amount, to }, { who }) =>
      to === "customer"
        ? `Payout of the abnormal refund of ${moneyText(amount)} to a bank card of the customer, requested by ${who}`
        : `Payout of the abnormal refund of ${moneyText(amount)} to the merchant's own bank account, requested by ${who}. Pay the customer by other means then`,
    REFUND_PAYOUT_REFUSED: ({ refusal }, { wallet }) => `${wallet} refused the payout: ${refusal}`,
    REFUND_PAYOUT_PROPOSED: ({ amount }, { who }) =>
      `Payout of the abnormal refund of ${moneyText(amount)} to a bank card named by ${who}. It takes a second operator who names the same card`,
    REFUND_OVERDUE: ({ amount, status, days }) =>
      `Refund of ${moneyText(amount)} has been ${STATUS_EN[status]} for ${String(days)} days. Look it up in the merchant platform`,
    REFUND_SETTLED: ({ amount, isUnproven = false }, { who }) => {
      const unproven = isUnproven ? " without an answer of the wallet" : "";
      return `Refund of ${moneyText(amount)} paid to the customer by other means, recorded by ${who}${unproven}`;
    },
    REFUND_WITHDRAWN: ({ amount, isInferred = false }, { who, wallet }) => {
      const why = isInferred
        ? `the refunds that ${wallet} confirmed leave too little for it`
        : `${wallet} has none with its number`;
      return `Refund of ${moneyText(amount)} withdrawn by ${who}: ${why}, and Tillkit never sends it again`;
    },
    REFUND_ADOPTED: ({ amount, number, source, toMerchant = false }, { who, wallet }) => {
      const how = {
        notification: `found by ${wallet}'s notification`,
        query: `found by a query of ${wallet}`,
        bill: `found in ${wallet}'s bill`,
        operator: `looked up by ${who}`,
      }[source];
      const whom = toMerchant ? TO_MERCHANT_EN : "";
      return `Refund of ${moneyText(amount)} that ${wallet} made as ${number} without a record here, ${how} and confirmed by ${wallet}${whom}`;
    },
    REFUND_PAID_TWICE: ({ number }, { wallet }) =>
      number === undefined
        ? `${wallet} confirms the refund, which was recorded as paid by other means. The customer may have been paid twice`
        : `${wallet} confirms refund ${number}, although a refund of the order was recorded as paid by other means. The customer may have been paid twice`,
    REFUNDED: () => "The whole amount is refunded",
    SHIPMENT_REQUESTED: (_, { who, wallet }) => `Report of the delivery to ${wallet} requested by ${who}`,
    SHIPMENT_REPORTED: ({ before = false }, { wallet }) =>
      before
        ? `${wallet} already has a report of the delivery`
        : `Delivery reported to ${wallet}, so that ${wallet} can pay the money out`,
    SHIPMENT_REFUSED: ({ refusal, isRepeated }, { wallet }) =>
      isRepeated
        ? `${wallet} refused the report of the delivery, and may keep the money until it has one. Correct the setting that ${wallet} names. Tillkit goes on trying. ${wallet} wrote: ${refusal}`
        : `${wallet} refused the report of the delivery, and may keep the money until it has one. Look the payment up at ${wallet}, and report the delivery there or again here. ${wallet} wrote: ${refusal}`,
    SHIPMENT_OVERDUE: ({ refusal }, { wallet }) =>
      `${wallet} has not taken the report of the delivery for an hour, and may keep the money until it has one. Tillkit goes on trying. Last failure: ${refusal}`,
    SHIPMENT_ENDED: ({ because }, { wallet }) =>
      because === "refunded"
        ? `${wallet} needs no report of the delivery, because the payment is refunded`
        : `Delivery not reported to ${wallet}, because the pay tool does not report deliveries any more`,
    ALARM_ACKNOWLEDGED: (_, { who }) => `Alarm acknowledged by ${who}`,
    PERSONAL_DATA_ERASED: ({ erased }, { who }) =>
      `Personal data erased by ${who}: ${erased.map((text) => ERASED_EN[text]).join(", ")}`,
  },
};

const STATUS_ZH: Readonly<Record<RefundStatus, string>> = {
  REQUESTED: "已登记、未提交",
  SENT: "渠道处理中",
  WAITING_FOR_FUNDS: "余额不足，待充值",
  ABNORMAL: "退款异常",
  CONFIRMED: "退款成功",
  FAILED: "退款失败",
  WITHDRAWN: "已撤回",
  SETTLED: "线下退款（已登记）",
};

const DIFFERENCES_ZH: Readonly<Record<StatementDifference, string>> = {
  "order-number": "商户订单号",
  "app-id": "应用 ID",
  merchant: "商户号",
  amount: "金额",
  currency: "币种",
};

const zh: EventText = {
  because: (sentence, reason) => `${sentence}：${reason}`,
  unreadable: (title, who) => (who === "" ? title : `${title}（${who}）`),
  about: (sentence, refundNo) => `${sentence}（退款单号 ${refundNo}）`,
  titles: {
    CREATED: "已创建",
    IMPORTED: "从其他服务导入",
    CONNECTED: "已关联收款配置",
    PAID: "已支付",
    LATE_PAYMENT: "关闭后支付",
    SECOND_PAYMENT: "重复支付",
    SECOND_PAYMENT_REFUNDED: "重复支付已退款",
    CLOSED_AFTER_PAYMENT: "支付后渠道返回已关闭",
    CLOSED: "已关闭",
    PREPAYMENT_REJECTED: "渠道拒绝下单",
    MISMATCH: "渠道返回的数据与订单不符",
    UNKNOWN_REFUND: "并非由 Tillkit 发起的退款",
    BILL_DIFFERENCE: "与账单不符",
    BILL_ASSIGNED: "账单明细已归属本订单",
    REFUND_APPROVAL_REQUESTED: "已提交退款审批",
    REFUND_APPROVED: "退款已批准",
    REFUND_REJECTED: "退款已驳回",
    REFUND_NOT_MADE: "已批准的退款未能执行",
    REFUND_REQUESTED: "已申请退款",
    REFUND_SENT: "退款已提交",
    REFUND_CONFIRMED: "退款成功",
    REFUND_REFUSED: "渠道拒绝退款（响应无签名）",
    REFUND_FAILED: "退款失败",
    REFUND_WAITING_FOR_FUNDS: "余额不足，退款待充值",
    REFUND_ABNORMAL: "退款异常",
    REFUND_PROCESSING: "渠道重新处理退款",
    REFUND_PAYOUT: "已申请异常退款打款",
    REFUND_PAYOUT_REFUSED: "异常退款打款被拒绝",
    REFUND_PAYOUT_PROPOSED: "异常退款打款待第二位操作员确认",
    REFUND_OVERDUE: "退款超时未完成",
    REFUND_SETTLED: "线下退款（已登记）",
    REFUND_WITHDRAWN: "退款已撤回",
    REFUND_ADOPTED: "渠道侧退款（已登记）",
    REFUND_PAID_TWICE: "可能重复退款",
    REFUNDED: "已全额退款",
    SHIPMENT_REQUESTED: "已请求上报发货信息",
    SHIPMENT_REPORTED: "发货信息已上报",
    SHIPMENT_REFUSED: "发货信息上报被拒绝",
    SHIPMENT_OVERDUE: "发货信息上报超时",
    SHIPMENT_ENDED: "无需上报发货信息",
    ALARM_ACKNOWLEDGED: "告警已确认",
    PERSONAL_DATA_ERASED: "个人信息已删除",
  },
  sentences: {
    CREATED: (_, { who }) => `由${spaced(who)}创建`,
    IMPORTED: ({ replaced }, { who }) =>
      replaced === undefined
        ? `由${spaced(who)}从其他服务导入`
        : `由${spaced(who)}重新导入，替换了先前的内容`,
    CONNECTED: ({ payToolId }, { who }) => `由${spaced(who)}关联到收款配置 ${payToolId}`,
    PAID: ({ source, statedAt }, { wallet }) =>
      `已支付，由${proofText(source, wallet, "zh")}确认${notPlausible(statedAt, "zh")}`,
    LATE_PAYMENT: ({ source, statedAt }, { wallet }) =>
      `订单关闭后收到付款，由${proofText(source, wallet, "zh")}确认${notPlausible(statedAt, "zh")}，请发货或退款`,
    SECOND_PAYMENT: ({ source, recorded, stated }, { wallet }) =>
      `${proofText(source, wallet, "zh")}返回支付 ${stated}，而已登记的支付为 ${recorded}，客户可能支付了两次，请在${wallet}核对，并退回支付 ${stated}`,
    SECOND_PAYMENT_REFUNDED: ({ amount, number, stated }, { wallet }) =>
      `${wallet}已退回支付 ${stated} 中的 ${moneyText(amount)}（退款单号 ${number}），已登记的支付不变`,
    CLOSED_AFTER_PAYMENT: ({ source }, { wallet }) =>
      `${proofText(source, wallet, "zh")}返回订单未支付且已关闭，而该支付已确认，发货前请向${wallet}核实`,
    CLOSED: ({ source, atWallet }, { who, wallet }) => {
      if (source !== undefined) return `已关闭，由${proofText(source, wallet, "zh")}确认`;
      const by = who === "" ? "已超过支付期限，订单关闭" : `由${spaced(who)}关闭`;
      switch (atWallet) {
        case "closed":
          return `${by}，${wallet}侧也已关单`;
        case "absent":
          return `${by}，${wallet}从未有过该订单`;
        case "absent-unsigned":
          return `${by}，${wallet}在未签名的响应中称从未有过该订单`;
        case "not-there-yet":
          return `${by}，${wallet}尚无该订单，Tillkit 稍后会再次查询`;
        case undefined:
          return by;
      }
    },
    PREPAYMENT_REJECTED: ({ refusal }, { wallet }) => `${wallet}拒绝下单：${refusal}`,
    MISMATCH: (details, { wallet }) => {
      switch (details.about) {
        case "order": {
          const differences = details.differences.map((one) => DIFFERENCES_ZH[one]).join("、");
          return `${proofText(details.source, wallet, "zh")}与订单不符（${differences}），未作任何变更`;
        }
        case "refund":
          return `${wallet}关于退款 ${details.number} 的数据与该退款不符（商户号、订单或金额），未作任何变更`;
        case "failed-after-confirmed":
          return `${wallet}曾确认退款成功，现又报告退款失败`;
        case "abnormal-after-end":
          return `${wallet}报告退款异常，但本地状态为“${STATUS_ZH[details.status]}”，资金可能未退回客户`;
        case "processing-after-end":
          return `${wallet}正在处理该退款，但本地状态为“${STATUS_ZH[details.status]}”，客户可能收到两次款项`;
      }
    },
    UNKNOWN_REFUND: (details, { wallet }) =>
      "number" in details
        ? `${wallet}报告了退款 ${details.number}，该退款并非由 Tillkit 发起`
        : `${proofText(details.source, wallet, "zh")}中有一笔并非由 Tillkit 发起的退款`,
    BILL_DIFFERENCE: ({ day, amountThere, amountHere }, { wallet }) =>
      `与${wallet} ${day} 的账单不符：账单${amountThere === undefined ? "无此明细" : `金额 ${moneyText(amountThere)}`}，应为${amountHere === undefined ? "无" : ` ${moneyText(amountHere)}`}，请到“对账”处理`,
    BILL_ASSIGNED: ({ day, number, amountThere }, { wallet, who }) =>
      `${who} 登记：${wallet} ${day} 账单中的 ${number}${amountThere === undefined ? "" : `（${moneyText(amountThere)}）`}属于本订单`,
    REFUND_APPROVAL_REQUESTED: ({ amount }, { who }) => `${who} 申请退款 ${moneyText(amount)}，等待审批`,
    REFUND_APPROVED: ({ amount, requestedBy }, { who }) =>
      `${requestedBy} 申请的退款 ${moneyText(amount)} 已由${spaced(who)}批准`,
    REFUND_REJECTED: ({ amount, requestedBy }, { who }) =>
      `${requestedBy} 申请的退款 ${moneyText(amount)} 已被${spaced(who)}驳回`,
    REFUND_NOT_MADE: ({ amount, approvedBy, failure }) =>
      `退款 ${moneyText(amount)}${approvedBy === undefined ? "" : `（${approvedBy} 已批准）`}无法执行（${failure}），资金未变动。请核对其他退款，如客户仍需退款，请以其他金额重新申请`,
    REFUND_REQUESTED: ({ amount, approvedBy }, { who }) =>
      `${who} 申请退款 ${moneyText(amount)}${approvedBy === undefined ? "" : `，${approvedBy} 已批准`}`,
    REFUND_SENT: ({ amount, number }, { wallet }) =>
      `退款 ${moneyText(amount)} 已提交至${wallet}${number === undefined ? "" : `，商户退款单号为 ${number}`}`,
    REFUND_CONFIRMED: (
      { amount, afterFailure = false, afterWithdrawal = false, toMerchant = false },
      { wallet },
    ) => {
      const refusal = afterFailure ? "（此前曾拒绝）" : "";
      const late = afterWithdrawal ? "（此前已撤回）" : refusal;
      const whom = toMerchant ? TO_MERCHANT_ZH : "";
      return `退款 ${moneyText(amount)} 成功，由${wallet}确认${late}${whom}`;
    },
    REFUND_REFUSED: ({ refusal }, { wallet }) =>
      `${wallet}在未签名的响应中拒绝了退款，Tillkit 会继续查询。${wallet}返回：${refusal}`,
    REFUND_FAILED: ({ refusal }, { wallet }) =>
      refusal === undefined ? `${wallet}未能完成退款` : `${wallet}拒绝了退款：${refusal}`,
    REFUND_WAITING_FOR_FUNDS: ({ amount, refusal, remedy = "top-up" }, { wallet }) =>
      `退款 ${moneyText(amount)} 暂未完成：${REMEDIES_ZH[remedy](wallet)}。${wallet}返回：${refusal}`,
    REFUND_ABNORMAL: ({ amount }) =>
      `退款 ${moneyText(amount)} 异常：资金已从商户账户扣除，但未能退回客户。请打款至银行卡，或先登记线下退款，再以其他方式付款给客户`,
    REFUND_PROCESSING: ({ was }, { wallet }) => `${wallet}重新处理该退款（此前状态：${STATUS_ZH[was]}）`,
    REFUND_PAYOUT: ({ amount, to }, { who }) =>
      to === "customer"
        ? `${who} 申请将异常退款 ${moneyText(amount)} 打款至客户的银行卡`
        : `${who} 申请将异常退款 ${moneyText(amount)} 打款至商户自己的银行账户，之后请以其他方式付款给客户`,
    REFUND_PAYOUT_REFUSED: ({ refusal }, { wallet }) => `${wallet}拒绝了异常退款打款：${refusal}`,
    REFUND_PAYOUT_PROPOSED: ({ amount }, { who }) =>
      `${who} 填写了异常退款 ${moneyText(amount)} 的收款银行卡，须由另一位操作员填写同一张银行卡后才会打款`,
    REFUND_OVERDUE: ({ amount, status, days }) =>
      `退款 ${moneyText(amount)} 处于“${STATUS_ZH[status]}”状态已有 ${String(days)} 天，请在商户平台核实`,
    REFUND_SETTLED: ({ amount, isUnproven = false }, { who }) => {
      const unproven = isUnproven ? "（渠道未能确认）" : "";
      return `${who} 登记了线下退款 ${moneyText(amount)}${unproven}`;
    },
    REFUND_WITHDRAWN: ({ amount, isInferred = false }, { who, wallet }) => {
      const why = isInferred ? `${wallet}已确认的退款使余额不足以支付该笔退款` : `${wallet}没有该单号的退款`;
      return `${who} 撤回了退款 ${moneyText(amount)}：${why}，Tillkit 不会再提交此单号`;
    },
    REFUND_ADOPTED: ({ amount, number, source, toMerchant = false }, { who, wallet }) => {
      const how = {
        notification: `由${wallet}异步通知发现`,
        query: `由向${wallet}的查询发现`,
        bill: `由${wallet}账单发现`,
        operator: `由${spaced(who)}核对`,
      }[source];
      return `${wallet}侧退款 ${moneyText(amount)}（商户退款单号 ${number}），${how}，并由${wallet}确认${toMerchant ? TO_MERCHANT_ZH : ""}`;
    },
    REFUND_PAID_TWICE: ({ number }, { wallet }) =>
      number === undefined
        ? `${wallet}确认了已登记为线下退款的退款，客户可能收到了两次退款`
        : `${wallet}确认了退款 ${number}，而该订单已登记过线下退款，客户可能收到了两次退款`,
    REFUNDED: () => "订单已全额退款",
    SHIPMENT_REQUESTED: (_, { who, wallet }) => `${who} 请求向${wallet}上报发货信息`,
    SHIPMENT_REPORTED: ({ before = false }, { wallet }) =>
      before ? `${wallet}已有该订单的发货信息` : `已向${wallet}上报发货信息，资金可以结算`,
    SHIPMENT_REFUSED: ({ refusal, isRepeated }, { wallet }) =>
      isRepeated
        ? `${wallet}拒绝了发货信息，资金可能一直冻结。请更正${wallet}提示的设置，Tillkit 会自动重试。${wallet}返回：${refusal}`
        : `${wallet}拒绝了发货信息，资金可能一直冻结。请在${wallet}后台核对该支付单并手动录入发货信息，或在此重新上报。${wallet}返回：${refusal}`,
    SHIPMENT_OVERDUE: ({ refusal }, { wallet }) =>
      `已超过一小时未能向${wallet}上报发货信息，资金可能一直冻结，Tillkit 会继续重试。最近一次失败：${refusal}`,
    SHIPMENT_ENDED: ({ because }, { wallet }) =>
      because === "refunded"
        ? `支付已退款，无需向${wallet}上报发货信息`
        : `收款配置已关闭发货信息上报，未向${wallet}上报`,
    ALARM_ACKNOWLEDGED: (_, { who }) => `告警已由${spaced(who)}确认`,
    PERSONAL_DATA_ERASED: ({ erased }, { who }) =>
      `个人信息已由${spaced(who)}删除：${erased.map((text) => ERASED_ZH[text]).join("、")}`,
  },
};

/** Puts spaces around a name in Latin letters, as Chinese texts do. */
export function spaced(name: string): string {
  return /^[\p{ASCII}]+$/u.test(name) ? ` ${name} ` : name;
}

/** Returns a note with the payment time that the wallet stated, if the time is not plausible. */
function notPlausible(statedAt: number | undefined, language: Language): string {
  if (statedAt === undefined) return "";
  const at = new Date(statedAt).toISOString();
  return language === "en"
    ? `, at a time that cannot be right (${at})`
    : `，渠道返回的支付时间不合理（${at}）`;
}

/** The sentences of events in each language. */
export const EVENT_TEXT: Readonly<Record<Language, EventText>> = { en, zh };
