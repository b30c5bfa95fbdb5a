import { findTimelineBreak, type Order, type Refund, type Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import {
  aConfirmation,
  aRefund,
  aSettlement,
  FIXTURE_TIME,
  DAY,
  CONCURRENT_CALLERS,
  sha256,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";
import { aProgress, refundMovedTo } from "../../../support/stores/refund-moved-to.js";
import { aPaidOrder, aRequestedRefund, requestEntry } from "../../../support/stores/paid-order.js";

/** Tests `RefundStore`: refunds that an operator recorded as paid by other means. */
export function refundSettlements(stores: () => Pick<Stores, "orders" | "refunds" | "services">): void {
  const timeline = (order: Order) => expectOk(stores().orders.timeline(order));
  const find = (order: Order) => expectOk(stores().orders.find(order));
  const settle = (order: Order, { refundNo }: Refund, settlement = aSettlement()) =>
    expectOk(stores().refunds.settle(order, refundNo, settlement));
  const aRefundIn = async (status: Refund["status"], amount = 100, changes: Partial<Order> = {}) => {
    const order = await aPaidOrder(stores(), { amount: 600, ...changes });
    const requested = await aRequestedRefund(stores(), order, { amount });
    return { order, refund: await refundMovedTo(stores(), order, requested, status) };
  };

  describe("settle", () => {
    it.each(["ABNORMAL", "FAILED", "WITHDRAWN"] as const)(
      "settles a partial refund that was %s, and the order stays PAID",
      async (status) => {
        const { order, refund } = await aRefundIn(status);
        const settlement = aSettlement();
        const { nextTryAt: _never, ...rest } = refund;
        const settled = { ...rest, status: "SETTLED", gmtModified: settlement.at };
        const now = { ...order, refundedAmount: 100, gmtModified: settlement.at };
        expect(await settle(order, refund, settlement)).toEqual({
          kind: "settled",
          refund: settled,
          order: now,
        });
        expect(await expectOk(stores().refunds.list(order))).toEqual([settled]);
        expect(await find(order)).toEqual(now);
        const events = await timeline(order);
        expect(events.at(-1)).toMatchObject(settlement.entry);
        expect(findTimelineBreak(sha256, order.id, events)).toBeUndefined();
      },
    );

    it.each(["ABNORMAL", "FAILED", "WITHDRAWN"] as const)(
      "moves the order to REFUND if the whole amount was %s, numbers both entries, and revokes the service time",
      async (status) => {
        const service = { serviceTypeNo: "T-1", serviceName: "Member", durationMs: 30 * DAY };
        const { order, refund } = await aRefundIn(status, 600, { service });
        const settlement = aSettlement();
        expect(await settle(order, refund, settlement)).toMatchObject({
          kind: "settled",
          order: { paymentStatus: "REFUND", refundedAmount: 600 },
        });
        const events = await timeline(order);
        expect(events.slice(-2)).toMatchObject([settlement.entry, settlement.refundedEntry]);
        expect(findTimelineBreak(sha256, order.id, events)).toBeUndefined();
        const services = await expectOk(stores().services.list("app_1", order.customerIdentity));
        expect(services.map(({ expireTime }) => expireTime)).toEqual([FIXTURE_TIME]);
      },
    );

    it.each(["CONFIRMED", "SETTLED"] as const)("changes nothing for a refund that is %s", async (status) => {
      const { order, refund } = await aRefundIn(status);
      const [now, events] = [await find(order), await timeline(order)];
      expect(await settle(order, refund)).toEqual({ kind: "not-allowed", refund, order: now });
      expect(await expectOk(stores().refunds.list(order))).toEqual([refund]);
      expect(await find(order)).toEqual(now);
      expect(await timeline(order)).toEqual(events);
    });

    it.each(["REQUESTED", "SENT", "WAITING_FOR_FUNDS", "ABNORMAL", "CONFIRMED", "SETTLED"] as const)(
      "rejects a FAILED refund whose money is used by another refund that is %s",
      async (status) => {
        const { order, refund } = await aRefundIn("FAILED", 400);
        const other = await aRequestedRefund(stores(), order, { amount: 300 });
        await refundMovedTo(stores(), order, other, status);
        const [now, events] = [await find(order), await timeline(order)];
        expect(await settle(order, refund)).toEqual({
          kind: "exceeds-remaining",
          refund,
          order: now,
          remaining: 300,
        });
        expect(await find(order)).toEqual(now);
        expect(await timeline(order)).toEqual(events);
      },
    );

    it("changes nothing if the timeline has grown since the caller read it", async () => {
      const { order, refund } = await aRefundIn("FAILED");
      const seen = (await timeline(order)).length;
      await expectOk(stores().orders.record(order, requestEntry()));
      const [now, events] = [await find(order), await timeline(order)];
      const late = await settle(order, refund, aSettlement({ seen }));
      expect(late).toEqual({ kind: "changed", refund, order: now });
      expect(await timeline(order)).toEqual(events);
      expect(await settle(order, refund, aSettlement({ seen: events.length }))).toMatchObject({
        kind: "settled",
      });
    });

    it("settles one of two refunds in concurrent calls that have seen the same events", async () => {
      const { order, refund } = await aRefundIn("FAILED");
      const other = await aRequestedRefund(stores(), order, { amount: 100 });
      const both = [refund, await refundMovedTo(stores(), order, other, "FAILED")];
      const seen = (await timeline(order)).length;
      const answers = await Promise.all(both.map((one) => settle(order, one, aSettlement({ seen }))));
      expect(answers.map((answer) => answer?.kind).toSorted()).toEqual(["changed", "settled"]);
      expect(await find(order)).toMatchObject({ refundedAmount: 100 });
    });

    it("is final: the refund is never confirmed, failed, reopened or processed again", async () => {
      const { order, refund } = await aRefundIn("ABNORMAL");
      const settled = await settle(order, refund);
      const events = await timeline(order);
      const { refunds } = stores();
      const same = { refund: settled?.refund, order: settled?.order, moved: false };
      const { refundNo } = refund;
      expect(await expectOk(refunds.confirm(order, refundNo, aConfirmation()))).toEqual(same);
      expect(await expectOk(refunds.reject(order, refundNo, FIXTURE_TIME, requestEntry()))).toEqual(same);
      expect(await expectOk(refunds.markSent(order, refundNo, FIXTURE_TIME, requestEntry()))).toEqual(same);
      expect(await expectOk(refunds.progress(order, refundNo, aProgress(refund)))).toEqual(same);
      expect(await find(order)).toEqual(settled?.order);
      expect(await timeline(order)).toEqual(events);
      expect(await expectOk(refunds.claimDue(FIXTURE_TIME + 100 * DAY, 10, 1))).toEqual([]);
    });

    it(`counts the money once in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const { order, refund } = await aRefundIn("ABNORMAL", 600);
      const answers = await race(CONCURRENT_CALLERS, () =>
        stores().refunds.settle(order, refund.refundNo, aSettlement()),
      );
      expect(answers.filter((answer) => answer?.kind === "settled")).toHaveLength(1);
      expect(await find(order)).toMatchObject({ refundedAmount: 600, paymentStatus: "REFUND" });
      expect(findTimelineBreak(sha256, order.id, await timeline(order))).toBeUndefined();
    });

    it(`counts the money once in ${CONCURRENT_CALLERS} concurrent settlements, confirmations and payouts`, async () => {
      const { order, refund } = await aRefundIn("ABNORMAL", 600);
      const { refundNo } = refund;
      const answers = await race(CONCURRENT_CALLERS, (caller) => {
        if (caller % 3 === 0)
          return stores()
            .refunds.settle(order, refundNo, aSettlement())
            .map((answer) => answer?.kind === "settled");
        const moved =
          caller % 3 === 1
            ? stores().refunds.confirm(order, refundNo, aConfirmation())
            : stores().refunds.progress(order, refundNo, aProgress(refund, { to: "SENT" }));
        return moved.map((answer) => answer?.moved === true);
      });
      const settled = answers.filter((won, caller) => won && caller % 3 === 0).length;
      const confirmed = answers.filter((won, caller) => won && caller % 3 === 1).length;
      expect(settled + confirmed).toBe(1);
      expect(await find(order)).toMatchObject({ refundedAmount: 600, paymentStatus: "REFUND" });
      expect(findTimelineBreak(sha256, order.id, await timeline(order))).toBeUndefined();
    });

    it(`never uses the same money twice in ${CONCURRENT_CALLERS} concurrent settlements and requests`, async () => {
      const { order, refund } = await aRefundIn("FAILED", 400);
      const settling = () =>
        stores()
          .refunds.settle(order, refund.refundNo, aSettlement())
          .map((answer): string => answer?.kind ?? "none");
      const requesting = () =>
        stores()
          .refunds.request(aRefund({ bizNo: order.bizNo, amount: 400 }), requestEntry())
          .map((answer): string => answer.kind);
      const answers = await race(CONCURRENT_CALLERS, (caller) =>
        caller % 2 === 0 ? settling() : requesting(),
      );
      const won = answers.filter((kind) => kind === "settled" || kind === "requested");
      expect(won).toHaveLength(1);
      expect((await find(order))?.refundedAmount).toBe(won[0] === "settled" ? 400 : 0);
    });
  });
}
