import { yuanText } from "@tillkit/core";
import { doneAt, type LedgerOrder, type LedgerRefund, refundedAmount } from "../ledger-order.js";
import { chinaTime, chinaTimeWithMilliseconds } from "../shared/china-time.js";
import type { SignedParameters } from "./sign.js";

const TRADE_STATUSES = {
  NOTPAY: "WAIT_BUYER_PAY",
  CLOSED: "TRADE_CLOSED",
} as const;

/** The customer of the sandbox, unless the merchant named one. */
const BUYER_ID = "2088102116773037";
/** The customer's login, masked as Alipay shows it to merchants. */
const BUYER_LOGON_ID = "san***@sandbox.com";
const SELLER_EMAIL = "seller@sandbox.example";

/**
 * Returns Alipay's status of a trade at `now` (epoch milliseconds).
 *
 * `TRADE_CLOSED` covers both a trade that was closed unpaid and a completely refunded one.
 */
export function tradeStatus(order: LedgerOrder, now: number): string {
  const paid = order.finishedAt === null ? "TRADE_SUCCESS" : "TRADE_FINISHED";
  if (order.state === "PAID") return paid;
  if (order.state !== "REFUNDED") return TRADE_STATUSES[order.state];
  // A refund in progress has not ended the trade.
  return refundedAmount(order, now) === order.terms.amount ? "TRADE_CLOSED" : paid;
}

/** Returns the members about the customer in a response. */
export function buyerMembers(order: LedgerOrder): SignedParameters {
  return { buyer_logon_id: BUYER_LOGON_ID, ...buyerNamed(order, "buyer_user_id") };
}

// A merchant has either the user id or the open id of a customer, never both.
function buyerNamed({ terms: { payerId } }: LedgerOrder, idName: string): SignedParameters {
  if (payerId === "") return { [idName]: BUYER_ID };
  return { [/^2088\d{12}$/.test(payerId) ? idName : "buyer_open_id"]: payerId };
}

/**
 * Returns the channels of an amount (cents): the customer's account, and the part of a red packet.
 */
export function fundBills(amount: number, channelName: "fundChannel" | "fund_channel", packet = 0) {
  const channel = (cents: number, name: string) =>
    cents === 0 ? [] : [{ amount: yuanText(cents), [channelName]: name }];
  return [...channel(amount - packet, "ALIPAYACCOUNT"), ...channel(packet, "COUPON")];
}

/** Returns the amounts of a payment. They are zero before the payment. */
export function paidAmounts({ terms, paidAt, coupon }: LedgerOrder) {
  const paid = paidAt === null ? 0 : terms.amount;
  const byBuyer = yuanText(paid - coupon);
  return {
    receipt_amount: yuanText(paid),
    buyer_pay_amount: byBuyer,
    invoice_amount: byBuyer,
    point_amount: "0.00",
  };
}

/** Returns the contents of a notification about a payment, a closed trade or the given refund. */
export function tradeFacts(order: LedgerOrder, refund?: LedgerRefund): SignedParameters {
  const { terms, walletTradeNo, openedAt, paidAt } = order;
  const total = yuanText(terms.amount);
  return {
    app_id: terms.provider?.appId ?? terms.walletAppId,
    auth_app_id: terms.walletAppId,
    seller_id: terms.merchantId,
    seller_email: SELLER_EMAIL,
    ...buyerNamed(order, "buyer_id"),
    buyer_logon_id: BUYER_LOGON_ID,
    out_trade_no: terms.outTradeNo,
    trade_no: walletTradeNo,
    subject: terms.goodsTitle,
    total_amount: total,
    ...terms.echoed,
    ...given("gmt_create", openedAt ?? paidAt),
    ...given("gmt_payment", paidAt),
    ...(paidAt === null
      ? {}
      : {
          ...paidAmounts(order),
          fund_bill_list: JSON.stringify(fundBills(terms.amount, "fundChannel", order.coupon)),
        }),
    ...(refund === undefined ? ended(order) : refunded(order, refund)),
  };
}

/** The status of a trade without a refund. */
function ended({ terms, state, paidAt, closedAt, finishedAt }: LedgerOrder): SignedParameters {
  if (finishedAt !== null) return { trade_status: "TRADE_FINISHED" };
  if (state !== "CLOSED") return { trade_status: paidAt === null ? "WAIT_BUYER_PAY" : "TRADE_SUCCESS" };
  return { trade_status: "TRADE_CLOSED", gmt_close: chinaTime(closedAt ?? terms.expiresAt) };
}

/** The status of a trade when a refund was done. The refund of the last part closes the trade. */
function refunded(order: LedgerOrder, refund: LedgerRefund): SignedParameters {
  const [at, place] = [doneAt(refund), order.refunds.indexOf(refund)];
  const before = order.refunds.filter((other, index) => doneAt(other) < at || index <= place);
  const sum = refundedAmount({ ...order, refunds: before }, at);
  return {
    out_biz_no: refund.refundNo,
    refund_fee: yuanText(sum),
    gmt_refund: chinaTimeWithMilliseconds(at),
    ...(sum === order.terms.amount
      ? { trade_status: "TRADE_CLOSED", gmt_close: chinaTime(at) }
      : { trade_status: "TRADE_SUCCESS" }),
  };
}

function given(name: string, instant: number | null): SignedParameters {
  return instant === null ? {} : { [name]: chinaTime(instant) };
}
