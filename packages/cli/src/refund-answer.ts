import type { Refund, RefundStatus } from "@tillkit/core";
import { type CommandResult, timeText } from "./answer.js";
import { amountText } from "./amount-text.js";

/** What an operator does next about a refund, by status. */
const NEXT: Readonly<Partial<Record<RefundStatus, string>>> = {
  SENT: "The wallet accepted it and has not reported the result yet. Hosts query the wallet until it does. Do not refund by other means.",
  WAITING_FOR_FUNDS:
    "The wallet cannot pay it yet. `tillkit orders explain` shows the remedy: in most cases, top up the account. The refund then continues automatically.",
  ABNORMAL:
    "The money has left the merchant's account, but could not reach the customer. Use `tillkit orders pay-out-refund`, or pay the customer by other means and use `tillkit refunds settle`.",
};

/** Builds the answer for one refund. A refund that waits for a person is a finding. */
export function refundAnswer(refund: Refund): CommandResult {
  const { refundNo, amount, status, sendingUntil } = refund;
  const isWaiting = status === "WAITING_FOR_FUNDS" && sendingUntil !== undefined;
  const sentences = [
    `Refund ${refundNo} of ${amountText(amount)} is ${status}.`,
    ...(NEXT[status] === undefined ? [] : [NEXT[status]]),
    ...(isWaiting ? [`It is sent again after ${timeText(sendingUntil)} at the earliest.`] : []),
  ];
  return {
    data: { refund },
    text: sentences.join(" "),
    finding: status === "WAITING_FOR_FUNDS" || status === "ABNORMAL",
  };
}
