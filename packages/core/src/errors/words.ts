import type { Message } from "./catalog.js";

/** The rules a parameter can break, as they end the sentence of `parameter.invalid`. Texts never hold a value that was sent. */
export const PARAMETER_RULES = {
  shape: { en: "has a shape that is not accepted", zh: "格式不被接受" },
  text: { en: "must be text", zh: "必须为文本" },
  "visible-ascii": { en: "must be visible ASCII characters only", zh: "只能包含可见 ASCII 字符" },
  length: { en: "is longer than allowed", zh: "超过允许长度" },
  "refund-no": { en: "must be letters, digits, - and _ only", zh: "只能包含字母、数字、- 和 _" },
  "control-characters": { en: "must not hold control characters", zh: "不得包含控制字符" },
  "null-character": { en: "must not hold the character U+0000", zh: "不得包含字符 U+0000" },
  unicode: { en: "must be well-formed Unicode", zh: "必须为合法的 Unicode 文本" },
  "natural-number": { en: "must be an integer of at least 0", zh: "必须为不小于 0 的整数" },
  "too-large": { en: "is larger than allowed", zh: "超过允许的上限" },
  comma: { en: "must not hold a comma", zh: "不得包含逗号" },
  "reserved-store": { en: "is the name of the sum of all stores", zh: "是所有应用商店合计的名称" },
  duration: {
    en: "must be an integer of milliseconds, from 1 to a hundred years",
    zh: "必须为毫秒整数，至少为 1，至多一百年",
  },
  date: { en: "must be a date like 2026-01-31", zh: "必须为形如 2026-01-31 的日期" },
  "positive-cents": { en: "must be an integer of cents, at least 1", zh: "必须为以分为单位的整数，至少为 1" },
} as const satisfies Record<string, Message>;

/** What a `customerIdentity` must not be. */
export const IDENTITY_RULES = {
  email: { en: "it must not be an e-mail address", zh: "不得为电子邮箱地址" },
  phone: { en: "it must not be a phone number", zh: "不得为手机号码" },
  card: { en: "it must not be a card number", zh: "不得为银行卡号" },
} as const satisfies Record<string, Message>;

/** The ways in which WALLET_B fails. */
export const WALLET_FAILURE_KINDS = {
  rejected: { en: "refused the payment", zh: "钱包拒绝了该支付" },
  unavailable: {
    en: "is not answering; retry with the same bizNo",
    zh: "钱包暂无响应，请使用相同的 bizNo 重试",
  },
  "bad-answer": {
    en: "gave an answer that could not be verified; retry with the same bizNo",
    zh: "钱包的应答未通过验证，请使用相同的 bizNo 重试",
  },
} as const satisfies Record<string, Message>;

/** The name of a rule in `PARAMETER_RULES`. */
export type ParameterRule = keyof typeof PARAMETER_RULES;
/** The name of a rule in `IDENTITY_RULES`. */
export type IdentityRule = keyof typeof IDENTITY_RULES;
/** The name of a way in `WALLET_FAILURE_KINDS`. */
export type WalletFailureKind = keyof typeof WALLET_FAILURE_KINDS;
