import { yuanText } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import type { LedgerOrder, Terms } from "../ledger-order.js";
import { chinaTime } from "../shared/china-time.js";
import { business, type NodeMembers, ORDER_CODES, REFUND_CODES, type WalletBRefusal } from "./answers.js";
import { payCodeContent, queryContent, readContent, readTrade, tradeName } from "./biz-content.js";
import type { TradeFinder, WalletBCall, WalletBCallsOptions } from "./call.js";
import { buyerMembers, fundBills, paidAmounts, tradeStatus } from "./trade-json.js";

/** How long a QR code can be opened, in milliseconds. */
const CODE_LIFETIME = 120 * 60_000;
/** The code of Alipay's response while the customer still has to confirm the payment. */
const CONFIRMING = { code: "10003", msg: "order success pay inprocess" } as const;

/** Creates Alipay's methods that create, query, close and cancel trades, by name. */
export function tradeCalls(
  { ledger, app, clock, payCodes, paid, closed, refunded, courseOf }: WalletBCallsOptions,
  found: TradeFinder,
): readonly (readonly [string, WalletBCall])[] {
  /** Stores a trade whose customer is known, so it exists at once. */
  function begun(terms: Terms, delivered: boolean): Result<LedgerOrder, WalletBRefusal> {
    return ledger
      .prepay(terms, terms.expiresAt, delivered)
      .mapErr((reason) => business(ORDER_CODES[reason]))
      .andThen(() => ledger.open(terms.outTradeNo).mapErr(() => business("ACQ.TRADE_HAS_CLOSE")));
  }

  const precreate: WalletBCall["answer"] = (parameters, delivered) =>
    readTrade("NATIVE", parameters, app, clock.now()).andThen((terms) =>
      ledger
        .prepay(terms, Math.min(clock.now() + CODE_LIFETIME, terms.expiresAt), delivered)
        .map(({ token }) => ({ out_trade_no: terms.outTradeNo, qr_code: `https://qr.alipay.com/${token}` }))
        .mapErr((reason) => business(ORDER_CODES[reason])),
    );

  const create: WalletBCall["answer"] = (parameters, delivered) =>
    readTrade("JSAPI", parameters, app, clock.now())
      .andThen((terms) => begun(terms, delivered))
      .map(numbers);

  const pay: WalletBCall["answer"] = (parameters, delivered) =>
    readTrade("CODE", parameters, app, clock.now()).andThen((terms) =>
      readContent(payCodeContent, parameters)
        .andThen(({ auth_code: code }) => {
          const use = payCodes.take(code);
          return use === undefined ? err(business("ACQ.PAYMENT_AUTH_CODE_INVALID")) : ok(use);
        })
        .andThen((use) => begun(terms, delivered).map((order) => ({ use, order })))
        .map(({ use, order }): NodeMembers => {
          const total = yuanText(terms.amount);
          const trade = { ...numbers(order), ...buyerMembers(order), total_amount: total };
          if (use === "confirms-later") return { ...CONFIRMING, ...trade };
          const done = ledger.pay(terms.outTradeNo).unwrapOr(order);
          paid(done);
          return {
            ...trade,
            ...paidAmounts(done),
            gmt_payment: chinaTime(done.paidAt ?? clock.now()),
            fund_bill_list: fundBills(terms.amount, "fund_channel"),
          };
        }),
    );

  const query: WalletBCall["answer"] = (parameters) =>
    readContent(queryContent, parameters).andThen((content) =>
      found(content).map((order): NodeMembers => {
        const requests = new Set(content.query_options);
        return {
          ...numbers(order),
          ...buyerMembers(order),
          buyer_user_type: "PRIVATE",
          trade_status: tradeStatus(order, clock.now()),
          total_amount: yuanText(order.terms.amount),
          ...paidAmounts(order),
          ...(order.paidAt === null ? {} : { send_pay_date: chinaTime(order.paidAt) }),
          ...(order.paidAt !== null && requests.has("fund_bill_list")
            ? { fund_bill_list: fundBills(order.terms.amount, "fund_channel", order.coupon) }
            : {}),
        };
      }),
    );

  const close: WalletBCall["answer"] = (parameters) =>
    readContent(tradeName, parameters)
      .andThen(found)
      .andThen((order) => {
        if (order.state !== "NOTPAY") return err(business("ACQ.TRADE_STATUS_ERROR"));
        end(order);
        return ok(numbers(order));
      });

  function end(order: LedgerOrder): void {
    ledger.close(app.sellerId, order.terms.outTradeNo);
    closed(order);
  }

  /** Closes an unpaid trade, refunds a paid one, and leaves an ended one unchanged. */
  const cancel: WalletBCall["answer"] = (parameters) =>
    readContent(tradeName, parameters).andThen((name): Result<NodeMembers, WalletBRefusal> => {
      const trade = found(name);
      // Cancelling an unknown trade succeeds, because there is nothing to pay.
      if (trade.isErr()) {
        const { out_trade_no: number } = name;
        return ok({ ...(number === undefined ? {} : { out_trade_no: number }), retry_flag: "N" });
      }
      const order = trade.value;
      const answer = (action: "close" | "refund") => ({ ...numbers(order), retry_flag: "N", action });
      if (order.state === "NOTPAY") end(order);
      if (order.paidAt === null) return ok(answer("close"));
      if (order.state === "REFUNDED") return ok(answer("refund"));
      const { outTradeNo, notifyUrl, amount } = order.terms;
      return ledger
        .refund(app.sellerId, { outTradeNo, refundNo: outTradeNo, amount, notifyUrl }, courseOf(clock.now()))
        .map((made) => {
          if (made.fresh) refunded(made.order, made.refund);
          return answer("refund");
        })
        .mapErr((reason) => business(REFUND_CODES[reason]));
    });

  return [
    ["alipay.trade.precreate", { call: "prepay", answer: precreate }],
    ["alipay.trade.create", { call: "prepay", answer: create }],
    ["alipay.trade.pay", { call: "prepay", answer: pay }],
    ["alipay.trade.query", { call: "query", answer: query }],
    ["alipay.trade.close", { call: "close", answer: close }],
    ["alipay.trade.cancel", { call: "close", answer: cancel }],
  ];
}

/** Returns both numbers of a trade. */
export function numbers({ terms, walletTradeNo }: LedgerOrder) {
  return { trade_no: walletTradeNo, out_trade_no: terms.outTradeNo };
}
