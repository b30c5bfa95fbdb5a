import type { Order, WalletAccount } from "@tillkit/core";
import { type ByteChange, changedBytes } from "./byte-changes.js";
import { textOf } from "./requests.js";
import type { WalletMessage, Signers } from "./signed-notifications.js";
import type { ServiceCopy } from "./fixture.js";

/** The contents of a wallet's notification. */
export interface NotificationRequest {
  readonly kind: "payment" | "refund";
  /** Members that replace or extend the genuine ones. The wallet signs them. */
  readonly facts: readonly { readonly name: string; readonly json: string }[];
  /** Changes of the text that WeChat Pay encrypts, and of the body that it signs. */
  readonly text: readonly ByteChange[];
  readonly envelope: readonly ByteChange[];
}

/** A notification, and whether its number, merchant, app and amount match the order. */
export interface GeneratedNotification {
  readonly news: WalletMessage;
  readonly fits: boolean;
}

/** The amount of each partial refund of the test environment's orders, in cents. */
const REFUNDED = 200;

type Members = readonly (readonly [name: string, json: string])[];

/** Creates the notification of an order by its wallet. */
export function generateNotification(
  { ports, state }: ServiceCopy,
  signers: Signers,
  telling: NotificationRequest,
  order: Order,
): GeneratedNotification {
  const account = state.payTools.get(order.payToolId);
  if (account === undefined) throw new Error("Every order has an account.");
  const now = ports.clock.now();
  const [refund] = state.ordersById.get(order.id)?.refunds.values() ?? [];
  const refundNo = `${order.id}-${refund?.refundNo ?? "none"}`;
  return order.payChannel === "WALLET_A"
    ? newsOfA(signers, telling, order, account, now, refundNo)
    : newsOfB(signers, telling, order, account);
}

function newsOfA(
  signers: Signers,
  { kind, facts, text, envelope }: NotificationRequest,
  order: Order,
  account: WalletAccount,
  now: number,
  refundNo: string,
): GeneratedNotification {
  const ids = { mchid: account.accountId, out_trade_no: order.id, transaction_id: "4200000001" };
  const success_time = new Date(now).toISOString();
  const payment = {
    appid: account.walletAppId,
    trade_type: "APP",
    trade_state: "SUCCESS",
    amount: { total: order.amount, currency: "CNY", payer_total: order.amount },
  };
  const refund = {
    out_refund_no: refundNo,
    refund_id: "50300000",
    refund_status: "SUCCESS",
    amount: { total: order.amount, refund: REFUNDED },
  };
  const truth = { ...ids, success_time, ...(kind === "payment" ? payment : refund) };
  const members = withFacts(
    Object.entries(truth).map(([name, value]) => [name, JSON.stringify(value)]),
    facts,
  );
  const json = `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;
  const reported = changedBytes(new Uint8Array(Buffer.from(json)), text);
  const event = kind === "payment" ? "TRANSACTION.SUCCESS" : "REFUND.SUCCESS";
  const news = signers.walletA(changedBytes(signers.sealedByA(event, reported), envelope), now);
  return { news, fits: fitsA(Buffer.from(reported).toString(), order, account, refundNo) };
}

/**
 * Returns whether a JSON text matches the order and its amounts.
 *
 * Implemented independently of the code under test. Returns false for anything unknown.
 */
function fitsA(
  text: string,
  order: Order,
  { accountId, walletAppId }: WalletAccount,
  refundNo: string,
): boolean {
  const reported = parsed(text);
  const amount = memberOf(reported, "amount");
  const isOrder =
    memberOf(reported, "out_trade_no") === order.id && memberOf(reported, "mchid") === accountId;
  const isYuan = [undefined, "CNY"].some((currency) => memberOf(amount, "currency") === currency);
  const isPayment = memberOf(reported, "appid") === walletAppId && memberOf(amount, "total") === order.amount;
  const isRefund =
    memberOf(reported, "out_refund_no") === refundNo && memberOf(amount, "refund") === REFUNDED;
  return isOrder && isYuan && (isPayment || isRefund);
}

function newsOfB(
  signers: Signers,
  { kind, facts }: NotificationRequest,
  order: Order,
  account: WalletAccount,
): GeneratedNotification {
  const truth = {
    notify_id: "notice-1",
    notify_type: "trade_status_sync",
    notify_time: "2026-01-15 12:00:00",
    charset: "utf-8",
    version: "1.0",
    sign_type: "RSA2",
    app_id: account.walletAppId,
    seller_id: account.accountId,
    out_trade_no: order.id,
    trade_no: "2026011522001",
    trade_status: "TRADE_SUCCESS",
    subject: order.goodsTitle,
    total_amount: "6.00",
    gmt_payment: "2026-01-15 12:00:00",
    ...(kind === "payment" ? {} : { refund_fee: "2.00", gmt_refund: "2026-01-15 12:00:00" }),
  };
  const members = withFacts(
    Object.entries(truth).map(([name, value]) => [name, JSON.stringify(value)]),
    facts,
  );
  // `fromEntries` keeps a member named `__proto__`.
  const parameters = Object.fromEntries(members.map(([name, json]) => [name, textOf(json)]));
  const isOrder = parameters["out_trade_no"] === order.id && parameters["seller_id"] === account.accountId;
  const isAmount =
    parameters["app_id"] === account.walletAppId && /^0*6(\.00?)?$/.test(parameters["total_amount"] ?? "");
  return { news: signers.walletB(parameters), fits: isOrder && isAmount };
}

function withFacts(truth: Members, facts: NotificationRequest["facts"]): Members {
  const others = truth.filter(([name]) => !facts.some((fact) => fact.name === name));
  return [...others, ...facts.map(({ name, json }) => [name, json] as const)];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** Returns whether the received message is the signed one, in any notation. */
export function isSameNotification({ payChannel }: Order, arrived: Uint8Array, sent: Uint8Array): boolean {
  if (payChannel === "WALLET_A") return Buffer.compare(arrived, sent) === 0;
  return JSON.stringify(meaningOf(arrived)) === JSON.stringify(meaningOf(sent));
}

/** Returns the parameters of a form that Alipay signs. */
function meaningOf(form: Uint8Array): readonly (readonly [string, string])[] {
  const pairs = [...new URLSearchParams(Buffer.from(form).toString())];
  return pairs
    .filter(([name, value]) => name !== "sign" && name !== "sign_type" && value !== "")
    .sort(([left], [right]) => (left < right ? -1 : 1));
}
