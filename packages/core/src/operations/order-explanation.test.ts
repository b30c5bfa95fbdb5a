import { describe, expect, it } from "vitest";
import type { Order } from "../orders/order.js";
import type { TimelineEvent } from "../orders/timeline.js";
import type { Refund } from "../refunds/refund.js";
import { anOrder, aRefund } from "../testing/stubs.js";
import { explainInParts, type ExplanationFacts, sentencesOf } from "./order-explanation.js";

const MINUTE = 60_000;
/** 12:00 in Shanghai. */
const NOON = Date.UTC(2026, 0, 15, 4);
const policy = { timeZone: "Asia/Shanghai", expiryMargin: 5 * MINUTE };

const order = (changes: Partial<Order> = {}) =>
  anOrder({ customerName: "Li Lei", gmtCreate: NOON, expiresAt: NOON + 120 * MINUTE, ...changes });

const created: TimelineEvent = {
  seq: 1,
  type: "CREATED",
  at: NOON,
  actor: "caller",
  reason: "",
  details: '{"amount":600}',
  to: "PENDING",
  alarm: false,
  previousHash: "order-1",
  hash: "h1",
};
const paid: TimelineEvent = {
  seq: 2,
  type: "PAID",
  at: NOON + MINUTE,
  actor: "wallet",
  reason: "",
  details: '{"source":"notification"}',
  from: "PENDING",
  to: "PAID",
  evidence: "digest",
  alarm: false,
  previousHash: "h1",
  hash: "h2",
};
const closed: TimelineEvent = {
  ...paid,
  type: "CLOSED",
  actor: "operator:han",
  reason: "asked to",
  to: "CLOSE",
  details: '{"atWallet":"closed"}',
};

const refund = aRefund({
  refundNo: "r-1",
  reason: "bought twice",
  status: "SENT",
  nextTryAt: NOON + 5 * MINUTE,
  gmtCreate: NOON,
  gmtModified: NOON,
});

/** Creates a refund that is final. */
function final(refundNo: string, status: Refund["status"], amount = 200): Refund {
  const { nextTryAt: _never, ...rest } = refund;
  return { ...rest, refundNo, status, amount };
}

const explanation = (
  facts: Partial<ExplanationFacts> & Pick<ExplanationFacts, "order">,
  language: "en" | "zh" = "en",
) =>
  sentencesOf(
    explainInParts(
      { refunds: [], timeline: [created], brokenAt: undefined, now: NOON + 2 * MINUTE, ...facts },
      policy,
      language,
    ),
  );

const TITLE = 'Order b-1 (order-1) charges ¥6.00 through WeChat Pay for "Thirty days".';
const CREATED = "2026-01-15T12:00:00+08:00: Created by the app's server.";
const PAID = "2026-01-15T12:01:00+08:00: Paid, confirmed by WeChat Pay's notification.";
const QUIET = "The timeline has no open alarm.";
const holds = (events: number) => `The hash chain of the timeline is valid (events: ${events}).`;

describe("explainInParts", () => {
  it("explains what will happen to a PENDING order and when", () => {
    expect(explanation({ order: order({ nextQueryAt: NOON + 5 * MINUTE }) })).toEqual([
      TITLE,
      CREATED,
      "The customer can pay the order until 2026-01-15T14:00:00+08:00.",
      QUIET,
      holds(1),
      "The next query of WeChat Pay about the order is at 2026-01-15T12:05:00+08:00.",
      "If the order stays unpaid, Tillkit closes it after 2026-01-15T14:05:00+08:00, when WeChat Pay confirms that the order is closed or does not exist.",
    ]);
  });

  it("explains for an expired PENDING order that the reconciler is late", () => {
    const late = explanation({
      order: order({ nextQueryAt: NOON + 125 * MINUTE }),
      now: NOON + 126 * MINUTE,
    });
    expect(late).toContain(
      "Tillkit knows of no payment. The time to pay ended at 2026-01-15T14:00:00+08:00.",
    );
    expect(late).toContain(
      "The query of WeChat Pay at 2026-01-15T14:05:00+08:00 is overdue: check that reconcileOrders runs.",
    );
    expect(explanation({ order: order() })).toContain(
      "No further query of WeChat Pay is scheduled. Use Sync (`tillkit orders sync`) to query WeChat Pay now.",
    );
  });

  it("explains the payment and the refunds of a PAID order", () => {
    const facts = {
      order: order({
        paymentStatus: "PAID",
        pmtDt: NOON + MINUTE,
        walletTradeNo: "4200",
        refundedAmount: 100,
      }),
      timeline: [created, paid],
      refunds: [
        final("r-0", "CONFIRMED", 100),
        { ...refund, status: "REQUESTED", nextTryAt: NOON },
        refund,
        final("r-2", "FAILED"),
      ],
    } satisfies Partial<ExplanationFacts>;
    expect(explanation(facts)).toEqual([
      TITLE,
      CREATED,
      PAID,
      "The order was paid at 2026-01-15T12:01:00+08:00, under WeChat Pay's number 4200.",
      "¥1.00 of ¥6.00 have been refunded.",
      "Refund r-0 of ¥1.00, by han: bought twice. Confirmed by WeChat Pay.",
      "Refund r-1 of ¥2.00, by han: bought twice. It is stored, and Tillkit has not sent it to WeChat Pay yet. The query of WeChat Pay at 2026-01-15T12:00:00+08:00 is overdue: check that reconcileOrders runs.",
      "Refund r-1 of ¥2.00, by han: bought twice. Tillkit sent it to WeChat Pay, and the result is not known yet. Do not refund by other means. The next query of WeChat Pay about the refund is at 2026-01-15T12:05:00+08:00.",
      "Refund r-2 of ¥2.00, by han: bought twice. Refused or closed by WeChat Pay. Refund the amount again with a new number, or record that you pay the customer by other means (`tillkit refunds settle`), and pay then.",
      QUIET,
      holds(2),
      "The refund r-1 is open. The query of WeChat Pay at 2026-01-15T12:00:00+08:00 is overdue: check that reconcileOrders runs, or use Sync.",
      "The refund r-1 is open. The next query of WeChat Pay about it is at 2026-01-15T12:05:00+08:00.",
    ]);
  });

  it("explains what to do about a refund that waits for an operator", () => {
    const refunds = (["WAITING_FOR_FUNDS", "ABNORMAL", "SETTLED"] as const).map((status) =>
      final("r-1", status),
    );
    const args = (language: "en" | "zh") =>
      explanation({ order: order({ paymentStatus: "PAID" }), refunds }, language).filter((line) =>
        / r-1[ ，]/.test(line),
      );
    const [waiting, abnormal, settled] = args("en");
    expect(waiting).toContain("top up the account. The refund then continues automatically");
    expect(abnormal).toContain("Pay it out to a bank card");
    expect(abnormal).toContain("tillkit refunds settle");
    expect(settled).toContain("the merchant pays the customer by other means");
    expect(args("zh").join()).toMatch(/充值.*打款至银行卡.*登记线下退款/);
  });

  it("explains who closed a CLOSE order, and counts the alarms", () => {
    const { to: _to, ...fact } = paid;
    const late: TimelineEvent = {
      ...fact,
      type: "MISMATCH",
      alarm: true,
      details: '{"about":"order","source":"query","differences":["amount"]}',
    };
    const facts = { order: order({ paymentStatus: "CLOSE" }), timeline: [created, closed, late] };
    expect(explanation(facts)).toEqual([
      TITLE,
      CREATED,
      "2026-01-15T12:01:00+08:00: Closed by han; WeChat Pay closed the order too: asked to.",
      "2026-01-15T12:01:00+08:00: WeChat Pay's answer to a query does not match the order (amount), so it changed nothing. This is an alarm: a person must look at it.",
      "The order is closed. Tillkit knows of no payment.",
      "Open alarms on the timeline: 1. A person must look at each alarm.",
      holds(3),
      "No further query of WeChat Pay is scheduled. Use Sync (`tillkit orders sync`) to query WeChat Pay now.",
    ]);
  });

  it("reports where the timeline was changed, and that events were deleted if the timeline is empty", () => {
    expect(explanation({ order: order(), timeline: [created, paid], brokenAt: 2 })).toContain(
      "The hash chain of the timeline is broken at event 2: this event or the one before it was changed or removed. Compare the timeline with a backup and with the wallet's records.",
    );
    expect(explanation({ order: order(), timeline: [] })).toContain(
      "The timeline is empty, so events were deleted from the database. Compare the timeline with a backup and with the wallet's records.",
    );
  });

  it("explains the same in Chinese, with the reasons in their original language", () => {
    const facts = {
      order: order({ paymentStatus: "REFUND", pmtDt: NOON + MINUTE, refundedAmount: 600 }),
      timeline: [created, paid],
      refunds: [refund],
    };
    expect(explanation(facts, "zh")).toEqual([
      "订单 b-1（order-1）：通过微信支付收取 ¥6.00，商品“Thirty days”。",
      "2026-01-15T12:00:00+08:00：由接入方（商户后端）创建。",
      "2026-01-15T12:01:00+08:00：已支付，由微信支付异步通知确认。",
      "已于 2026-01-15T12:01:00+08:00 支付。",
      "订单金额 ¥6.00，已退款 ¥6.00。",
      "退款 r-1，¥2.00（han：bought twice）。微信支付处理中，结果未知。请勿以其他方式退款。下次向微信支付查询该退款的时间为 2026-01-15T12:05:00+08:00。",
      "时间线上没有未确认的告警。",
      "时间线的哈希链完整，共 2 个事件。",
      "退款 r-1 尚未结束，下次向微信支付查询的时间为 2026-01-15T12:05:00+08:00。",
    ]);
  });

  it.each(["en", "zh"] as const)("contains neither the customer nor the evidence (%s)", (language) => {
    const facts = { order: order({ attachData: "secret-data" }), timeline: [created, paid] };
    const text = explanation(facts, language).join("\n");
    for (const hidden of ["c-1", "Li Lei", "digest", "secret-data"]) expect(text).not.toContain(hidden);
  });
});
