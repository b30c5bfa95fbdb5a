import { describe, expect, it } from "vitest";
import { type EventDetails, eventWith, type TimelineEventType } from "../orders/event-details.js";
import type { TimelineEntry } from "../orders/timeline.js";
import { FUNDS_REMEDIES } from "../wallets/wallet.js";
import { EVENT_TEXT } from "./event-text.js";
import { eventSentence } from "./event-sentence.js";

function entry<T extends TimelineEventType>(
  type: T,
  details: EventDetails[T],
  facts: Partial<TimelineEntry> = {},
): TimelineEntry {
  return { ...eventWith(type, details), at: 0, actor: "operator:admin", alarm: false, ...facts };
}

/** An example of every type of event. */
const EXAMPLES: Readonly<Record<TimelineEventType, TimelineEntry>> = {
  CREATED: entry("CREATED", { amount: 600 }, { actor: "caller" }),
  IMPORTED: entry("IMPORTED", { amount: 600, refundedAmount: 0 }),
  CONNECTED: entry("CONNECTED", { payToolId: "01TOOL" }),
  PAID: entry("PAID", { source: "notification" }, { actor: "wallet" }),
  LATE_PAYMENT: entry("LATE_PAYMENT", { source: "query" }, { actor: "wallet" }),
  SECOND_PAYMENT: entry(
    "SECOND_PAYMENT",
    { source: "query", recorded: "4200", stated: "4201" },
    { actor: "wallet" },
  ),
  SECOND_PAYMENT_REFUNDED: entry(
    "SECOND_PAYMENT_REFUNDED",
    { amount: 600, number: "5030", stated: "4201" },
    { actor: "wallet" },
  ),
  CLOSED_AFTER_PAYMENT: entry("CLOSED_AFTER_PAYMENT", { source: "query" }, { actor: "wallet" }),
  CLOSED: entry("CLOSED", { atWallet: "closed" }, { actor: "expiry" }),
  PREPAYMENT_REJECTED: entry("PREPAYMENT_REJECTED", { refusal: "PARAM_ERROR" }, { actor: "wallet" }),
  MISMATCH: entry(
    "MISMATCH",
    { about: "order", source: "query", differences: ["amount"] },
    { actor: "wallet" },
  ),
  UNKNOWN_REFUND: entry("UNKNOWN_REFUND", { number: "01ORDER-r-9" }, { actor: "wallet" }),
  BILL_DIFFERENCE: entry(
    "BILL_DIFFERENCE",
    { kind: "REFUND_NOT_HERE", day: "2026-11-22", amountThere: 600 },
    { actor: "reconciler" },
  ),
  BILL_ASSIGNED: entry("BILL_ASSIGNED", {
    kind: "PAYMENT_NOT_HERE",
    day: "2026-11-22",
    number: "shop-881",
    amountThere: 600,
  }),
  REFUND_APPROVAL_REQUESTED: entry("REFUND_APPROVAL_REQUESTED", { amount: 3333 }),
  REFUND_APPROVED: entry("REFUND_APPROVED", { amount: 3333, requestedBy: "li" }),
  REFUND_REJECTED: entry("REFUND_REJECTED", { amount: 3333, requestedBy: "li" }),
  REFUND_NOT_MADE: entry(
    "REFUND_NOT_MADE",
    { amount: 3333, approvedBy: "li", failure: "order.refunded" },
    { actor: "reconciler" },
  ),
  REFUND_REQUESTED: entry("REFUND_REQUESTED", { amount: 123_456, approvedBy: "li" }),
  REFUND_SENT: entry("REFUND_SENT", { amount: 3333, number: "01ORDER-r-1" }),
  REFUND_CONFIRMED: entry(
    "REFUND_CONFIRMED",
    { amount: 3333, afterFailure: true, toMerchant: true },
    { actor: "wallet" },
  ),
  REFUND_REFUSED: entry("REFUND_REFUSED", { refusal: "404" }, { actor: "wallet" }),
  REFUND_FAILED: entry("REFUND_FAILED", { refusal: "NO" }, { actor: "wallet" }),
  REFUND_WAITING_FOR_FUNDS: entry(
    "REFUND_WAITING_FOR_FUNDS",
    { amount: 3333, refusal: "NOT_ENOUGH" },
    { actor: "wallet" },
  ),
  REFUND_ABNORMAL: entry("REFUND_ABNORMAL", { amount: 3333 }, { actor: "wallet" }),
  REFUND_PROCESSING: entry("REFUND_PROCESSING", { was: "ABNORMAL" }, { actor: "wallet" }),
  REFUND_PAYOUT: entry("REFUND_PAYOUT", { amount: 3333, to: "customer" }),
  REFUND_PAYOUT_PROPOSED: entry("REFUND_PAYOUT_PROPOSED", { amount: 3333, receiver: "2c3d" }),
  REFUND_PAYOUT_REFUSED: entry("REFUND_PAYOUT_REFUSED", { refusal: "NO" }, { actor: "wallet" }),
  REFUND_OVERDUE: entry("REFUND_OVERDUE", { amount: 3333, status: "SENT", days: 5 }, { actor: "reconciler" }),
  REFUND_SETTLED: entry("REFUND_SETTLED", { amount: 3333 }),
  REFUND_WITHDRAWN: entry("REFUND_WITHDRAWN", { amount: 3333 }),
  REFUND_ADOPTED: entry(
    "REFUND_ADOPTED",
    { amount: 3333, number: "5030", source: "bill", toMerchant: true },
    { actor: "wallet" },
  ),
  REFUND_PAID_TWICE: entry("REFUND_PAID_TWICE", {}, { actor: "wallet" }),
  REFUNDED: entry("REFUNDED", {}, { actor: "wallet" }),
  SHIPMENT_REQUESTED: entry("SHIPMENT_REQUESTED", {}),
  SHIPMENT_REPORTED: entry("SHIPMENT_REPORTED", {}, { actor: "wallet" }),
  SHIPMENT_REFUSED: entry(
    "SHIPMENT_REFUSED",
    { refusal: "10060031", isRepeated: false },
    { actor: "wallet" },
  ),
  SHIPMENT_OVERDUE: entry("SHIPMENT_OVERDUE", { refusal: "-1" }, { actor: "wallet" }),
  SHIPMENT_ENDED: entry("SHIPMENT_ENDED", { because: "switched-off" }, { actor: "wallet" }),
  ALARM_ACKNOWLEDGED: entry("ALARM_ACKNOWLEDGED", {}),
  PERSONAL_DATA_ERASED: entry("PERSONAL_DATA_ERASED", { erased: ["customerName", "reasons"] }),
};

describe("eventSentence", () => {
  it("says who did what, in yuan, with the reason as it was written", () => {
    expect(eventSentence(EXAMPLES.CREATED, "WALLET_A", "en")).toBe("Created by the app's server");
    expect(eventSentence(EXAMPLES.PAID, "WALLET_A", "en")).toBe(
      "Paid, confirmed by WeChat Pay's notification",
    );
    expect(eventSentence(EXAMPLES.LATE_PAYMENT, "WALLET_B", "en")).toContain(
      "confirmed by Alipay's answer to a query",
    );
    const asked = entry("REFUND_REQUESTED", { amount: 3333 }, { reason: "customer returned part" });
    expect(eventSentence(asked, "WALLET_A", "en")).toBe(
      "Refund of ¥33.33 requested by admin: customer returned part",
    );
    expect(eventSentence(asked, "WALLET_A", "zh")).toBe("admin 申请退款 ¥33.33：customer returned part");
    expect(eventSentence(EXAMPLES.CREATED, "WALLET_A", "zh")).toBe("由接入方（商户后端）创建");
  });

  it.each(Object.values(EXAMPLES))("has a sentence in each language for $type", (example) => {
    const [english, chinese] = (["en", "zh"] as const).map((language) =>
      eventSentence(example, "WALLET_A", language),
    );
    expect(english).toMatch(/^[A-Z].*[^.:]$/);
    expect(english).not.toMatch(/\bcents\b|WALLET_|undefined|the wallet\b/);
    expect(chinese).toMatch(/[^。：]$/);
    expect(chinese).not.toMatch(/WALLET_|undefined|钱包|[,;:!?()](?!\S*[a-z])/);
    expect(chinese).not.toBe(english);
  });

  it("names what ends the wait of a refund", () => {
    const sentences = ([undefined, ...FUNDS_REMEDIES] as const).map((remedy) =>
      (["en", "zh"] as const).map((language) =>
        eventSentence(
          entry("REFUND_WAITING_FOR_FUNDS", {
            amount: 3333,
            refusal: "NOT_ENOUGH",
            ...(remedy === undefined ? {} : { remedy }),
          }),
          "WALLET_A",
          language,
        ),
      ),
    );
    // An event without a remedy has the sentence of `top-up`.
    expect(sentences[0]).toEqual(sentences[1]);
    const [, , other, named, repair, wait] = sentences.map(([english]) => english);
    expect(other).toContain("Tillkit tries the available balance next");
    expect(named).toContain("remove fundsAccount");
    expect(repair).toContain("does not exist or is blocked");
    expect(wait).toContain("could not return its fee. Tillkit tries again by itself");
    for (const [english, chinese] of sentences) {
      expect(english).toMatch(/^Refund of ¥33.33 waits, because .* WeChat Pay wrote: NOT_ENOUGH$/);
      expect(chinese).toMatch(/^退款 ¥33.33 暂未完成：.*微信支付返回：NOT_ENOUGH$/);
    }
  });

  it.each(["en", "zh"] as const)(
    "shows the reason of an event whose details cannot be read (%s)",
    (language) => {
      for (const details of ["{", "[]", '{"amount":"3"}', '{"source":"rumour"}']) {
        const broken = { ...EXAMPLES.REFUND_SENT, details, reason: "as it is" };
        const sentence = eventSentence(broken, "WALLET_A", language);
        expect(sentence).toContain(EVENT_TEXT[language].titles.REFUND_SENT);
        expect(sentence).toContain("as it is");
      }
    },
  );
});
