import { findTimelineBreak, OPEN_REFUND_STATUSES, type Order, type Refund, type Stores } from "@tillkit/core";
import type { RefundProgress } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { FIXTURE_TIME, MINUTE, CONCURRENT_CALLERS, sha256 } from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";
import { aProgress, refundMovedTo } from "../../../support/stores/refund-moved-to.js";
import { aPaidOrder, aRequestedRefund } from "../../../support/stores/paid-order.js";

/** Tests `RefundStore`: status changes of an open refund. */
export function refundProgress(stores: () => Pick<Stores, "orders" | "refunds">): void {
  const timeline = (order: Order) => expectOk(stores().orders.timeline(order));
  const stored = async (order: Order) => (await expectOk(stores().refunds.list(order)))[0];
  const progress = (order: Order, refundNo: string, move: RefundProgress) =>
    expectOk(stores().refunds.progress(order, refundNo, move));
  const aRefundIn = async (status: Refund["status"]) => {
    const order = await aPaidOrder(stores(), { amount: 600 });
    const requested = await aRequestedRefund(stores(), order, { amount: 100 });
    return { order, refund: await refundMovedTo(stores(), order, requested, status) };
  };

  describe("progress", () => {
    it.each(OPEN_REFUND_STATUSES)("moves a %s refund to each allowed open status", async (from) => {
      for (const to of ["SENT", "WAITING_FOR_FUNDS", "ABNORMAL"] as const) {
        const { order, refund } = await aRefundIn(from);
        const move = aProgress(refund, { to, walletRefundNo: "5000000009" });
        const moved = {
          ...refund,
          status: to,
          walletRefundNo: "5000000009",
          nextTryAt: move.nextTryAt,
          gmtModified: move.entry.at,
        };
        expect(await progress(order, refund.refundNo, move)).toEqual({ moved: true, refund: moved, order });
        expect(await stored(order)).toEqual(moved);
        const events = await timeline(order);
        expect(events.at(-1)).toMatchObject(move.entry);
        expect(findTimelineBreak(sha256, order.id, events)).toBeUndefined();
        expect(await expectOk(stores().orders.find(order))).toEqual(order);
      }
    });

    it("keeps the wallet's number if none is given", async () => {
      const { order, refund } = await aRefundIn("SENT");
      const abnormal = aProgress(refund, { walletRefundNo: "5000000009" });
      const there = await progress(order, refund.refundNo, abnormal);
      const back = await progress(order, refund.refundNo, aProgress(there?.refund ?? refund, { to: "SENT" }));
      expect(back?.refund).toMatchObject({ status: "SENT", walletRefundNo: "5000000009" });
    });

    it("changes nothing if the refund's status or its time differs from `seen`", async () => {
      const { order, refund } = await aRefundIn("SENT");
      const events = await timeline(order);
      for (const seen of [
        { status: "REQUESTED", gmtModified: refund.gmtModified },
        { status: "WAITING_FOR_FUNDS", gmtModified: refund.gmtModified },
        { status: "SENT", gmtModified: refund.gmtModified - 1 },
        { status: "SENT", gmtModified: refund.gmtModified + 1 },
      ] as const) {
        const answer = await progress(order, refund.refundNo, aProgress(refund, { seen }));
        expect(answer).toEqual({ moved: false, refund, order });
      }
      expect(await stored(order)).toEqual(refund);
      expect(await timeline(order)).toEqual(events);
    });

    it.each(["CONFIRMED", "FAILED", "SETTLED"] as const)(
      "changes nothing for a refund that is %s, for any `seen`",
      async (status) => {
        const { order, refund } = await aRefundIn(status);
        const now = await expectOk(stores().orders.find(order));
        const events = await timeline(order);
        for (const seen of OPEN_REFUND_STATUSES) {
          const { gmtModified } = refund;
          const move = aProgress({ ...refund, status: seen }, { seen: { status: seen, gmtModified } });
          expect(await progress(order, refund.refundNo, move)).toEqual({ moved: false, refund, order: now });
        }
        expect(await stored(order)).toEqual(refund);
        expect(await timeline(order)).toEqual(events);
      },
    );

    it("sets when the refund is processed next", async () => {
      const { order, refund } = await aRefundIn("SENT");
      await progress(order, refund.refundNo, aProgress(refund, { nextTryAt: FIXTURE_TIME + 3 * MINUTE }));
      const due = (now: number) => expectOk(stores().refunds.claimDue(now, 10, 1));
      expect(await due(FIXTURE_TIME + 3 * MINUTE - 1)).toEqual([]);
      expect(await due(FIXTURE_TIME + 3 * MINUTE)).toHaveLength(1);
    });

    it(`moves once in ${CONCURRENT_CALLERS} concurrent calls with the same seen state`, async () => {
      const { order, refund } = await aRefundIn("SENT");
      const answers = await race(CONCURRENT_CALLERS, (caller) =>
        stores().refunds.progress(
          order,
          refund.refundNo,
          aProgress(refund, { to: caller % 2 === 0 ? "ABNORMAL" : "WAITING_FOR_FUNDS" }),
        ),
      );
      expect(answers.filter((answer) => answer?.moved)).toHaveLength(1);
      const events = await timeline(order);
      expect(events).toHaveLength(5);
      expect(findTimelineBreak(sha256, order.id, events)).toBeUndefined();
    });
  });
}
