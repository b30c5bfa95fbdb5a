import { yuanText } from "@tillkit/core";
import { err } from "neverthrow";
import {
  couponShare,
  doneAt,
  type LedgerOrder,
  type LedgerRefund,
  refundedAmount,
  refundState,
} from "../ledger-order.js";
import { chinaTime } from "../shared/china-time.js";
import { business, type NodeMembers, REFUND_CODES } from "./answers.js";
import { readContent, refundContent, refundName } from "./biz-content.js";
import type { TradeFinder, WalletBCall, WalletBCallsOptions } from "./call.js";
import { buyerMembers, fundBills } from "./trade-json.js";
import { numbers } from "./trade-calls.js";

const DAY = 86_400_000;

/** Creates Alipay's methods that refund a trade and query a refund, by name. */
export function refundCalls(
  { ledger, app, clock, refunded, courseOf, chargeError }: WalletBCallsOptions,
  found: TradeFinder,
): readonly (readonly [string, WalletBCall])[] {
  const isDone = (refund: LedgerRefund) => refundState(refund, clock.now()) === "SUCCESS";

  const refund: WalletBCall["answer"] = (parameters) =>
    readContent(refundContent, parameters).andThen((content) =>
      found(content).andThen(({ terms }) => {
        const { outTradeNo, notifyUrl, amount: whole } = terms;
        const { refund_amount: amount, out_request_no: refundNo = outTradeNo } = content;
        if (content.out_request_no === undefined && amount !== whole)
          return err(business("ACQ.INVALID_PARAMETER", "a part needs out_request_no"));
        if (chargeError()) return err(business("ACQ.REFUND_CHARGE_ERROR"));
        return ledger
          .refund(app.sellerId, { outTradeNo, refundNo, amount, notifyUrl }, courseOf(clock.now()))
          .map(({ order, refund: made, fresh }): NodeMembers => {
            if (fresh) refunded(order, made);
            return {
              ...numbers(order),
              ...buyerMembers(order),
              // This call moved money only if the refund is done at once.
              fund_change: fresh && isDone(made) ? "Y" : "N",
              refund_fee: yuanText(refundedAmount(order, clock.now())),
              ...(isDone(made) ? { gmt_refund_pay: chinaTime(doneAt(made)) } : {}),
              ...details(order, made, content.query_options),
            };
          })
          .mapErr((reason) => business(REFUND_CODES[reason]));
      }),
    );

  const queryRefund: WalletBCall["answer"] = (parameters) =>
    readContent(refundName, parameters).andThen((content) =>
      found(content).map((order): NodeMembers => {
        const made = order.refunds.find(({ refundNo }) => refundNo === content.out_request_no);
        // Alipay returns success for an unknown or failed refund too, without `refund_status`.
        if (made === undefined || refundState(made, clock.now()) === "CLOSED") return {};
        return { ...stated(order, made), ...details(order, made, content.query_options) };
      }),
    );

  function stated(order: LedgerOrder, made: LedgerRefund): NodeMembers {
    return {
      ...numbers(order),
      out_request_no: made.refundNo,
      total_amount: yuanText(order.terms.amount),
      refund_amount: yuanText(made.amount),
      ...(isDone(made) ? { refund_status: "REFUND_SUCCESS" } : {}),
    };
  }

  /** The members that a response contains only if the merchant asks for them. */
  function details(order: LedgerOrder, made: LedgerRefund, requests: readonly string[]): NodeMembers {
    if (!isDone(made)) return {};
    const amount = yuanText(made.amount);
    const packet = couponShare(order, made);
    const every: NodeMembers = {
      gmt_refund_pay: chinaTime(doneAt(made)),
      refund_detail_item_list: fundBills(made.amount, "fund_channel", packet),
      send_back_fee: yuanText(made.amount - packet),
      ...(made.depositBack === null
        ? {}
        : {
            deposit_back_info: {
              has_deposit_back: "true",
              dback_status: made.depositBack,
              dback_amount: amount,
              ...(made.depositBack === "S" ? { bank_ack_time: chinaTime(doneAt(made)) } : {}),
              est_bank_receipt_time: chinaTime(doneAt(made) + DAY),
            },
          }),
    };
    // A response with the list of channels also contains `send_back_fee`.
    const wanted = new Set([
      ...requests,
      ...(requests.includes("refund_detail_item_list") ? ["send_back_fee"] : []),
    ]);
    return Object.fromEntries(Object.entries(every).filter(([name]) => wanted.has(name)));
  }

  return [
    ["alipay.trade.refund", { call: "refund", answer: refund }],
    ["alipay.trade.fastpay.refund.query", { call: "refundQuery", answer: queryRefund }],
  ];
}
