import { yuanText } from "@tillkit/core";
import { doneAt, type LedgerOrder, type LedgerRefund, refundedAmount } from "../ledger-order.js";
import { chinaTime, chinaTimeWithMilliseconds } from "../shared/china-time.js";
import type { Parameters } from "./sign.js";

const TRADE_STATUSES = {
  NOTPAY: "WAIT_BUYER_PAY",
  PAID: "TRADE_SUCCESS",
  CLOSED: "TRADE_CLOSED",
} as const;

/** The customer whom the sandbox plays, if the merchant named nobody else. */
const BUYER_ID = "2088102116773037";
/** The customer's login, masked as Alipay shows it to merchants. */
const BUYER_LOGON_ID = "san***@sandbox.com";
const SELLER_EMAIL = "seller@sandbox.example";

/** What Alipay calls the state of a trade at `now` (epoch milliseconds): closed unpaid and wholly refunded have one word. */
export function tradeStatus(order: LedgerOrder, now: number): string {
  if (order.state !== "REFUNDED") return TRADE_STATUSES[order.state];
  // A refund that is in progress has not ended the trade.
  return refundedAmount(order, now) === order.terms.amount ? "TRADE_CLOSED" : "TRADE_SUCCESS";
}

/** The customer in an answer. */
export function buyerMembers(order: LedgerOrder): Parameters {
  return { buyer_logon_id: BUYER_LOGON_ID, ...buyerNamed(order, "buyer_user_id") };
}

// A merchant has either the id or the open id of a customer, never both.
function buyerNamed({ terms: { payerId } }: LedgerOrder, idName: string): Parameters {
  if (payerId === "") return { [idName]: BUYER_ID };
  return { [/^2088\d{12}$/.test(payerId) ? idName : "buyer_open_id"]: payerId };
}

/** What the customer paid with: everything from one channel. `amount` is cents. */
export function fundBills(amount: number, channelName: "fundChannel" | "fund_channel") {
  return [{ amount: yuanText(amount), [channelName]: "ALIPAYACCOUNT" }];
}

/** What the customer paid and what the merchant got: all of it, for there are no discounts here. Zero before the payment. */
export function paidAmounts({ terms, paidAt }: LedgerOrder) {
  const paid = yuanText(paidAt === null ? 0 : terms.amount);
  return { receipt_amount: paid, buyer_pay_amount: paid, invoice_amount: paid, point_amount: "0.00" };
}

/** The facts of a notification: of a payment, of the end of an unpaid trade, or of the refund that is named. */
export function tradeFacts(order: LedgerOrder, refund?: LedgerRefund): Parameters {
  const { terms, walletTradeNo, openedAt, paidAt } = order;
  const total = yuanText(terms.amount);
  return {
    app_id: terms.walletAppId,
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
          fund_bill_list: JSON.stringify(fundBills(terms.amount, "fundChannel")),
        }),
    ...(refund === undefined ? ended(order) : refunded(order, refund)),
  };
}

/** How a trade stands without a refund. */
function ended({ terms, state, paidAt, closedAt }: LedgerOrder): Parameters {
  if (state !== "CLOSED") return { trade_status: paidAt === null ? "WAIT_BUYER_PAY" : "TRADE_SUCCESS" };
  return { trade_status: "TRADE_CLOSED", gmt_close: chinaTime(closedAt ?? terms.expiresAt) };
}

/** How a trade stood when a refund was done: the last part closes it. */
function refunded(order: LedgerOrder, refund: LedgerRefund): Parameters {
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

function given(name: string, instant: number | null): Parameters {
  return instant === null ? {} : { [name]: chinaTime(instant) };
}
