import type { OrderRefusal } from "../ledger.js";
import type { RefundRefusal } from "../ledger-refunds.js";

/** A value in a response of Alipay: a text, or an object or list of texts. */
type NodeValue = string | Readonly<Record<string, string>> | readonly Readonly<Record<string, string>>[];

/** The members of an Alipay response besides its code. */
export type NodeMembers = Readonly<Record<string, NodeValue>>;

/** A response of Alipay before it is signed. */
export interface WalletBAnswer {
  /**
   * The name of the response node, such as `alipay_trade_query_response`.
   *
   * It is `error_response` for gateway errors.
   */
  readonly node: string;
  /** The exact text that is signed. */
  readonly text: string;
  /** Whether the response includes the number of the certificate. */
  readonly certified: boolean;
}

/** The reason why Alipay refuses a call. */
export interface WalletBRefusal {
  readonly code: "20000" | "20001" | "40001" | "40002" | "40004" | "40005" | "40006";
  readonly subCode: string;
  readonly subMsg: string;
}

const MESSAGES = {
  "20000": "Service Currently Unavailable",
  "20001": "Insufficient Token Permissions",
  "40001": "Missing Required Arguments",
  "40002": "Invalid Arguments",
  "40004": "Business Failed",
  "40005": "Call Limited",
  "40006": "Insufficient Permissions",
} as const;

const BUSINESS = {
  "ACQ.SYSTEM_ERROR": "系统错误",
  "ACQ.INVALID_PARAMETER": "参数无效",
  "ACQ.TRADE_NOT_EXIST": "交易不存在",
  "ACQ.TRADE_HAS_SUCCESS": "交易已被支付",
  "ACQ.TRADE_HAS_CLOSE": "交易已经关闭",
  "ACQ.TRADE_STATUS_ERROR": "交易状态不合法",
  "ACQ.CONTEXT_INCONSISTENT": "交易信息被篡改",
  "ACQ.REFUND_AMT_NOT_EQUAL_TOTAL": "退款金额超限",
  "ACQ.DISCORDANT_REPEAT_REQUEST": "请求信息不一致",
  "ACQ.ACCESS_FORBIDDEN": "无权限使用接口",
  "ACQ.SELLER_BALANCE_NOT_ENOUGH": "商户的支付宝账户中无足够的资金进行撤销或退款",
  "ACQ.REFUND_CHARGE_ERROR": "退收费异常",
  "ACQ.TRADE_HAS_FINISHED": "交易已完结",
  "ACQ.BUYER_NOT_EXIST": "买家不存在",
  "ACQ.PAYMENT_AUTH_CODE_INVALID": "支付失败，获取顾客账户信息失败，请顾客刷新付款码后重新收款",
  "isp.bill_not_exist": "账单不存在",
} as const;

/** The business errors that the simulated Alipay returns. */
export type BusinessCode = keyof typeof BUSINESS;

/** Creates a refusal for a business reason. */
export function business(subCode: BusinessCode, why?: string): WalletBRefusal {
  return {
    code: "40004",
    subCode,
    subMsg: why === undefined ? BUSINESS[subCode] : `${BUSINESS[subCode]}: ${why}`,
  };
}

/** Creates a refusal of the request: a parameter is missing (40001) or invalid (40002). */
export function argument(kind: "missing" | "invalid", what: string): WalletBRefusal {
  const subMsg = kind === "missing" ? "缺少参数" : "参数无效";
  return { code: kind === "missing" ? "40001" : "40002", subCode: `isv.${kind}-${what}`, subMsg };
}

/** Alipay's code for each refusal of an order by the ledger. */
export const ORDER_CODES = {
  foreign: "ACQ.CONTEXT_INCONSISTENT",
  conflict: "ACQ.CONTEXT_INCONSISTENT",
  paid: "ACQ.TRADE_HAS_SUCCESS",
  closed: "ACQ.TRADE_HAS_CLOSE",
  expired: "ACQ.TRADE_HAS_CLOSE",
} as const satisfies Record<OrderRefusal, BusinessCode>;

/** Alipay's code for each refusal of a refund by the ledger. */
export const REFUND_CODES = {
  absent: "ACQ.TRADE_NOT_EXIST",
  "not-paid": "ACQ.TRADE_STATUS_ERROR",
  "other-total": "ACQ.INVALID_PARAMETER",
  exceeds: "ACQ.REFUND_AMT_NOT_EQUAL_TOTAL",
  conflict: "ACQ.DISCORDANT_REPEAT_REQUEST",
  "too-many": "ACQ.TRADE_STATUS_ERROR",
  "too-old": "ACQ.TRADE_HAS_FINISHED",
  "no-funds": "ACQ.SELLER_BALANCE_NOT_ENOUGH",
} as const satisfies Record<RefundRefusal, BusinessCode>;

/**
 * Writes the node of a successful response.
 *
 * Escapes slashes as Alipay does, because the signature covers the text and not its value.
 */
export function successText(members: NodeMembers): string {
  return nodeText({ code: "10000", msg: "Success", ...members });
}

/** Writes the node of a refusal. */
export function refusalText({ code, subCode, subMsg }: WalletBRefusal, members: NodeMembers = {}): string {
  return nodeText({ code, msg: MESSAGES[code], sub_code: subCode, sub_msg: subMsg, ...members });
}

function nodeText(members: NodeMembers): string {
  return JSON.stringify(members).replaceAll("/", "\\/");
}
