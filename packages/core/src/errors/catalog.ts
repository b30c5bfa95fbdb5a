import type { CODE_RANGES } from "./code-ranges.js";

/**
 * A message in English and Chinese.
 *
 * `{word}` is replaced by a detail of the failure, and `WALLET_A` and `WALLET_B` by the names of
 * the channels in the policy.
 */
export interface Message {
  readonly en: string;
  readonly zh: string;
}

/** The categories of failures. Each category has its own ranges of codes. */
export type ErrorCategory = keyof typeof CODE_RANGES;

/** One row of the catalog. */
export interface ErrorEntry {
  /** The number on the wire. It never changes. */
  readonly code: number;
  readonly category: ErrorCategory;
  /** When the failure occurs. */
  readonly meaning: string;
  /** What the caller should do. */
  readonly advice: string;
  /** Whether the caller may repeat the same request after a short pause. */
  readonly retryable: boolean;
  /** The HTTP status if `policy.statusMode` is `standard`. */
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 502 | 503;
  /** Whether `status` also applies if `policy.statusMode` is `always-200`. */
  readonly statusInEveryMode?: boolean;
  /** The text of `msg`. */
  readonly message: Message;
}

/**
 * All failures of the payments and sessions API, with their codes and messages.
 *
 * Rows are added and never renumbered.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/api-format.md |
 *   Request forms are lenient, amounts strict, codes fixed}
 */
export const ERROR_CATALOG = {
  "credentials.missing": {
    code: 1,
    category: "Auth / Session",
    meaning: "The `APP_ID` or the `APP_SECRET` header is absent or empty.",
    advice:
      "Send both headers from your backend. Behind nginx, set `underscores_in_headers on`; otherwise nginx drops these headers.",
    retryable: false,
    status: 401,
    message: {
      en: "APP_ID and APP_SECRET headers are required",
      zh: "缺少请求头 APP_ID 或 APP_SECRET，请同时提供两者",
    },
  },
  "credentials.invalid": {
    code: 1001,
    category: "Auth / Session",
    // An unknown app and a wrong secret share this row, so that callers cannot search for app ids.
    meaning: "The app is unknown or disabled, or the secret is wrong or has expired.",
    advice: "Check both credentials. After a rotation, deploy the new secret before the old one expires.",
    retryable: false,
    status: 401,
    message: { en: "APP_ID or APP_SECRET is not valid", zh: "APP_ID 或 APP_SECRET 无效，请核对" },
  },
  "request.malformed": {
    code: 10001,
    category: "Validation & Integration",
    meaning:
      "The body is not a JSON object, its bytes are not UTF-8, percent-encoding is broken, or a parameter occurs twice.",
    advice: "Send one UTF-8 JSON object, or each parameter once.",
    retryable: false,
    status: 400,
    message: {
      en: "The request cannot be read: send UTF-8, one JSON object as body, each parameter once",
      zh: "无法解析请求：请使用 UTF-8 编码，请求体须为一个 JSON 对象，每个参数只能出现一次",
    },
  },
  "parameter.missing": {
    code: 10002,
    category: "Validation & Integration",
    meaning: "A required parameter is absent, `null` or empty; `msg` names it.",
    advice: "Send the parameter.",
    retryable: false,
    status: 400,
    message: { en: "Parameter {parameter} is required", zh: "缺少必填参数 {parameter}，请补充" },
  },
  "parameter.invalid": {
    code: 10003,
    category: "Validation & Integration",
    meaning: "A parameter is invalid. `msg` names the parameter and the rule, but never contains the value.",
    advice: "Correct the parameter.",
    retryable: false,
    status: 400,
    message: { en: "Parameter {parameter} {rule}", zh: "参数 {parameter} {rule}" },
  },
  "amount.invalid": {
    code: 10004,
    category: "Validation & Integration",
    meaning: "`amount` is not a JSON integer of cents between 1 and `policy.maxAmount`.",
    advice: "Send whole cents as a JSON number without quotes, fraction or exponent.",
    retryable: false,
    status: 400,
    message: {
      en: "Parameter amount must be an integer of cents, at least 1 and not above the limit",
      zh: "参数 amount 必须是以分为单位的整数，不小于 1 且不超过上限",
    },
  },
  "pay-channel.invalid": {
    code: 10005,
    category: "Validation & Integration",
    meaning: "`payChannel` is neither `WALLET_A` nor `WALLET_B`.",
    advice: "Send one of the two channels.",
    retryable: false,
    status: 400,
    message: {
      en: "Parameter payChannel must be WALLET_A or WALLET_B",
      zh: "参数 payChannel 必须为 WALLET_A 或 WALLET_B",
    },
  },
  "pay-source.invalid": {
    code: 10006,
    category: "Validation & Integration",
    meaning:
      "`paySource` is none of `NATIVE`, `H5`, `APP`, `JSAPI`, `PC`, or it is `PC` for `WALLET_A`, which does not support it.",
    advice:
      "Send one of the five values, or omit `paySource` for `APP`. On a desktop page with `WALLET_A`, send `NATIVE` and show the QR code.",
    retryable: false,
    status: 400,
    message: {
      en: "Parameter paySource {rule}",
      zh: "参数 paySource {rule}",
    },
  },
  "customer-identity.required": {
    code: 10007,
    category: "Validation & Integration",
    meaning: "The app has customer accounts, and the order has no `customerIdentity`.",
    advice: "Send the stable internal id of the user who pays.",
    retryable: false,
    status: 400,
    message: {
      en: "Parameter customerIdentity is required for this app",
      zh: "该应用的订单必须提供参数 customerIdentity，请传入付款用户的内部 ID",
    },
  },
  "customer-identity.forbidden": {
    code: 10008,
    category: "Validation & Integration",
    meaning:
      "`customerIdentity` looks like an e-mail address, a phone number, a card number, the number of an identity card or an account at a wallet, or it equals `bizNo`.",
    advice:
      "Send an opaque internal id. The operator can switch off each check for the app, such as that of card numbers if your ids are long numbers.",
    retryable: false,
    status: 400,
    message: {
      en: "Parameter customerIdentity must be an internal id: {rule}",
      zh: "参数 customerIdentity 必须是内部 ID：{rule}",
    },
  },
  "source-from.invalid": {
    code: 10009,
    category: "Validation & Integration",
    meaning: "`sourceFrom` is neither a token of the policy nor `others`.",
    advice:
      "Send `others` or a token of `policy.sourceFromTokens` (`store_01` … `store_16` by default), or omit `sourceFrom`.",
    retryable: false,
    status: 400,
    message: {
      en: "Parameter sourceFrom must be one of {tokens}",
      zh: "参数 sourceFrom 必须为以下之一：{tokens}",
    },
  },
  "attach-data.too-large": {
    code: 10010,
    category: "Validation & Integration",
    meaning: "`attachData` is larger than `policy.maxAttachDataBytes` of UTF-8.",
    advice: "Send a reference in `attachData`, and store the rest in your system.",
    retryable: false,
    status: 400,
    message: {
      en: "Parameter attachData is too large",
      zh: "参数 attachData 过大，请只传入引用，并将其余内容保存在自己的系统中",
    },
  },
  "request.too-large": {
    code: 10011,
    category: "Validation & Integration",
    meaning: "The request body is larger than `policy.maxRequestBytes`.",
    advice: "Send a smaller body.",
    retryable: false,
    status: 413,
    message: { en: "The request body is too large", zh: "请求体过大，请减小后重试" },
  },
  "page.invalid": {
    code: 10012,
    category: "Validation & Integration",
    meaning:
      "`pageNum` or `pageSize` is not an integer of at least 1, or `pageSize` is above `policy.maxPageSize`.",
    advice: "Correct the paging parameters.",
    retryable: false,
    status: 400,
    message: {
      en: "Parameters pageNum and pageSize must be positive integers, pageSize not above the limit",
      zh: "参数 pageNum 和 pageSize 必须为正整数，且 pageSize 不得超过上限",
    },
  },
  "mobile-no.invalid": {
    code: 10013,
    category: "Validation & Integration",
    meaning:
      "`mobileNo` is not a valid phone number, or it is a test number and the app has a PROD pay tool.",
    advice: "Let the customer correct the number. A number outside the default country must start with `+`.",
    retryable: false,
    status: 400,
    message: {
      en: "Parameter mobileNo is not a valid phone number",
      zh: "参数 mobileNo 不是有效的手机号，请更正",
    },
  },
  "mobile-no.not-allowed": {
    code: 10016,
    category: "Validation & Integration",
    meaning:
      "`mobileNo` is valid but gets no codes: it is not a mobile number, or the policy does not allow its country or prefix.",
    advice: "Let the customer use a mobile number of an allowed country (`policy.smsCountries`).",
    retryable: false,
    status: 400,
    message: {
      en: "Parameter mobileNo is not a number that can receive codes",
      zh: "参数 mobileNo 不是可接收验证码的手机号，请更换号码",
    },
  },
  "mobile-no.locked": {
    code: 20001,
    category: "User Account",
    meaning: "There were `policy.codeTriesPerDay` wrong codes for this number today.",
    advice: "Let the customer try again tomorrow: the `Retry-After` header has the seconds.",
    retryable: false,
    status: 429,
    message: {
      en: "Too many wrong verification codes for this number today, try again tomorrow",
      zh: "该手机号今日验证码错误次数过多，请明天再试",
    },
  },
  "endpoint.not-found": {
    code: 10014,
    category: "Validation & Integration",
    meaning: "The path does not exist, or it does not support the method.",
    advice: "Compare the path and the method with the reference.",
    retryable: false,
    status: 404,
    // A wallet would take 200 as an acknowledgement, even at a wrong `notifyUrl`.
    statusInEveryMode: true,
    message: { en: "No such endpoint", zh: "接口不存在，请核对路径和请求方法" },
  },
  "payer-address.invalid": {
    code: 10015,
    category: "Validation & Integration",
    meaning:
      "The wallet needs the customer's IP address for `H5`, and the request did not contain it. For a `PROD` account, the address must be public. Tillkit did not call the wallet.",
    advice:
      "Repeat the request with the IP address of the customer's browser, in the header that `msg` names. If `msg` names `payerClientIp`, the operator must set that option of the wallet adapter.",
    retryable: false,
    status: 400,
    message: {
      en: "H5 needs the public IP address of the customer: send it as {parameter}",
      zh: "H5 支付需要客户的公网 IP 地址，请通过 {parameter} 提供",
    },
  },
  "auth-code.invalid": {
    code: 10020,
    category: "Auth / Session",
    // All four cases share this row, so that a response does not reveal whether a code was sent.
    meaning: "The code is wrong, expired or already used, or no code was sent.",
    advice: "Let the customer try again or request a new code.",
    retryable: false,
    status: 401,
    message: { en: "The verification code is not valid", zh: "验证码无效，请重新输入或重新获取验证码" },
  },
  "auth-code.attempts-exceeded": {
    code: 10021,
    category: "Auth / Session",
    meaning:
      "There were too many wrong attempts for this code, or the app had too many wrong codes for many numbers within the hour.",
    advice:
      "Let the customer request a new code. If the answer has a `Retry-After` header, logins of the app are paused until then.",
    retryable: false,
    status: 429,
    message: { en: "Too many wrong verification codes: {reason}", zh: "验证码错误次数过多，{reason}" },
  },
  "sms.quota-exceeded": {
    code: 10022,
    category: "Auth / Session",
    meaning:
      "The number has reached its SMS limit of the day, the pause since its last request is too short, or the app, the country or the host has reached a limit.",
    advice: "Show the customer how long to wait: the `Retry-After` header has the seconds.",
    retryable: false,
    status: 429,
    message: { en: "Too many verification codes requested: {reason}", zh: "获取验证码过于频繁，{reason}" },
  },
  "sms.not-sent": {
    code: 10023,
    category: "Auth / Session",
    meaning: "The SMS carrier refused the message. The request is not counted.",
    advice: "Let the customer check the number and try again.",
    retryable: true,
    status: 502,
    message: { en: "The verification code could not be sent", zh: "验证码发送失败，请核对手机号后重试" },
  },
  "wallet-a.rejected": {
    code: 30001,
    category: "Wallet A",
    meaning: "WALLET_A definitely refused the payment.",
    advice: "Do not retry the same request. The operator finds the wallet's reason in the order's timeline.",
    retryable: false,
    status: 502,
    message: { en: "WALLET_A refused the payment", zh: "WALLET_A 拒绝了该笔支付，请勿重复相同的请求" },
  },
  "wallet-a.unavailable": {
    code: 30002,
    category: "Wallet A",
    meaning: "WALLET_A failed or did not respond in time. It may have accepted the order.",
    advice: "Retry with the same `bizNo`. The retry continues the same order at the wallet.",
    retryable: true,
    status: 503,
    message: {
      en: "WALLET_A does not respond; retry with the same bizNo",
      zh: "WALLET_A 暂无响应，请使用相同的 bizNo 重试",
    },
  },
  "wallet-a.bad-answer": {
    code: 30003,
    category: "Wallet A",
    meaning: "The response of WALLET_A could not be verified, so Tillkit ignored it.",
    advice:
      "Retry with the same `bizNo`. If the failure persists, the operator checks the wallet's public keys.",
    retryable: true,
    status: 502,
    message: {
      en: "The response of WALLET_A could not be verified; retry with the same bizNo",
      zh: "WALLET_A 的响应未通过验证，请使用相同的 bizNo 重试",
    },
  },
  "wallet-b.failed": {
    code: 40001,
    category: "Wallet B",
    meaning:
      "WALLET_B refused the payment, did not respond, or sent a response that could not be verified. `msg` says which.",
    advice: "If WALLET_B refused the payment, do not retry. Otherwise retry with the same `bizNo`.",
    retryable: true,
    status: 502,
    message: { en: "WALLET_B {kind}", zh: "支付渠道 WALLET_B {kind}" },
  },
  "order.not-found": {
    code: 50001,
    category: "Payment",
    // Another customer's order shares this row, so that a response does not reveal which orders
    // exist.
    meaning: "No order has this `bizNo` and this `customerIdentity`.",
    advice: "Send the `bizNo` and the `customerIdentity` with which the order was created.",
    retryable: false,
    status: 404,
    message: { en: "Order not found", zh: "订单不存在，请核对 bizNo 和 customerIdentity" },
  },
  "biz-no.conflict": {
    code: 50002,
    category: "Payment",
    meaning: "The `bizNo` belongs to an order with other parameters; `msg` names the parameters that differ.",
    advice: "Repeat the original request, or use a new `bizNo` for a new purchase.",
    retryable: false,
    status: 409,
    message: {
      en: "bizNo is already used by an order with a different {fields}",
      zh: "bizNo 已用于其他参数的订单，不同的参数为：{fields}。请重复原请求，或使用新的 bizNo",
    },
  },
  "order.already-paid": {
    code: 50003,
    category: "Payment",
    meaning: "The order of this `bizNo` is PAID.",
    advice: "Read `/detail.json` and deliver the purchase. Do not charge the customer again.",
    retryable: false,
    status: 409,
    message: { en: "The order is already paid", zh: "订单已支付，请勿再次收款" },
  },
  "order.closed": {
    code: 50004,
    category: "Payment",
    meaning: "The order of this `bizNo` is closed, or its time to pay is over.",
    advice:
      "Read `/detail.json`. If the status is CLOSE, use a new `bizNo` for a new purchase. If it is PENDING, read it again later.",
    retryable: false,
    status: 409,
    message: {
      en: "The order is closed",
      zh: "订单已关闭或已超过支付期限，请查询订单；状态为 CLOSE 时，可使用新的 bizNo 重新下单",
    },
  },
  "order.refunded": {
    code: 50005,
    category: "Payment",
    meaning: "The order of this `bizNo` was paid and fully refunded.",
    advice: "Use a new `bizNo` for a new purchase.",
    retryable: false,
    status: 409,
    message: { en: "The order has been refunded", zh: "订单已全额退款，再次购买请使用新的 bizNo" },
  },
  "order.not-paid": {
    code: 50006,
    category: "Payment",
    meaning: "Only a PAID order can be refunded.",
    advice: "Check the order's status.",
    retryable: false,
    status: 409,
    message: { en: "The order is not paid", zh: "订单未支付，只有已支付的订单可以退款" },
  },
  "refund.exceeds-remaining": {
    code: 50007,
    category: "Payment",
    meaning:
      "The refund is larger than the remaining amount of the order. Every open refund reserves its amount, including WAITING_FOR_FUNDS and ABNORMAL refunds. A refund that a bill lists and the record lacks counts as well.",
    advice:
      "Refund at most the remaining amount. If a bill lists a refund that is not recorded, adopt it, or close its bill exception.",
    retryable: false,
    status: 409,
    message: {
      en: "The refund exceeds the remaining amount of {remaining} cents",
      zh: "退款金额超过剩余可退金额（{remaining} 分），请减小退款金额",
    },
  },
  "refund.in-progress": {
    code: 50008,
    category: "Payment",
    meaning: "Another refund of this order has no definite outcome yet, or the order has just changed.",
    advice:
      "Wait. Tillkit queries the wallet about the other refund until its outcome is definite. A request with the other refund's `refundNo` returns its status. If no other refund is open, repeat the request.",
    retryable: true,
    status: 409,
    message: {
      en: "Another refund of this order is in progress",
      zh: "该订单有退款正在处理中，请等待其完成",
    },
  },
  "refund.rejected": {
    code: 50009,
    category: "Payment",
    meaning: "The wallet definitely refused or closed the refund. No money moved.",
    advice:
      "Read the wallet's reason in the order's timeline. If you can remove the cause, refund again with a new `refundNo`. Otherwise record with `settleRefund` that you pay the customer by other means, and pay then.",
    retryable: false,
    status: 502,
    message: {
      en: "WeChat Pay or Alipay refused the refund",
      zh: "支付渠道拒绝了该笔退款，请在订单时间线中查看原因",
    },
  },
  "refund.outcome-unknown": {
    code: 50010,
    category: "Payment",
    meaning: "The wallet gave no definite response: the refund may or may not have happened.",
    advice:
      "Retry with the same `refundNo`, or wait: the reconciler queries the wallet until the outcome is definite. Do not refund by other means.",
    retryable: true,
    status: 503,
    message: {
      en: "The outcome of the refund is not known yet; retry with the same refundNo, or wait",
      zh: "退款结果未知，请使用相同的 refundNo 重试，或等待系统继续查询；请勿以其他方式退款",
    },
  },
  "refund-no.conflict": {
    code: 50011,
    category: "Payment",
    meaning:
      "The `refundNo` belongs to another refund of this order: one with another amount, or one that a previous service made. No money moved.",
    advice: "To retry that refund, send its amount or no amount. For another refund, use a new `refundNo`.",
    retryable: false,
    status: 409,
    message: {
      en: "The refundNo belongs to a refund of {amount} cents; use a new refundNo for another refund",
      zh: "该 refundNo 已用于金额为 {amount} 分的退款，其他退款请使用新的 refundNo",
    },
  },
  "refund.not-found": {
    code: 50012,
    category: "Payment",
    meaning: "The order has no refund with this `refundNo`.",
    advice: "Read the order's refunds with `explainOrder`.",
    retryable: false,
    status: 404,
    message: { en: "Refund not found", zh: "退款不存在，请核对 refundNo" },
  },
  "refund.status-conflict": {
    code: 50013,
    category: "Payment",
    meaning: "The status of the refund does not allow this operation.",
    advice:
      "Only an ABNORMAL refund can be paid out to a bank card. Only a refund that the wallet has not made, or about which it has not answered for a long time, can be settled by other means. Only a refund that the wallet does not have can be withdrawn. Any other open refund continues by itself.",
    retryable: false,
    status: 409,
    message: {
      en: "The refund is {status}; this status does not allow the operation",
      zh: "退款状态为 {status}，不支持此操作",
    },
  },
  "refund.payout-rejected": {
    code: 50014,
    category: "Payment",
    meaning: "The wallet refused to pay out the abnormal refund. The wallet still holds the money.",
    advice:
      "Read the wallet's reason in the order's timeline. Try again with another card, or record with `settleRefund` that you pay the customer by other means, and pay then.",
    retryable: false,
    status: 502,
    message: {
      en: "WeChat Pay or Alipay refused the payout of the refund",
      zh: "支付渠道拒绝了该异常退款打款，请更换银行卡，或以其他方式退款",
    },
  },
  "refund.not-adopted": {
    code: 50016,
    category: "Payment",
    meaning:
      "The wallet did not confirm a refund with this number for this order, so the record stays as it is. The message has the reason.",
    advice:
      "Compare the number with the wallet's console or bill. A refund that is under way can be adopted when the wallet has made it.",
    retryable: false,
    status: 409,
    message: {
      en: "The refund cannot be recorded: {because}",
      zh: "无法登记该退款：{because}",
    },
  },
  "refund.withdrawn": {
    code: 50017,
    category: "Payment",
    meaning:
      "An operator withdrew the refund, because the wallet had none with its number. No money moved, and Tillkit never sends this `refundNo` again.",
    advice: "To refund after all, use a new `refundNo`.",
    retryable: false,
    status: 409,
    message: { en: "The refund was withdrawn", zh: "该退款已撤回，如仍需退款，请使用新的 refundNo" },
  },
  "order.damaged": {
    code: 50015,
    category: "Payment",
    meaning:
      "The stored order contradicts its own timeline, so it was changed outside Tillkit. No money moved.",
    advice:
      "Read what differs with `tillkit orders explain`, find out who changed the database, and restore the row. Then repeat the request.",
    retryable: false,
    status: 409,
    message: {
      en: "The stored order contradicts its timeline: restore its row in the database first",
      zh: "订单数据与其时间线不一致，请先查明原因并恢复数据库中的数据",
    },
  },
  "pay-tool.not-configured": {
    code: 70002,
    category: "Service Config",
    meaning: "The app has no pay tool for this channel.",
    advice: "Offer only the channels that `/payTools.json` lists.",
    retryable: false,
    status: 409,
    message: {
      en: "This payment channel is not configured for the app",
      zh: "该应用未配置此支付渠道，请选择 /payTools.json 列出的渠道",
    },
  },
  "pay-tool.not-ready": {
    code: 70003,
    category: "Service Config",
    meaning: "The pay tool of this channel has `signStatus` NO: its credentials are missing or invalid.",
    advice: "The operator must set valid wallet credentials.",
    retryable: false,
    status: 503,
    message: { en: "This payment channel is not ready", zh: "该支付渠道尚未就绪，请联系服务运营方" },
  },
  "service-type.unknown": {
    code: 70004,
    category: "Service Config",
    meaning: "The app has no service type with this `serviceTypeNo`.",
    advice: "Create the service type first, or correct the number.",
    retryable: false,
    status: 404,
    message: { en: "Unknown serviceTypeNo", zh: "serviceTypeNo 不存在，请先创建服务类型或更正编号" },
  },
  "sms.not-configured": {
    code: 70005,
    category: "Service Config",
    meaning: "The host has no SMS sender.",
    advice: "The operator must add an `SmsSender` to the ports of the host.",
    retryable: false,
    status: 503,
    message: { en: "SMS login is not configured", zh: "未配置短信登录，请联系服务运营方" },
  },
  "service-type.retired": {
    code: 70006,
    category: "Service Config",
    meaning: "The operator has retired the service type: no new order may name its `serviceTypeNo`.",
    advice:
      "Stop selling it, or ask the operator to restore it. Existing orders and services of the type continue: a repetition with the `bizNo` of an existing order still works.",
    retryable: false,
    status: 409,
    message: {
      en: "The service of this serviceTypeNo is not sold any more",
      zh: "该 serviceTypeNo 对应的服务已停售，不能创建新订单",
    },
  },
  "storage.misconfigured": {
    code: 70007,
    category: "Service Config",
    meaning:
      "The storage refused the request for a reason that does not pass: a missing right, table, database or key, a refused login, or a row that cannot be read. The request may or may not have taken effect.",
    advice:
      "Report the trace id to the operator, who finds the cause and the remedy in the log of the host. Afterwards, repeat the request with the same `bizNo`.",
    retryable: false,
    status: 500,
    message: {
      en: "The service has a configuration problem: report the traceId to its operator",
      zh: "服务配置有误，请将 traceId 提供给服务运营方",
    },
  },
  "storage.unavailable": {
    code: 99998,
    category: "System",
    meaning:
      "Storage or another dependency failed for a reason that passes. The request may or may not have taken effect.",
    advice:
      "Retry the same request after a pause, with the same `bizNo`. If the failure persists, report the trace id to the operator.",
    retryable: true,
    status: 503,
    message: { en: "Temporarily unavailable; please retry", zh: "服务暂时不可用，请稍后重试" },
  },
} as const satisfies Record<string, ErrorEntry>;

/** The name of a failure in the catalog. */
export type FailureName = keyof typeof ERROR_CATALOG;
