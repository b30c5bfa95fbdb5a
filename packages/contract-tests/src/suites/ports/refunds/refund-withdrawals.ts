import { findTimelineBreak, type Order, type Refund, type Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import {
  aConfirmation,
  aRefund,
  aSendClaim,
  aSettlement,
  aWithdrawal,
  CONCURRENT_CALLERS,
  DAY,
  FIXTURE_TIME,
  MINUTE,
  sha256,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";
import { aProgress, refundMovedTo } from "../../../support/stores/refund-moved-to.js";
import { aPaidOrder, aRequestedRefund, requestEntry } from "../../../support/stores/paid-order.js";

/** Tests `RefundStore`: claims to send, and the withdrawals and settlements that end them. */
export function refundWithdrawals(stores: () => Pick<Stores, "orders" | "refunds" | "services">): void {
  const timeline = (order: Order) => expectOk(stores().orders.timeline(order));
  const find = (order: Order) => expectOk(stores().orders.find(order));
  const only = async (order: Order) => (await expectOk(stores().refunds.list(order)))[0];
  const aRefundIn = async (status: Refund["status"], amount = 100) => {
    const order = await aPaidOrder(stores(), { amount: 600 });
    const requested = await aRequestedRefund(stores(), order, { amount });
    return { order, refund: await refundMovedTo(stores(), order, requested, status) };
  };
  const claim = (order: Order, { refundNo }: Refund, until: number, at = FIXTURE_TIME) =>
    expectOk(stores().refunds.claimSend(order, refundNo, { at, until }));
  const withdraw = (order: Order, { refundNo }: Refund, withdrawal = aWithdrawal()) =>
    expectOk(stores().refunds.withdraw(order, refundNo, withdrawal));

  describe("claimSend", () => {
    it.each(["SENT", "WAITING_FOR_FUNDS"] as const)("grants a claim on a %s refund", async (status) => {
      const { order, refund } = await aRefundIn(status);
      const claimed = { ...refund, sendingUntil: FIXTURE_TIME + MINUTE };
      expect(await claim(order, refund, FIXTURE_TIME + MINUTE)).toEqual({ kind: "granted", refund: claimed });
      expect(await only(order)).toEqual(claimed);
    });

    it("refuses every claim until the earlier claim has ended", async () => {
      const { order, refund } = await aRefundIn("SENT");
      const until = FIXTURE_TIME + MINUTE;
      await claim(order, refund, until);
      const claimed = { ...refund, sendingUntil: until };
      expect(await claim(order, refund, until + MINUTE, until - 1)).toEqual({
        kind: "claimed",
        refund: claimed,
      });
      expect(await only(order)).toEqual(claimed);
      expect(await claim(order, refund, until + MINUTE, until)).toEqual({
        kind: "granted",
        refund: { ...refund, sendingUntil: until + MINUTE },
      });
    });

    it(`grants one of ${CONCURRENT_CALLERS} concurrent claims`, async () => {
      for (let round = 0; round < 4; round += 1) {
        const { order, refund } = await aRefundIn(round % 2 === 0 ? "SENT" : "WAITING_FOR_FUNDS");
        const answers = await race(CONCURRENT_CALLERS, (caller) =>
          stores().refunds.claimSend(order, refund.refundNo, {
            at: FIXTURE_TIME,
            until: FIXTURE_TIME + MINUTE + caller,
          }),
        );
        const granted = answers.filter((answer) => answer?.kind === "granted");
        expect(granted).toHaveLength(1);
        expect(await only(order)).toEqual(granted[0]?.refund);
      }
    });

    it.each(["REQUESTED", "ABNORMAL", "CONFIRMED", "FAILED", "WITHDRAWN", "SETTLED"] as const)(
      "refuses a claim on a %s refund",
      async (status) => {
        const { order, refund } = await aRefundIn(status);
        expect(await claim(order, refund, FIXTURE_TIME + MINUTE)).toEqual({ kind: "not-allowed", refund });
        expect(await only(order)).toEqual(refund);
      },
    );

    it("refuses a claim on a refund that the wallet has accepted, or that does not exist", async () => {
      const { order, refund } = await aRefundIn("SENT");
      await expectOk(stores().refunds.schedule(order, refund.refundNo, FIXTURE_TIME, "5000001"));
      expect(await claim(order, refund, FIXTURE_TIME + MINUTE)).toMatchObject({ kind: "not-allowed" });
      expect(await expectOk(stores().refunds.claimSend(order, "none", aSendClaim()))).toBeUndefined();
    });

    it("is also made when a payout moves the refund", async () => {
      const { order, refund } = await aRefundIn("ABNORMAL");
      const move = aProgress(refund, { to: "SENT", sendingUntil: FIXTURE_TIME + MINUTE });
      await expectOk(stores().refunds.progress(order, refund.refundNo, move));
      expect(await only(order)).toMatchObject({ sendingUntil: FIXTURE_TIME + MINUTE });
    });
  });

  describe("withdraw", () => {
    it.each(["REQUESTED", "SENT", "WAITING_FOR_FUNDS"] as const)(
      "ends a refund that is %s, and releases its amount",
      async (status) => {
        const { order, refund } = await aRefundIn(status, 600);
        const withdrawal = aWithdrawal();
        const { nextTryAt: _never, ...rest } = refund;
        const withdrawn = { ...rest, status: "WITHDRAWN", gmtModified: withdrawal.at };
        expect(await withdraw(order, refund, withdrawal)).toEqual({
          kind: "withdrawn",
          refund: withdrawn,
          order,
        });
        expect(await only(order)).toEqual(withdrawn);
        const events = await timeline(order);
        expect(events.at(-1)).toMatchObject(withdrawal.entry);
        expect(findTimelineBreak(sha256, order.id, events)).toBeUndefined();
        await aRequestedRefund(stores(), order, { amount: 600 });
      },
    );

    it.each(["ABNORMAL", "CONFIRMED", "FAILED", "WITHDRAWN", "SETTLED"] as const)(
      "changes nothing for a refund that is %s",
      async (status) => {
        const { order, refund } = await aRefundIn(status);
        const [now, events] = [await find(order), await timeline(order)];
        expect(await withdraw(order, refund)).toEqual({ kind: "not-allowed", refund, order: now });
        expect(await timeline(order)).toEqual(events);
      },
    );

    it("changes nothing for a refund that the wallet has accepted", async () => {
      const { order, refund } = await aRefundIn("SENT");
      await expectOk(stores().refunds.schedule(order, refund.refundNo, FIXTURE_TIME, "5000001"));
      expect(await withdraw(order, refund)).toMatchObject({ kind: "not-allowed" });
      expect(await only(order)).toMatchObject({ status: "SENT" });
    });

    it("is refused if a send may have run during the query, or if a send was claimed after the query", async () => {
      const { order, refund } = await aRefundIn("SENT");
      const { queriedAt } = aWithdrawal();
      await claim(order, refund, queriedAt + 1);
      expect(await withdraw(order, refund)).toMatchObject({ kind: "sending", refund: { status: "SENT" } });
      expect(await withdraw(order, refund, aWithdrawal({ queriedAt: queriedAt + 1 }))).toMatchObject({
        kind: "withdrawn",
      });
    });

    it("is final, except for a confirmation or a settlement", async () => {
      const { order, refund } = await aRefundIn("SENT");
      await withdraw(order, refund);
      const { refunds } = stores();
      const { refundNo } = refund;
      const same = { moved: false, refund: { status: "WITHDRAWN" } };
      expect(await expectOk(refunds.reject(order, refundNo, FIXTURE_TIME, requestEntry()))).toMatchObject(
        same,
      );
      expect(await expectOk(refunds.markSent(order, refundNo, FIXTURE_TIME, requestEntry()))).toMatchObject(
        same,
      );
      expect(await expectOk(refunds.progress(order, refundNo, aProgress(refund)))).toMatchObject(same);
      expect(await expectOk(refunds.claimDue(FIXTURE_TIME + 100 * DAY, 10, 1))).toEqual([]);
      expect(await expectOk(refunds.confirm(order, refundNo, aConfirmation()))).toMatchObject({
        moved: true,
        order: { refundedAmount: 100 },
      });
    });

    it(`never succeeds together with a claim in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      for (let round = 0; round < 8; round += 1) {
        const { order, refund } = await aRefundIn(round % 2 === 0 ? "SENT" : "WAITING_FOR_FUNDS");
        const { queriedAt } = aWithdrawal();
        const answers = await race(CONCURRENT_CALLERS, (caller) =>
          caller % 2 === round % 2
            ? stores()
                .refunds.claimSend(order, refund.refundNo, aSendClaim({ until: queriedAt + MINUTE }))
                .map((answer): string => (answer?.kind === "granted" ? "claimed" : "none"))
            : stores()
                .refunds.withdraw(order, refund.refundNo, aWithdrawal())
                .map((answer): string => (answer?.kind === "withdrawn" ? "withdrawn" : "none")),
        );
        const claims = answers.filter((answer) => answer === "claimed").length;
        const withdrawals = answers.filter((answer) => answer === "withdrawn").length;
        expect([claims, withdrawals].sort()).toEqual([0, 1]);
        expect((await only(order))?.status).toBe(withdrawals === 1 ? "WITHDRAWN" : refund.status);
        expect(findTimelineBreak(sha256, order.id, await timeline(order))).toBeUndefined();
      }
    });
  });

  describe("settle of an open refund", () => {
    const queried = aSettlement();
    const settle = (order: Order, { refundNo }: Refund, settlement = queried) =>
      expectOk(stores().refunds.settle(order, refundNo, settlement));

    it.each(["REQUESTED", "SENT", "WAITING_FOR_FUNDS"] as const)(
      "ends a refund that is %s, and counts its amount",
      async (status) => {
        const { order, refund } = await aRefundIn(status, 600);
        expect(await settle(order, refund)).toMatchObject({
          kind: "settled",
          refund: { status: "SETTLED" },
          order: { paymentStatus: "REFUND", refundedAmount: 600 },
        });
        expect(await claim(order, refund, FIXTURE_TIME + DAY)).toMatchObject({ kind: "not-allowed" });
      },
    );

    it("is refused while a send may still run", async () => {
      const { order, refund } = await aRefundIn("SENT");
      await claim(order, refund, FIXTURE_TIME + 4_001);
      expect(await settle(order, refund)).toMatchObject({ kind: "sending", refund: { status: "SENT" } });
      expect(await find(order)).toMatchObject({ refundedAmount: 0 });
    });

    it("is refused for an ABNORMAL refund while its payout may still run", async () => {
      const { order, refund } = await aRefundIn("ABNORMAL");
      const { refundNo } = refund;
      const sendingUntil = FIXTURE_TIME + 4_001;
      const sent = await expectOk(
        stores().refunds.progress(order, refundNo, aProgress(refund, { to: "SENT", sendingUntil })),
      );
      if (sent === undefined) throw new Error("There is no refund.");
      // An old message of the wallet makes the refund ABNORMAL again during the payout.
      await expectOk(stores().refunds.progress(order, refundNo, aProgress(sent.refund)));
      expect(await settle(order, refund)).toMatchObject({ kind: "sending", refund: { status: "ABNORMAL" } });
      expect(await find(order)).toMatchObject({ refundedAmount: 0 });
      const later = aSettlement({ queriedAt: sendingUntil });
      expect(await settle(order, refund, later)).toMatchObject({ kind: "settled" });
    });

    it(`counts the refund once in ${CONCURRENT_CALLERS} concurrent settlements and withdrawals`, async () => {
      for (let round = 0; round < 4; round += 1) {
        const { order, refund } = await aRefundIn(round % 2 === 0 ? "SENT" : "WAITING_FOR_FUNDS");
        const { refundNo } = refund;
        const answers = await race(CONCURRENT_CALLERS, (caller) =>
          caller % 4 === round
            ? stores()
                .refunds.withdraw(order, refundNo, aWithdrawal())
                .map((answer): string => answer?.kind ?? "none")
            : stores()
                .refunds.settle(order, refundNo, queried)
                .map((answer): string => answer?.kind ?? "none"),
        );
        expect(answers.filter((answer) => answer === "settled")).toHaveLength(1);
        expect(await find(order)).toMatchObject({ refundedAmount: 100 });
        expect((await only(order))?.status).toBe("SETTLED");
        expect(findTimelineBreak(sha256, order.id, await timeline(order))).toBeUndefined();
      }
    });

    it(`never releases its amount to one of ${CONCURRENT_CALLERS} concurrent requests`, async () => {
      for (const status of ["REQUESTED", "SENT", "WAITING_FOR_FUNDS", "ABNORMAL"] as const) {
        const { order, refund } = await aRefundIn(status, 400);
        const answers = await race(CONCURRENT_CALLERS, (caller) =>
          caller === 1
            ? stores()
                .refunds.settle(order, refund.refundNo, queried)
                .map((answer): string => answer?.kind ?? "none")
            : stores()
                .refunds.request(aRefund({ bizNo: order.bizNo, amount: 400 }), requestEntry())
                .map((answer): string => answer.kind),
        );
        expect(answers).toContain("settled");
        expect(answers).not.toContain("requested");
        expect(await find(order)).toMatchObject({ refundedAmount: 400, paymentStatus: "PAID" });
      }
    });

    it(`never succeeds together with a claim to send in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      for (let round = 0; round < 4; round += 1) {
        const { order, refund } = await aRefundIn(round < 2 ? "SENT" : "WAITING_FOR_FUNDS");
        const answers = await race(CONCURRENT_CALLERS, (caller) =>
          caller % 2 === round % 2
            ? stores()
                .refunds.claimSend(order, refund.refundNo, aSendClaim({ until: FIXTURE_TIME + DAY }))
                .map((answer): string => (answer?.kind === "granted" ? "claimed" : "none"))
            : stores()
                .refunds.settle(order, refund.refundNo, queried)
                .map((answer): string => answer?.kind ?? "none"),
        );
        const settled = answers.filter((answer) => answer === "settled").length;
        expect(answers.includes("claimed") ? settled : 1 - settled).toBe(0);
        expect((await find(order))?.refundedAmount).toBe(settled * 100);
      }
    });
  });
}
