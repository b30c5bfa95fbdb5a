import { expect, it } from "vitest";
import { type EventDetails, eventWith, type TimelineEventType } from "../orders/event-details.js";
import type { TimelineEvent } from "../orders/timeline.js";
import { anOrder } from "../testing/stubs.js";
import { statusProof } from "./status-proof.js";

/** 08:28:58 in Shanghai. */
const AT = Date.UTC(2026, 10, 27, 0, 28, 58);
const NOW = AT + 60_000;

function event<T extends TimelineEventType>(
  type: T,
  details: EventDetails[T],
  facts: Partial<TimelineEvent> = {},
): TimelineEvent {
  return {
    ...eventWith(type, details),
    at: AT,
    actor: "wallet",
    alarm: false,
    seq: 1,
    previousHash: "",
    hash: "",
    ...facts,
  };
}

const proof = (
  order: Parameters<typeof anOrder>[0],
  timeline: readonly TimelineEvent[] = [],
  { now = NOW, language = "en" }: { readonly now?: number; readonly language?: "en" | "zh" } = {},
) => statusProof({ order: anOrder(order), timeline, now }, "Asia/Shanghai", language);

const PAID = event("PAID", { source: "notification" }, { to: "PAID" });

it("says who confirmed a payment and when, with the date if it was on another day", () => {
  const order = { paymentStatus: "PAID" } as const;
  expect(proof(order, [PAID])).toBe("Paid, confirmed by WeChat Pay's notification at 08:28:58");
  expect(proof(order, [PAID], { language: "zh" })).toBe("已支付，由微信支付异步通知于 08:28:58 确认");
  expect(proof({ ...order, payChannel: "WALLET_B" }, [PAID], { now: NOW + 86_400_000 })).toBe(
    "Paid, confirmed by Alipay's notification at 2026-11-27 08:28:58",
  );
});

it("says that the proof is not known if the timeline has none", () => {
  const none = "The timeline does not contain who confirmed this status";
  expect(proof({ paymentStatus: "PAID" })).toBe(none);
  expect(proof({ paymentStatus: "PAID" }, [event("CREATED", { amount: 600 }, { to: "PENDING" })])).toBe(none);
  expect(proof({ paymentStatus: "PAID" }, [{ ...PAID, details: "{}" }])).toBe(none);
});

it("says that no wallet has confirmed the status of an imported order", () => {
  const imported = event("IMPORTED", { amount: 600, refundedAmount: 0 }, { actor: "operator:li" });
  expect(proof({ paymentStatus: "PAID" }, [imported])).toBe(
    "Imported with this status by li at 08:28:58. WeChat Pay has not confirmed it to Tillkit",
  );
});

it("says when the wallet is asked next about an order without a known payment", () => {
  expect(proof({ nextQueryAt: NOW + 2_000 })).toBe(
    "No payment is known. Tillkit asks WeChat Pay again at 08:30:00",
  );
  expect(proof({ nextQueryAt: NOW - 2_000 })).toContain("It is not known whether the order is paid");
  expect(proof({})).toContain("use Sync");
});

it("says who closed or refunded an order", () => {
  const closed = event(
    "CLOSED",
    { atWallet: "closed" },
    { actor: "operator:han", reason: "twice", to: "CLOSE" },
  );
  expect(proof({ paymentStatus: "CLOSE" }, [closed])).toBe(
    "Closed by han; WeChat Pay closed the order too: twice (08:28:58)",
  );
  const refunded = event("REFUNDED", {}, { to: "REFUND" });
  expect(proof({ paymentStatus: "REFUND" }, [PAID, refunded])).toBe(
    "Refunded in full, confirmed by WeChat Pay at 08:28:58",
  );
});
