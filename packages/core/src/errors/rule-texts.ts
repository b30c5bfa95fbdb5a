import type { Message } from "./catalog.js";

/**
 * Rules for parameters. A text completes the message of `parameter.invalid`.
 *
 * No text contains a value from the request.
 */
export const PARAMETER_RULES = {
  shape: { en: "has a wrong type or format", zh: "类型或格式不正确" },
  text: { en: "must be text", zh: "必须为文本" },
  "visible-ascii": { en: "must be visible ASCII characters only", zh: "只能包含可见 ASCII 字符" },
  "refunded-amount": {
    en: "must fit the status: 0 for PENDING and CLOSE, less than the amount for PAID, 1 to the amount for REFUND",
    zh: "必须与状态相符：PENDING 和 CLOSE 为 0，PAID 小于订单金额，REFUND 为 1 至订单金额",
  },
  "payment-time": {
    en: "must be there for PAID and REFUND, and for no other status",
    zh: "PAID 和 REFUND 必须提供，其他状态不得提供",
  },
  time: {
    en: "must be a time in epoch milliseconds: a whole number such as 1767225600000",
    zh: "必须为以毫秒为单位的时间戳：整数，例如 1767225600000",
  },
  "time-in-seconds": {
    en: "looks like seconds: write epoch milliseconds, 1000 times the number",
    zh: "似乎以秒为单位：请使用毫秒时间戳，即该数值乘以 1000",
  },
  "time-in-microseconds": {
    en: "looks like microseconds: write epoch milliseconds, the number divided by 1000",
    zh: "似乎以微秒为单位：请使用毫秒时间戳，即该数值除以 1000",
  },
  "time-in-nanoseconds": {
    en: "looks like nanoseconds: write epoch milliseconds, the number divided by 1000000",
    zh: "似乎以纳秒为单位：请使用毫秒时间戳，即该数值除以 1000000",
  },
  "time-too-early": {
    en: "is before October 2003, when the first wallet began: write epoch milliseconds",
    zh: "早于 2003 年 10 月（首个支付渠道上线之时）：请使用毫秒时间戳",
  },
  "before-creation": { en: "must not be before gmtCreate", zh: "不得早于 gmtCreate" },
  "after-change": { en: "must not be after gmtModified", zh: "不得晚于 gmtModified" },
  "service-length": {
    en: "must not be more than 100 years after gmtCreate",
    zh: "不得比 gmtCreate 晚 100 年以上",
  },
  "wallet-number": {
    en: "must be letters, digits, -, _, * and | only, as wallets write numbers",
    zh: "只能包含字母、数字、-、_、* 和 |，即支付渠道编号所用的字符",
  },
  "customer-id": {
    en: "must be 1 to 64 letters, digits, - and _",
    zh: "必须为 1 至 64 个字母、数字、- 或 _",
  },
  "phone-hash": { en: "must be a phone hash of an export", zh: "必须为导出的手机号哈希" },
  "one-phone": {
    en: "needs exactly one of mobileNo and phoneHash beside it",
    zh: "必须且只能同时提供 mobileNo 或 phoneHash 之一",
  },
  "app-secret": {
    en: "must be 8 to 512 visible ASCII characters",
    zh: "必须为 8 至 512 个可见 ASCII 字符",
  },
  length: { en: "is longer than allowed", zh: "超过允许的长度" },
  "payer-id": {
    en: "must be the id of the customer at the wallet: an openid for WALLET_A; for WALLET_B a user id of 16 digits that begins with 2088, or an open id",
    zh: "必须为客户在支付渠道中的标识：WALLET_A（微信支付）为 openid；WALLET_B（支付宝）为以 2088 开头的 16 位用户 ID，或 open id",
  },
  "wallet-option-unknown": {
    en: "is an option of neither WALLET_A (WeChat Pay) nor WALLET_B (Alipay)",
    zh: "既不是 WALLET_A（微信支付）的选项，也不是 WALLET_B（支付宝）的选项",
  },
  "wallet-option-of-order": {
    en: "is an option of a single order: give it to createOrder, and not to the pay tool",
    zh: "为单个订单的选项：请在创建订单时提供，而不是在收款配置中设置",
  },
  "wallet-a-only": {
    en: "is an option of WALLET_A (WeChat Pay) only",
    zh: "仅为 WALLET_A（微信支付）的选项",
  },
  "wallet-b-only": { en: "is an option of WALLET_B (Alipay) only", zh: "仅为 WALLET_B（支付宝）的选项" },
  "wallet-a-h5-only": {
    en: "is an option of WALLET_A (WeChat Pay) for paySource H5 only",
    zh: "仅适用于 WALLET_A（微信支付）的 H5 支付（paySource 为 H5）",
  },
  "wallet-b-h5-only": {
    en: "is an option of WALLET_B (Alipay) for paySource H5 only",
    zh: "仅适用于 WALLET_B（支付宝）的 H5 支付（paySource 为 H5）",
  },
  "wallet-b-goods-type": {
    en: "is an option of WALLET_B (Alipay) for paySource APP, H5 and PC only",
    zh: "仅适用于 WALLET_B（支付宝）的 paySource APP、H5 和 PC",
  },
  "wallet-b-one-of-channels": {
    en: "must not be there together with enable_pay_channels: WALLET_B (Alipay) takes one of them",
    zh: "不得与 enable_pay_channels 同时提供：WALLET_B（支付宝）只接受其中之一",
  },
  "wallet-b-instalments": {
    en: "needs hb_fq_num and hb_fq_seller_percent together, as WALLET_B (Alipay) asks",
    zh: "必须同时提供 hb_fq_num 和 hb_fq_seller_percent，这是 WALLET_B（支付宝）的要求",
  },
  "wallet-a-value": {
    en: "is not a value that WALLET_A (WeChat Pay) takes",
    zh: "不是 WALLET_A（微信支付）接受的值",
  },
  "wallet-b-value": {
    en: "is not a value that WALLET_B (Alipay) takes",
    zh: "不是 WALLET_B（支付宝）接受的值",
  },
  "wallet-a-text": {
    en: "must not contain control characters, emoji or other characters beyond U+FFFF, which WALLET_A (WeChat Pay) refuses",
    zh: "不得包含控制字符、表情符号或 U+FFFF 以上的其他字符，WALLET_A（微信支付）会拒绝这些字符",
  },
  "wallet-a-length": {
    en: "has more bytes than WALLET_A (WeChat Pay) takes",
    zh: "字节数超过 WALLET_A（微信支付）的上限",
  },
  "wallet-b-length": {
    en: "has more characters than WALLET_B (Alipay) takes",
    zh: "字符数超过 WALLET_B（支付宝）的上限",
  },
  "wallet-address": {
    en: "must be an address that begins with https:// or http://, in visible ASCII characters",
    zh: "必须为以 https:// 或 http:// 开头的地址，且只包含可见 ASCII 字符",
  },
  "refund-no": { en: "must be letters, digits, - and _ only", zh: "只能包含字母、数字、- 和 _" },
  "bank-code": {
    en: "must be the wallet's code for a bank and a type of card, such as CMB_DEBIT",
    zh: "必须为支付渠道规定的银行类型代码，例如 CMB_DEBIT",
  },
  "bank-account": { en: "must be 8 to 32 digits", zh: "必须为 8 至 32 位数字" },
  blank: { en: "must contain a visible character", zh: "必须包含可见字符" },
  "control-characters": { en: "must not contain control characters", zh: "不得包含控制字符" },
  "null-character": { en: "must not contain the character U+0000", zh: "不得包含字符 U+0000" },
  unicode: { en: "must be well-formed Unicode", zh: "必须为合法的 Unicode 文本" },
  "natural-number": { en: "must be an integer of at least 0", zh: "必须为不小于 0 的整数" },
  "too-large": { en: "is larger than allowed", zh: "超过允许的上限" },
  comma: { en: "must not contain a comma", zh: "不得包含逗号" },
  guessable: {
    en: "must have at least 16 characters, 8 of them different, because anyone who guesses it reads the report",
    zh: "至少 16 个字符，且其中至少 8 个互不相同：猜中该编号的人即可读取报表",
  },
  "reserved-store": {
    en: "is reserved for the total of all stores",
    zh: "为所有应用商店合计的保留名称，请使用其他名称",
  },
  duration: {
    en: "must be an integer of milliseconds, at least 1 and at most 100 years",
    zh: "必须为以毫秒为单位的整数，不小于 1 且不超过 100 年",
  },
  "range-end": { en: "must not be before the start of the range", zh: "不得早于范围的起点" },
  date: { en: "must be a date like 2026-01-31", zh: "必须为日期，例如 2026-01-31" },
  "date-range": {
    en: "must not be before the start of the range, or too many days after it",
    zh: "不得早于范围的开始日期，且范围的天数不得超过上限",
  },
  "positive-cents": {
    en: "must be an integer of cents, at least 1",
    zh: "必须为以分为单位的整数，且不小于 1",
  },
} as const satisfies Record<string, Message>;

/** Rules for `paySource`. A text completes the message of `pay-source.invalid`. */
export const PAY_SOURCE_RULES = {
  unknown: {
    en: "must be NATIVE, H5, APP, JSAPI or PC",
    zh: "必须为 NATIVE、H5、APP、JSAPI 或 PC",
  },
  unavailable: {
    en: "must not be PC for WALLET_A: send NATIVE and show the code on the page",
    zh: "不能对 WALLET_A 使用 PC：请使用 NATIVE，并在页面上展示二维码",
  },
} as const satisfies Record<string, Message>;

/** Rules for `customerIdentity`. A text completes the message of `customer-identity.forbidden`. */
export const IDENTITY_RULES = {
  email: { en: "it must not be an e-mail address", zh: "不得为电子邮箱地址" },
  phone: { en: "it must not be a phone number", zh: "不得为手机号码" },
  card: { en: "it must not be a card number", zh: "不得为银行卡号" },
  identityCard: { en: "it must not be the number of an identity card", zh: "不得为身份证号码" },
  walletAccount: {
    en: "it must not be an account at WeChat Pay or Alipay",
    zh: "不得为微信或支付宝的用户标识（openid、user_id）",
  },
  bizNo: {
    en: "it must not be the bizNo, because it must stay the same for all orders of a customer",
    zh: "不得与 bizNo 相同：同一客户的所有订单必须使用同一标识",
  },
} as const satisfies Record<string, Message>;

/** How Alipay failed. A text completes the message of `wallet-b.failed`. */
export const WALLET_FAILURE_KINDS = {
  rejected: { en: "refused the payment", zh: "拒绝了该笔支付，请勿重复相同的请求" },
  unavailable: {
    en: "does not respond; retry with the same bizNo",
    zh: "暂无响应，请使用相同的 bizNo 重试",
  },
  "bad-answer": {
    en: "sent a response that could not be verified; retry with the same bizNo",
    zh: "的响应未通过验证，请使用相同的 bizNo 重试",
  },
} as const satisfies Record<string, Message>;

/** A key of {@link PARAMETER_RULES}. */
export type ParameterRule = keyof typeof PARAMETER_RULES;
/**
 * Why a refund at the wallet is not adopted. A text completes the message of `refund.not-adopted`.
 */
export const NOT_ADOPTED_RULES = {
  absent: { en: "the wallet has no refund with this number", zh: "支付渠道没有该退款单号的退款" },
  mismatch: {
    en: "the refund is of another merchant, order or amount",
    zh: "该退款的商户号、订单或金额与本订单不符",
  },
  "not-confirmed": { en: "the wallet has not made the refund", zh: "支付渠道尚未完成该退款" },
  "order-not-paid": {
    en: "neither Tillkit nor the wallet has a payment of the order",
    zh: "本地和支付渠道均无该订单的付款",
  },
  "exceeds-amount": {
    en: "the refunds would exceed the amount of the order",
    zh: "退款总额将超过订单金额",
  },
  "second-payment": {
    en: "it returned a second payment of the order, which the record does not count; the timeline has it now",
    zh: "该退款退回的是本订单的另一笔支付，未计入本订单，时间线已记录",
  },
  imported: {
    en: "the order was imported with an amount that may include the refund",
    zh: "该订单导入时的已退款金额可能已包含该退款",
  },
} as const satisfies Record<string, Message>;
/** A key of {@link NOT_ADOPTED_RULES}. */
export type NotAdopted = keyof typeof NOT_ADOPTED_RULES;

/** A key of {@link PAY_SOURCE_RULES}. */
export type PaySourceRule = keyof typeof PAY_SOURCE_RULES;
/** A key of {@link IDENTITY_RULES}. */
export type IdentityRule = keyof typeof IDENTITY_RULES;
/** A key of {@link WALLET_FAILURE_KINDS}. */
export type WalletFailureKind = keyof typeof WALLET_FAILURE_KINDS;

/** Why a code was not compared. A text completes the message of `auth-code.attempts-exceeded`. */
export const CODE_TRIES_REASONS = {
  code: { en: "request a new code", zh: "请重新获取验证码" },
  app: { en: "logins are paused, try again later", zh: "登录已暂停，请稍后再试" },
} as const satisfies Readonly<Record<string, Message>>;
/** One of {@link CODE_TRIES_REASONS}. */
export type CodeTriesReason = keyof typeof CODE_TRIES_REASONS;

/** Why no code was sent. A text completes the message of `sms.quota-exceeded`. */
export const SMS_QUOTA_REASONS = {
  cooldown: { en: "wait a moment before you request another one", zh: "请稍后再获取" },
  day: { en: "the limit of the day is reached, try again tomorrow", zh: "今日次数已用完，请明天再试" },
  total: {
    en: "the service sends no more at the moment, try again later",
    zh: "当前发送量已达上限，请稍后再试",
  },
  host: { en: "the service refused the request", zh: "请求未通过验证" },
} as const satisfies Readonly<Record<string, Message>>;
/** One of {@link SMS_QUOTA_REASONS}. */
export type SmsQuotaReason = keyof typeof SMS_QUOTA_REASONS;
