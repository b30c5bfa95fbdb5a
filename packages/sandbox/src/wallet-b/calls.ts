import { yuanText } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import type { z } from "zod";
import type { WalletCall } from "../faults.js";
import type { Ledger } from "../ledger.js";
import { type LedgerOrder, type LedgerRefund, refundedAmount } from "../ledger-order.js";
import { chinaTime } from "../shared/china-time.js";
import { business, type NodeMembers, ORDER_CODES, REFUND_CODES, type WalletBRefusal } from "./answers.js";
import { readContent, readTrade, refundContent, refundName, tradeName } from "./biz-content.js";
import { tradeStatus } from "./facts.js";
import type { KnownApp } from "./request.js";
import type { Parameters } from "./sign.js";

/** What the methods of WALLET_B work on. */
export interface WalletBCallsOptions {
  readonly ledger: Ledger;
  readonly app: KnownApp;
  readonly clock: { now(): number };
  /** Hears of each refund once. */
  refunded(order: LedgerOrder, refund: LedgerRefund): void;
  /** Hears of each trade that was closed unpaid. */
  closed(order: LedgerOrder): void;
}

/** A method of WALLET_B: which fault strikes it, and what it answers. `heard` is false when the answer will not arrive. */
export interface WalletBCall {
  readonly call: WalletCall | null;
  answer(parameters: Parameters, heard: boolean): Result<NodeMembers, WalletBRefusal>;
}

const CODE_LIFETIME = 120 * 60_000;
const BUYER = { buyer_logon_id: "san***@sandbox.com", buyer_user_id: "2088102116773037" } as const;

/** The methods that are called on the gateway, by name. */
export function walletBCalls(options: WalletBCallsOptions): ReadonlyMap<string, WalletBCall> {
  const { ledger, app, clock } = options;

  function found(name: z.infer<typeof tradeName>): Result<LedgerOrder, WalletBRefusal> {
    const number = name.trade_no === undefined ? name.out_trade_no : ledger.numberOf(name.trade_no);
    const order = ledger.findFor(app.sellerId, number ?? "");
    return order === undefined ? err(business("ACQ.TRADE_NOT_EXIST")) : ok(order);
  }

  const precreate: WalletBCall["answer"] = (parameters, heard) =>
    readTrade("NATIVE", parameters, app, clock.now()).andThen((terms) =>
      ledger
        .prepay(terms, Math.min(clock.now() + CODE_LIFETIME, terms.expiresAt), heard)
        .map(({ token }) => ({ out_trade_no: terms.outTradeNo, qr_code: `https://qr.alipay.com/${token}` }))
        .mapErr((reason) => business(ORDER_CODES[reason])),
    );

  const query: WalletBCall["answer"] = (parameters) =>
    readContent(tradeName, parameters)
      .andThen(found)
      .map((order) => {
        const total = yuanText(order.terms.amount);
        const paid = order.paidAt === null ? undefined : chinaTime(order.paidAt);
        return {
          ...numbers(order),
          ...BUYER,
          trade_status: tradeStatus(order),
          total_amount: total,
          receipt_amount: paid === undefined ? "0.00" : total,
          buyer_pay_amount: paid === undefined ? "0.00" : total,
          invoice_amount: paid === undefined ? "0.00" : total,
          point_amount: "0.00",
          ...(paid === undefined ? {} : { send_pay_date: paid }),
        };
      });

  const close: WalletBCall["answer"] = (parameters) =>
    readContent(tradeName, parameters)
      .andThen(found)
      .andThen((order) => {
        if (order.state !== "NOTPAY") return err(business("ACQ.TRADE_STATUS_ERROR"));
        ledger.close(app.sellerId, order.terms.outTradeNo);
        options.closed(order);
        return ok(numbers(order));
      });

  const refund: WalletBCall["answer"] = (parameters) =>
    readContent(refundContent, parameters).andThen((content) =>
      found(content).andThen(({ terms }) => {
        const { outTradeNo, notifyUrl, amount: whole } = terms;
        const { refund_amount: amount, out_request_no: refundNo = outTradeNo } = content;
        if (content.out_request_no === undefined && amount !== whole)
          return err(business("ACQ.INVALID_PARAMETER", "a part needs out_request_no"));
        return ledger
          .refund(app.sellerId, { outTradeNo, refundNo, amount, notifyUrl })
          .map(({ order, refund: made, fresh }) => {
            if (fresh) options.refunded(order, made);
            return {
              ...numbers(order),
              ...BUYER,
              fund_change: fresh ? "Y" : "N",
              refund_fee: yuanText(refundedAmount(order)),
              gmt_refund_pay: chinaTime(made.at),
            };
          })
          .mapErr((reason) => business(REFUND_CODES[reason]));
      }),
    );

  const queryRefund: WalletBCall["answer"] = (parameters) =>
    readContent(refundName, parameters).andThen((content) =>
      found(content).map((order) => {
        const made = order.refunds.find(({ refundNo }) => refundNo === content.out_request_no);
        // No such refund is a success too: only the status tells.
        if (made === undefined) return {};
        return {
          ...numbers(order),
          out_request_no: made.refundNo,
          total_amount: yuanText(order.terms.amount),
          refund_amount: yuanText(made.amount),
          refund_status: "REFUND_SUCCESS",
        };
      }),
    );

  return new Map([
    ["alipay.trade.precreate", { call: "prepay", answer: precreate }],
    ["alipay.trade.query", { call: "query", answer: query }],
    ["alipay.trade.close", { call: "close", answer: close }],
    ["alipay.trade.refund", { call: "refund", answer: refund }],
    ["alipay.trade.fastpay.refund.query", { call: "refundQuery", answer: queryRefund }],
  ]);
}

/** Both numbers of a trade. */
function numbers({ terms, walletTradeNo }: LedgerOrder) {
  return { trade_no: walletTradeNo, out_trade_no: terms.outTradeNo };
}
