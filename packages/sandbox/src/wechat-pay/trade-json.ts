import {
  couponShare,
  doneAt,
  type LedgerOrder,
  type LedgerRefund,
  type PayAttempt,
  type RefundOutcome,
  type RefundState,
  type Terms,
  withheldAmount,
} from "../ledger-order.js";
import { rfc3339 } from "../shared/china-time.js";
import { sha256 } from "../shared/sha256.js";
import type { PaymentMethod } from "../payment-method.js";

const TRADE_STATES = {
  NOTPAY: { state: "NOTPAY", desc: "订单未支付" },
  PAID: { state: "SUCCESS", desc: "支付成功" },
  CLOSED: { state: "CLOSED", desc: "订单已关闭" },
  REFUNDED: { state: "REFUND", desc: "转入退款" },
} as const;
const ATTEMPTS = {
  USERPAYING: { state: "USERPAYING", desc: "需要用户输入支付密码" },
  PAYERROR: { state: "PAYERROR", desc: "支付失败" },
} as const satisfies Record<PayAttempt, object>;
const TRADE_TYPES: Readonly<Partial<Record<PaymentMethod, string>>> = {
  APP: "APP",
  NATIVE: "NATIVE",
  H5: "MWEB",
  JSAPI: "JSAPI",
};

/**
 * Writes an order as WeChat Pay does in query responses and notifications.
 *
 * A partially refunded order has the state REFUND.
 * @param now - epoch milliseconds.
 */
export function transactionText(order: LedgerOrder, now: number): string {
  const { terms, state, walletTradeNo, paidAt } = order;
  const { outTradeNo, amount, paySource, payerId, echoed } = terms;
  const statement =
    order.attempt !== null && state === "NOTPAY"
      ? ATTEMPTS[order.attempt]
      : TRADE_STATES[withheldAmount(order, now) > 0 ? "REFUNDED" : state];
  const payment =
    paidAt === null
      ? {}
      : {
          transaction_id: walletTradeNo,
          bank_type: "OTHERS",
          success_time: rfc3339(paidAt),
          payer: {
            [payerName(terms)]: payerId === "" ? `o${sha256(walletTradeNo).slice(0, 27)}` : payerId,
          },
        };
  return JSON.stringify({
    ...merchantMembers(terms),
    ...appMembers(terms),
    out_trade_no: outTradeNo,
    trade_type: TRADE_TYPES[paySource],
    trade_state: statement.state,
    trade_state_desc: statement.desc,
    ...echoed,
    ...payment,
    amount: {
      total: amount,
      currency: "CNY",
      ...(paidAt === null ? {} : { payer_total: amount - order.coupon, payer_currency: order.payerCurrency }),
    },
    ...(order.coupon === 0 ? {} : { promotion_detail: [promotion(order)] }),
  });
}

/** Writes a refund that ended, as WeChat Pay does in notifications. */
export function refundText(order: LedgerOrder, refund: LedgerRefund, outcome: RefundOutcome): string {
  const { terms, walletTradeNo } = order;
  return JSON.stringify({
    ...merchantMembers(terms),
    out_trade_no: terms.outTradeNo,
    transaction_id: walletTradeNo,
    out_refund_no: refund.refundNo,
    refund_id: refund.walletRefundNo,
    refund_status: outcome,
    ...(outcome === "SUCCESS" ? { success_time: rfc3339(doneAt(refund)) } : {}),
    user_received_account: ACCOUNT,
    amount: {
      total: terms.amount,
      refund: refund.amount,
      payer_total: terms.amount - order.coupon,
      payer_refund: refund.amount - couponShare(order, refund),
    },
  });
}

function merchantMembers({ merchantId, provider }: Terms) {
  return provider === undefined ? { mchid: merchantId } : { sp_mchid: provider.id, sub_mchid: merchantId };
}

function appMembers({ walletAppId, provider }: Terms) {
  if (provider === undefined) return { appid: walletAppId };
  const { appId: sp_appid } = provider;
  return { sp_appid, ...(walletAppId === sp_appid ? {} : { sub_appid: walletAppId }) };
}

function payerName({ walletAppId, provider }: Terms): string {
  if (provider === undefined) return "openid";
  return walletAppId === provider.appId ? "sp_openid" : "sub_openid";
}

/** The coupon of a payment, which the wallet pays for. */
function promotion({ coupon }: LedgerOrder) {
  return {
    coupon_id: "109519",
    name: "满减优惠",
    scope: "GLOBAL",
    type: "CASH",
    amount: coupon,
    wechatpay_contribute: coupon,
    merchant_contribute: 0,
    other_contribute: 0,
    currency: "CNY",
  };
}

/**
 * Writes a refund as WeChat Pay does in responses.
 *
 * A response calls the state `status`, a notification `refund_status`.
 */
export function refundStatusText(order: LedgerOrder, refund: LedgerRefund, state: RefundState): string {
  const { terms, walletTradeNo } = order;
  const { amount } = terms;
  const discount = couponShare(order, refund);
  return JSON.stringify({
    refund_id: refund.walletRefundNo,
    out_refund_no: refund.refundNo,
    transaction_id: walletTradeNo,
    out_trade_no: terms.outTradeNo,
    channel: "ORIGINAL",
    user_received_account: ACCOUNT,
    ...(state === "SUCCESS" ? { success_time: rfc3339(doneAt(refund)) } : {}),
    create_time: rfc3339(refund.at),
    status: state,
    funds_account: "AVAILABLE",
    amount: {
      total: amount,
      refund: refund.amount,
      payer_total: amount - order.coupon,
      payer_refund: refund.amount - discount,
      settlement_refund: refund.amount,
      settlement_total: amount,
      discount_refund: discount,
      currency: "CNY",
    },
    ...(order.coupon === 0
      ? {}
      : {
          promotion_detail: [
            {
              promotion_id: "109519",
              scope: "GLOBAL",
              type: "COUPON",
              amount: order.coupon,
              refund_amount: discount,
            },
          ],
        }),
  });
}

const ACCOUNT = "支付用户零钱";
