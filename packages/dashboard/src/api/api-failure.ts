import { type InputFailure, isoTime, type Policy, type UnknownAppFailure } from "@tillkit/core";
import {
  ERROR_CATALOG,
  type Failure,
  failureMessage,
  type Language,
  type Message,
  type StorageFailure,
} from "@tillkit/core/errors";
import {
  type NumberFailure,
  type OnePersonFailure,
  type OperatorAccountFailureName,
  type PayToolNotWorking,
  recordedFailure,
  type RefundApprovalFailureName,
  type SignInLimited,
  type UnseenActivityFailure,
  walletName,
} from "@tillkit/core/operators";
import type { AuditEntry, InvalidCountFailure, StoreChangeFailure } from "@tillkit/core/ports";

/** The HTTP status and the texts of a failure that is not in the catalog of core. */
interface OperatorApiFailure {
  readonly status: 400 | 401 | 403 | 404 | 409 | 429;
  readonly message: Message;
}

/** The failures of the operator API that are not in the catalog of core. */
export const OPERATOR_API_FAILURES = {
  "session.missing": {
    status: 401,
    message: { en: "Sign in first", zh: "请先登录" },
  },
  "session.incomplete": {
    status: 401,
    message: {
      en: "Enter the code of your second factor first",
      zh: "请先输入两步验证码",
    },
  },
  "password.must-change": {
    status: 403,
    message: { en: "Choose another password first", zh: "请先修改密码" },
  },
  "csrf.invalid": {
    status: 403,
    message: {
      en: "The page is out of date: reload it and try again",
      zh: "页面已过期，请刷新后重试",
    },
  },
  "origin.forbidden": {
    status: 403,
    message: {
      en: "The request comes from another site and was refused",
      zh: "请求来自其他网站，已被拒绝",
    },
  },
  "permission.denied": {
    status: 403,
    message: {
      en: "Your role does not permit this action: ask an administrator",
      zh: "您的角色没有此权限，请联系管理员",
    },
  },
  "sign-in.wrong": {
    status: 401,
    message: {
      en: "Name, password or code is wrong",
      zh: "用户名、密码或验证码错误",
    },
  },
  "sign-in.limited": {
    status: 429,
    message: {
      en: "Too many wrong attempts: try again in {time}",
      zh: "错误次数过多，请{time}后再试",
    },
  },
  "second-factor.exists": {
    status: 409,
    message: {
      en: "The account already has a second factor: sign in with its code",
      zh: "该账号已设置两步验证，请使用验证码登录",
    },
  },
  "second-factor.changed": {
    status: 409,
    message: {
      en: "The second factor was changed meanwhile, or there is none: load the page again",
      zh: "两步验证已被更改或未设置，请重新加载页面",
    },
  },
  "second-factor.required": {
    status: 409,
    message: {
      en: "Operators must have a second factor: replace it instead of removing it",
      zh: "运营人员必须启用两步验证，只能更换，不能移除",
    },
  },
  "operator.unknown": {
    status: 404,
    message: { en: "There is no operator with this name", zh: "该操作员不存在" },
  },
  "operator.exists": {
    status: 409,
    message: { en: "An operator with this name already exists", zh: "此名称的操作员已存在" },
  },
  "operator.last-admin": {
    status: 409,
    message: {
      en: "This is the last active admin of every app: make another operator an admin first",
      zh: "这是最后一个可用的管理员，请先将其他操作员设为管理员",
    },
  },
  "streams.limited": {
    status: 429,
    message: {
      en: "Too many pages of orders are open: close some of them",
      zh: "打开的订单页面过多，请关闭一些",
    },
  },
  "exports.limited": {
    status: 429,
    message: {
      en: "Your other exports are still running: wait until one has ended",
      zh: "您的其他导出仍在进行，请等待其中一个完成",
    },
  },
  "bill-day.not-found": {
    status: 404,
    message: {
      en: "This account has no bill of this day: the day is not over, or the account was not set up",
      zh: "该商户号没有此日期的账单：当日尚未结束，或商户号尚未设置",
    },
  },
  "bill-day.not-ready": {
    status: 409,
    message: {
      en: "The payment channel has not created the bill yet. Compare it after 10:00 China time of the next day",
      zh: "支付渠道尚未生成账单，请在次日 10:00（北京时间）之后核对",
    },
  },
  "bill-day.without-bill": {
    status: 409,
    message: {
      en: "The payment channel has no bill of this day, and the record has payments or refunds of it. Look for the bill in the channel's console, or ask its support",
      zh: "支付渠道没有此日期的账单，但本地有当日的付款或退款记录。请在渠道后台查找账单，或联系渠道客服",
    },
  },
  "bill-day.refused": {
    status: 409,
    message: {
      en: "The payment channel refused the bill. Ask an administrator to check the credentials of the pay tool, and its rights in the channel's console",
      zh: "支付渠道拒绝提供账单，请联系管理员检查收款配置的凭据及其在渠道后台的权限",
    },
  },
  "bill-day.unknown": {
    status: 409,
    message: {
      en: "The payment channel did not provide the whole bill, and nothing was compared. Try again later",
      zh: "未能从支付渠道取得完整账单，未进行核对，请稍后重试",
    },
  },
  "bill-exception.not-found": {
    status: 404,
    message: { en: "There is no bill exception with this id", zh: "该账单差错不存在" },
  },
  "bill-exception.not-open": {
    status: 409,
    message: {
      en: "The bill exception is no longer open: reload the page",
      zh: "该账单差错已不是待处理状态，请刷新页面",
    },
  },
  "bill-exception.not-offered": {
    status: 409,
    message: {
      en: "This bill exception cannot be closed in this way: reload the page",
      zh: "该账单差错不支持此处理方式，请刷新页面",
    },
  },
  "bill-exception.not-confirmed": {
    status: 409,
    message: {
      en: "The payment channel does not confirm what its bill lists. Nothing was changed",
      zh: "支付渠道未确认账单中的内容，未做任何更改",
    },
  },
  "alarm.not-open": {
    status: 409,
    message: {
      en: "The order no longer has an open alarm: reload the page",
      zh: "该订单已没有未确认的告警，请刷新页面",
    },
  },
  "shipment.not-reportable": {
    status: 409,
    message: {
      en: "The delivery of this order cannot be reported: reload the page. It is reported already, or the order is not paid in a mini-program whose pay tool reports deliveries",
      zh: "无法上报此订单的发货信息，请刷新页面：发货信息已上报，或订单并非在已启用发货信息上报的小程序中支付",
    },
  },
  "downloads-client.unknown": {
    status: 404,
    message: { en: "There is no downloads client with this id", zh: "该下载量客户端不存在" },
  },
  "refund.over-support-limit": {
    status: 403,
    message: {
      en: "The refunds of this order exceed the limit of your role: ask finance",
      zh: "此订单的退款超出您的角色限额，请联系财务",
    },
  },
  "refund.unseen-activity": {
    status: 409,
    message: {
      en: "Somebody has started something else for this order meanwhile: look at it, and confirm again",
      zh: "其他人刚刚对此订单进行了操作，请查看后重新确认",
    },
  },
  "refund-approval.not-found": {
    status: 404,
    message: { en: "There is no refund request with this id", zh: "该退款申请不存在" },
  },
  "refund-approval.own": {
    status: 403,
    message: {
      en: "You requested this refund: another operator must decide",
      zh: "不能审批自己申请的退款，请联系其他操作员",
    },
  },
  "refund-approval.one-person": {
    status: 403,
    message: {
      en: "Both accounts, yours and the requester's, could belong to one person, because one gave the other its rights or one operator gave both their rights: another operator must decide, or you after {until}",
      zh: "您与申请人的账号近期由同一人创建、重置、提权或启用，可能为同一人使用：请由其他操作员审批，或在 {until} 之后再审批",
    },
  },
  "refund-approval.decided": {
    status: 409,
    message: {
      en: "This refund is already approved or rejected: reload the page",
      zh: "该退款已批准或驳回，请刷新页面",
    },
  },
  "refund-approval.rejected": {
    status: 409,
    message: {
      en: "The refund with this number was rejected: use another refund number",
      zh: "此退款单号的退款已被驳回，请更换退款单号",
    },
  },
  "service-type.exists": {
    status: 409,
    message: {
      en: "A service type with this number exists already, with other values or retired: choose another number",
      zh: "该编号的服务类型已存在（内容不同或已停售），请更换编号",
    },
  },
  "downloads-client.ended": {
    status: 409,
    message: {
      en: "The downloads client is disabled, or its id was replaced before: enable it first",
      zh: "该下载量客户端已停用，或其标识已更换：请先启用",
    },
  },
  "downloads-client.exists": {
    status: 409,
    message: {
      en: "A downloads client with this id exists already, with other values: choose another id",
      zh: "该标识的下载量客户端已存在且内容不同，请更换标识",
    },
  },
  "store.unknown": {
    status: 404,
    message: { en: "There is no store with this name", zh: "没有此名称的商店" },
  },
  "store.exists": {
    status: 409,
    message: {
      en: "The name belongs to another store already: choose another name, or merge the stores",
      zh: "该名称已属于其他商店，请更换名称或合并商店",
    },
  },
  "store.days-in-both": {
    status: 409,
    message: {
      en: "Both stores have counts of the same days, and nothing was changed: add them up, keep those of one store, or delete days first",
      zh: "两个商店在相同日期都有数据，未做任何更改：请选择相加或保留其中一个，或先删除部分日期",
    },
  },
  "store.too-many": {
    status: 409,
    message: {
      en: "There are too many names of stores: nothing was changed",
      zh: "商店名称过多，未做任何更改",
    },
  },
  "count.invalid": {
    status: 400,
    message: {
      en: "A day is in the future, or a sum of counts is too large: nothing was changed",
      zh: "日期在将来，或数据之和过大，未做任何更改",
    },
  },
  "change-id.missing": {
    status: 400,
    message: {
      en: "The request has no valid X-Change-Id: send 16 to 64 letters, digits, - and _, made once for this change",
      zh: "请求缺少有效的 X-Change-Id：请为本次操作生成一个 16 至 64 位的标识（字母、数字、- 或 _）并随请求发送",
    },
  },
  "change.running": {
    status: 409,
    message: {
      en: "This change is already being made: wait for its outcome",
      zh: "该操作正在进行，请等待结果",
    },
  },
  "change.conflict": {
    status: 409,
    message: {
      en: "The change id belongs to another change: nothing was changed. Make a new change",
      zh: "该操作标识已用于另一操作，本次未做任何更改，请重新操作",
    },
  },
  "change.failed": {
    status: 409,
    message: {
      en: "This change failed: nothing was changed. Make a new change",
      zh: "该操作已失败，未做任何更改，请重新操作",
    },
  },
  "number.unassigned": {
    status: 409,
    message: {
      en: "The phone number does not belong to this customer: nothing was changed",
      zh: "该手机号不属于此客户，未做任何更改",
    },
  },
  "number.taken": {
    status: 409,
    message: {
      en: "The new phone number belongs to another customer, or is the old one: nothing was changed. Merge two customers of one person instead",
      zh: "新手机号属于其他客户或与原号码相同，未做任何更改。如为同一人，请合并客户",
    },
  },
  "customer.without-number": {
    status: 409,
    message: {
      en: "Both customers need a phone number and must differ: nothing was changed",
      zh: "两个客户须各有手机号且不能相同，未做任何更改",
    },
  },
  "number.changed": {
    status: 409,
    message: {
      en: "The phone number has just changed, or the customer was erased: nothing was changed. Reload the page",
      zh: "手机号刚刚发生变化，或客户信息已删除，未做任何更改，请刷新页面",
    },
  },
  "pay-tool.unknown": {
    status: 404,
    message: { en: "There is no pay tool with this id", zh: "该收款配置不存在" },
  },
  "pay-tool.not-working": {
    status: 409,
    message: {
      en: "The pay tool would not work with these credentials. Nothing was changed.",
      zh: "使用这些凭据后，收款配置将无法工作。未做任何更改。",
    },
  },
  "app.unknown": {
    status: 404,
    message: { en: "There is no app with this id", zh: "该应用不存在" },
  },
} as const satisfies Readonly<Record<string, OperatorApiFailure>> &
  Readonly<
    Record<
      | NumberFailure["name"]
      | OperatorAccountFailureName
      | RefundApprovalFailureName
      | InvalidCountFailure["name"]
      | Exclude<StoreChangeFailure["name"], StorageFailure["name"]>
      | SignInLimited["name"]
      | UnknownAppFailure["name"],
      OperatorApiFailure
    >
  >;

/** The name of a failure that is not in the catalog of core. */
export type OperatorApiFailureName = keyof typeof OPERATOR_API_FAILURES;

/** Why a request to the operator API fails. */
export type ApiFailure =
  Failure | InputFailure | { readonly name: Exclude<OperatorApiFailureName, WithFacts["name"]> } | WithFacts;

/** The failures that have facts. */
type WithFacts = OnePersonFailure | PayToolNotWorking | SignInLimited | UnseenActivityFailure;

/** Returns the failure that is the outcome of a change, as the log records it. */
export function recordedApiFailure(outcome: AuditEntry): ApiFailure {
  const { name = "", details = {}, failure } = recordedFailure(outcome) ?? {};
  if (failure !== undefined) return failure;
  // A limit is no outcome of a change, and is never recorded as an outcome.
  if (!isOperatorApiName(name) || name === "sign-in.limited") return { name: "change.failed" };
  // The log does not contain what was open then. The page reads what is open now.
  if (name === "refund.unseen-activity")
    return { name, activity: { seen: 0, approvals: [], refunds: [], alarms: [], exceptions: [] } };
  // The log contains nothing about credentials. The page shows what is wrong with the stored ones.
  if (name === "pay-tool.not-working") return { name, problems: [] };
  return name === "refund-approval.one-person" ? { name, until: details.until ?? outcome.at } : { name };
}

/** Returns the HTTP status of a failure. */
export function statusOf({ name }: ApiFailure): number {
  return isOperatorApiName(name) ? OPERATOR_API_FAILURES[name].status : ERROR_CATALOG[name].status;
}

/** Returns the text of a failure for the operator. */
export function messageOf(failure: ApiFailure, language: Language, policy: Policy): string {
  if (!hasOperatorApiName(failure))
    return failureMessage(failure, language, { ...policy, payChannelNames: channelNames(language) });
  const message = OPERATOR_API_FAILURES[failure.name].message[language];
  if ("until" in failure) return message.replace("{until}", isoTime(policy.timeZone, failure.until));
  return "retryAfter" in failure
    ? message.replace("{time}", waitText(failure.retryAfter, language))
    : message;
}

/**
 * Returns the names of the channels for operators: those that people use, not those on the wire.
 */
function channelNames(language: Language) {
  return { WALLET_A: walletName("WALLET_A", language), WALLET_B: walletName("WALLET_B", language) };
}

/** Returns the text of a waiting time, rounded up. */
function waitText(milliseconds: number, language: Language): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  const minutes = Math.ceil(milliseconds / 60_000);
  if (seconds <= 90)
    return language === "zh"
      ? ` ${String(seconds)} 秒`
      : `${String(seconds)} second${seconds === 1 ? "" : "s"}`;
  return language === "zh" ? ` ${String(minutes)} 分钟` : `${String(minutes)} minutes`;
}

function isOperatorApiName(name: string): name is OperatorApiFailureName {
  return Object.hasOwn(OPERATOR_API_FAILURES, name);
}

function hasOperatorApiName(failure: ApiFailure): failure is Exclude<ApiFailure, Failure | InputFailure> {
  return isOperatorApiName(failure.name);
}
