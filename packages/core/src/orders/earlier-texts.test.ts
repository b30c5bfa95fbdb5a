import { expect, it } from "vitest";
import { EVENT_DETAILS, type TimelineEventType } from "./event-details.js";
import { earlierEvent } from "./earlier-texts.js";

/** Every sentence that an earlier version stored, with what it states. */
const SENTENCES: readonly (readonly [TimelineEventType, string, object, string?])[] = [
  ["CREATED", "POST /order.json", {}],
  ["IMPORTED", "the order comes from another service", {}],
  ["IMPORTED", "the order comes from another service; Tillkit queries no wallet about it", {}],
  ["CONNECTED", "from now on the order uses the pay tool 01TOOL", { payToolId: "01TOOL" }],
  ["PAID", "the wallet's notification says paid", { source: "notification" }],
  ["PAID", "the wallet's answer says paid", { source: "query" }],
  ["LATE_PAYMENT", "the wallet's answer says paid, after the order was closed", { source: "query" }],
  ["CLOSED", "the wallet's notification says closed", { source: "notification" }],
  ["CLOSED", "the time to pay is over; the wallet closed it", { atWallet: "closed" }],
  ["CLOSED", "the time to pay is over; the wallet never had the order", { atWallet: "absent" }],
  [
    "CLOSED",
    "the time to pay is over; the wallet says, without proof, that it never had the order",
    { atWallet: "absent-unsigned" },
  ],
  [
    "CLOSED",
    "called; twice; the wallet does not have the order yet",
    { atWallet: "not-there-yet" },
    "called; twice",
  ],
  [
    "PREPAYMENT_REJECTED",
    "the wallet refused the order: PARAM_ERROR: 描述",
    { refusal: "PARAM_ERROR: 描述" },
  ],
  [
    "MISMATCH",
    "the wallet's answer does not fit the order: order number, amount",
    { about: "order", source: "query", differences: ["order-number", "amount"] },
  ],
  [
    "MISMATCH",
    "the wallet's word on refund 01ORDER-r-1 does not fit it: merchant, order or amount",
    { about: "refund", number: "01ORDER-r-1" },
  ],
  [
    "MISMATCH",
    "the wallet's word on refund 01ORDER-r-1 does not fit it: amount or order",
    { about: "refund", number: "01ORDER-r-1" },
  ],
  [
    "MISMATCH",
    "the wallet says that refund r-1 failed, after it had confirmed it",
    { about: "failed-after-confirmed" },
  ],
  [
    "MISMATCH",
    "the wallet says that refund r-1 is abnormal, after it was FAILED here: its money may not have reached the customer",
    { about: "abnormal-after-end", status: "FAILED" },
  ],
  [
    "UNKNOWN_REFUND",
    "the wallet reports refund 01ORDER-r-9, which was not made here",
    { number: "01ORDER-r-9" },
  ],
  [
    "UNKNOWN_REFUND",
    "the wallet's notification reports a refund that was not made here",
    { source: "notification" },
  ],
  ["REFUND_REQUESTED", "refund r-1 of 3333 cents: part: returned", { amount: 3333 }, "part: returned"],
  [
    "REFUND_REQUESTED",
    "refund r-1 of 3333 cents, approved by li@shop: bought twice",
    { amount: 3333, approvedBy: "li@shop" },
    "bought twice",
  ],
  ["REFUND_SENT", "refund r-1 of 200 cents goes to the wallet", { amount: 200 }],
  [
    "REFUND_SENT",
    "refund r-1 of 200 cents goes to the wallet as 01ORDER-r-1",
    { amount: 200, number: "01ORDER-r-1" },
  ],
  ["REFUND_CONFIRMED", "refund r-1 of 200 cents is confirmed", { amount: 200 }],
  [
    "REFUND_CONFIRMED",
    "refund r-1 of 200 cents is confirmed, after it had failed, to the merchant's own account: pay the customer by other means",
    { amount: 200, afterFailure: true, toMerchant: true },
  ],
  ["REFUND_REFUSED", "refund r-1 is refused, and no signature proves it: 404", { refusal: "404" }],
  ["REFUND_FAILED", "refund r-1 failed: the wallet could not refund it", {}],
  ["REFUND_FAILED", "refund r-1 failed: not today", { refusal: "not today" }],
  [
    "REFUND_WAITING_FOR_FUNDS",
    "refund r-1 of 200 cents waits, because the merchant's balance at the wallet is too small: top up the account, then it continues (NOT_ENOUGH (1))",
    { amount: 200, refusal: "NOT_ENOUGH (1)" },
  ],
  [
    "REFUND_ABNORMAL",
    "refund r-1 of 200 cents is abnormal: the money has left the merchant's account and could not reach the customer. Pay it out to a bank card, or pay the customer by other means and record that",
    { amount: 200 },
  ],
  ["REFUND_PROCESSING", "the wallet processes refund r-1, which was ABNORMAL", { was: "ABNORMAL" }],
  [
    "REFUND_PAYOUT",
    "abnormal refund r-1 of 200 cents goes to a bank card of the customer: card closed",
    { amount: 200, to: "customer" },
    "card closed",
  ],
  [
    "REFUND_PAYOUT",
    "abnormal refund r-1 of 200 cents goes to the merchant's own bank account; pay the customer by other means then: no card",
    { amount: 200, to: "merchant" },
    "no card",
  ],
  ["REFUND_PAYOUT_REFUSED", "the payout of refund r-1 is refused: no such card", { refusal: "no such card" }],
  [
    "REFUND_OVERDUE",
    "refund r-1 of 200 cents has been SENT for 5 days: look it up in the wallet's merchant platform",
    { amount: 200, status: "SENT", days: 5 },
  ],
  [
    "REFUND_SETTLED",
    "refund r-1 of 200 cents was paid to the customer by other means: in cash",
    { amount: 200 },
    "in cash",
  ],
  [
    "REFUND_PAID_TWICE",
    "the wallet confirms refund r-1, which was settled by other means: the customer may have been paid twice",
    {},
  ],
  ["REFUNDED", "the whole amount is refunded", {}],
];

const CASES = SENTENCES.map(([type, sentence, details, reason = ""]) => ({
  type,
  sentence,
  details,
  reason,
}));

it.each(CASES)("reads what $type states: $sentence", ({ type, sentence, details, reason }) => {
  const read = earlierEvent(type, sentence);
  expect(read).toMatchObject({ type, details, reason });
  expect(read?.details).toStrictEqual(details);
  expect(EVENT_DETAILS[type].safeParse(read?.details).success).toBe(true);
  expect(read?.refundNo).toBe(sentence.includes("refund r-1") ? "r-1" : undefined);
});

it("knows a sentence for every type of event that had one", () => {
  const types = new Set(SENTENCES.map(([type]) => type));
  expect(Object.keys(EVENT_DETAILS).filter((type) => ![...types].some((known) => known === type))).toEqual([
    "SECOND_PAYMENT",
    "SECOND_PAYMENT_REFUNDED",
    "CLOSED_AFTER_PAYMENT",
    "BILL_DIFFERENCE",
    "BILL_ASSIGNED",
    "REFUND_APPROVAL_REQUESTED",
    "REFUND_APPROVED",
    "REFUND_REJECTED",
    "REFUND_NOT_MADE",
    "REFUND_WITHDRAWN",
    "REFUND_ADOPTED",
    "SHIPMENT_REQUESTED",
    "SHIPMENT_REPORTED",
    "SHIPMENT_REFUSED",
    "SHIPMENT_OVERDUE",
    "SHIPMENT_ENDED",
    "ALARM_ACKNOWLEDGED",
    "PERSONAL_DATA_ERASED",
  ]);
});

it.each([
  ["ALARM_ACKNOWLEDGED", "POST /order.json"],
  ["CLOSED", "the customer called"],
  ["PAID", "the wallet's notification says paid, or not"],
  ["REFUND_REQUESTED", "refund r-1 of many cents: asked"],
  ["REFUND_SETTLED", "by bank transfer"],
] as const)("leaves what a person wrote to %s as it is: %s", (type, text) => {
  expect(earlierEvent(type, text)).toBeUndefined();
});
