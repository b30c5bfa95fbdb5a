import { findTimelineBreak, OPEN_REFUND_STATUSES, type Order, type Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import {
  aConfirmation,
  anAlarm,
  anEntry,
  aSettlement,
  aWithdrawal,
  FIXTURE_TIME,
  MINUTE,
  CONCURRENT_CALLERS,
  sha256,
  unique,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";
import { aProgress, refundMovedTo } from "../../../support/stores/refund-moved-to.js";
import { aPaidOrder, aRequestedRefund } from "../../../support/stores/paid-order.js";

/** Tests `RefundStore`: the outcome of a refund, and its effect on the order. */
export function refundMoves(stores: () => Pick<Stores, "orders" | "refunds">): void {
  const timeline = (order: Order) => expectOk(stores().orders.timeline(order));
  const find = (order: Order) => expectOk(stores().orders.find(order));
  const stored = async (order: Order) => (await expectOk(stores().refunds.list(order)))[0];
  const sentEntry = (at = FIXTURE_TIME + 1_000) =>
    anEntry({ type: "REFUND_SENT", at, actor: "operator:han", reason: "sent" });
  const failedEntry = (at = FIXTURE_TIME + 2_000) =>
    anEntry({ type: "REFUND_FAILED", at, actor: "wallet", reason: "no" });
  const send = (order: Order, refundNo: string) =>
    expectOk(stores().refunds.markSent(order, refundNo, FIXTURE_TIME + MINUTE, sentEntry()));
  const confirm = (order: Order, refundNo: string, confirmation = aConfirmation()) =>
    expectOk(stores().refunds.confirm(order, refundNo, confirmation));
  const reject = (order: Order, refundNo: string) =>
    expectOk(stores().refunds.reject(order, refundNo, FIXTURE_TIME + 2_000, failedEntry()));

  describe("markSent", () => {
    it("moves REQUESTED to SENT and appends the entry", async () => {
      const order = await aPaidOrder(stores());
      const refund = await aRequestedRefund(stores(), order);
      const sent = {
        ...refund,
        status: "SENT",
        nextTryAt: FIXTURE_TIME + MINUTE,
        gmtModified: FIXTURE_TIME + 1_000,
      };
      expect(await send(order, refund.refundNo)).toEqual({ moved: true, refund: sent, order });
      expect(await stored(order)).toEqual(sent);
      expect((await timeline(order)).at(-1)).toMatchObject(sentEntry());
    });

    it("claims the right to send in the same step, once", async () => {
      const order = await aPaidOrder(stores());
      const { refundNo } = await aRequestedRefund(stores(), order);
      const until = FIXTURE_TIME + MINUTE;
      const { refunds } = stores();
      const markSent = (sendingUntil: number) =>
        expectOk(refunds.markSent(order, refundNo, until, sentEntry(), sendingUntil));
      const claimed = { status: "SENT", sendingUntil: until };
      expect(await markSent(until)).toMatchObject({ moved: true, refund: claimed });
      expect(await markSent(until + MINUTE)).toMatchObject({ moved: false, refund: claimed });
      expect(await stored(order)).toMatchObject(claimed);
      const claim = { at: until - 1, until: until + MINUTE };
      expect(await expectOk(refunds.claimSend(order, refundNo, claim))).toMatchObject({ kind: "claimed" });
      const queriedAt = until - 1;
      const withdrawal = aWithdrawal({ queriedAt });
      expect(await expectOk(refunds.withdraw(order, refundNo, withdrawal))).toMatchObject({
        kind: "sending",
      });
    });

    it("changes nothing the second time", async () => {
      const order = await aPaidOrder(stores());
      const { refundNo } = await aRequestedRefund(stores(), order);
      const sent = await send(order, refundNo);
      const events = await timeline(order);
      const again = await expectOk(
        stores().refunds.markSent(order, refundNo, FIXTURE_TIME + 9 * MINUTE, sentEntry()),
      );
      expect(again).toEqual({ ...sent, moved: false });
      expect(await timeline(order)).toEqual(events);
    });

    it(`moves once in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const order = await aPaidOrder(stores());
      const { refundNo } = await aRequestedRefund(stores(), order);
      const answers = await race(CONCURRENT_CALLERS, () =>
        stores().refunds.markSent(order, refundNo, FIXTURE_TIME + MINUTE, sentEntry()),
      );
      expect(answers.filter((answer) => answer?.moved)).toHaveLength(1);
      expect(await timeline(order)).toHaveLength(4);
    });
  });

  describe("confirm", () => {
    it.each(OPEN_REFUND_STATUSES)(
      "confirms a %s partial refund, and the order stays PAID",
      async (status) => {
        const order = await aPaidOrder(stores(), { amount: 600 });
        const requested = await aRequestedRefund(stores(), order, { amount: 100 });
        const refund = await refundMovedTo(stores(), order, requested, status);
        const confirmation = aConfirmation();
        const moved = await confirm(order, refund.refundNo, confirmation);
        const { nextTryAt: _never, ...rest } = refund;
        expect(moved).toEqual({
          moved: true,
          refund: {
            ...rest,
            status: "CONFIRMED",
            walletRefundNo: confirmation.walletRefundNo,
            gmtModified: confirmation.at,
          },
          order: { ...order, refundedAmount: 100, gmtModified: confirmation.at },
        });
        expect(await stored(order)).toEqual(moved?.refund);
        expect(await find(order)).toEqual(moved?.order);
        const events = await timeline(order);
        expect(events.at(-1)).toMatchObject(confirmation.entry);
        expect(events.map(({ type }) => type)).not.toContain("REFUNDED");
      },
    );

    it("moves the order to REFUND if the whole amount is confirmed, and appends both entries", async () => {
      const order = await aPaidOrder(stores(), { amount: 600 });
      const part = await aRequestedRefund(stores(), order, { amount: 100 });
      await confirm(order, part.refundNo);
      const rest = await aRequestedRefund(stores(), order, { amount: 500 });
      const confirmation = aConfirmation({ at: FIXTURE_TIME + 5_000 });
      const moved = await confirm(order, rest.refundNo, confirmation);
      expect(moved?.order).toEqual({
        ...order,
        paymentStatus: "REFUND",
        refundedAmount: 600,
        gmtModified: FIXTURE_TIME + 5_000,
      });
      const events = await timeline(order);
      expect(events.slice(-2)).toMatchObject([confirmation.entry, confirmation.refundedEntry]);
      expect(findTimelineBreak(sha256, order.id, events)).toBeUndefined();
    });

    it("numbers its two entries consecutively, and the following entries after them", async () => {
      const order = await aPaidOrder(stores(), { amount: 600 });
      const { refundNo } = await aRequestedRefund(stores(), order, { amount: 600 });
      await confirm(order, refundNo);
      expect(await expectOk(stores().orders.record(order, anAlarm()))).toBe(true);
      const events = await timeline(order);
      expect(events.map(({ seq, type }) => `${seq} ${type}`)).toEqual([
        "1 CREATED",
        "2 PAID",
        "3 REFUND_REQUESTED",
        "4 REFUND_CONFIRMED",
        "5 REFUNDED",
        "6 MISMATCH",
      ]);
      expect(findTimelineBreak(sha256, order.id, events)).toBeUndefined();
    });

    it("changes nothing the second time, nor after a later rejection", async () => {
      const order = await aPaidOrder(stores());
      const { refundNo } = await aRequestedRefund(stores(), order);
      const first = await confirm(order, refundNo);
      const events = await timeline(order);
      expect(await confirm(order, refundNo)).toEqual({ ...first, moved: false });
      expect(await reject(order, refundNo)).toEqual({ ...first, moved: false });
      expect(await send(order, refundNo)).toEqual({ ...first, moved: false });
      expect(await find(order)).toEqual(first?.order);
      expect(await timeline(order)).toEqual(events);
    });

    it("changes nothing if the refund has another status than the caller has read", async () => {
      const order = await aPaidOrder(stores());
      const refund = await aRequestedRefund(stores(), order);
      const { refundNo } = refund;
      await refundMovedTo(stores(), order, refund, "WITHDRAWN");
      const events = await timeline(order);
      expect(await confirm(order, refundNo, aConfirmation({ from: "REQUESTED" }))).toMatchObject({
        moved: false,
        refund: { status: "WITHDRAWN" },
      });
      expect(await timeline(order)).toEqual(events);
      expect(await confirm(order, refundNo, aConfirmation({ from: "WITHDRAWN" }))).toMatchObject({
        moved: true,
        refund: { status: "CONFIRMED" },
      });
    });

    it(`confirms once in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const order = await aPaidOrder(stores(), { amount: 600 });
      const { refundNo } = await aRequestedRefund(stores(), order, { amount: 600 });
      const answers = await race(CONCURRENT_CALLERS, () =>
        stores().refunds.confirm(order, refundNo, aConfirmation()),
      );
      expect(answers.filter((answer) => answer?.moved)).toHaveLength(1);
      for (const answer of answers) {
        expect(answer).toMatchObject({
          refund: { status: "CONFIRMED" },
          order: { refundedAmount: 600, paymentStatus: "REFUND" },
        });
      }
      const types = (await timeline(order)).map(({ type }) => type);
      expect(types).toEqual(["CREATED", "PAID", "REFUND_REQUESTED", "REFUND_CONFIRMED", "REFUNDED"]);
    });
  });

  describe("reject", () => {
    it.each(OPEN_REFUND_STATUSES)(
      "moves a %s refund to FAILED, and the order does not change",
      async (status) => {
        const order = await aPaidOrder(stores());
        const requested = await aRequestedRefund(stores(), order);
        const refund = await refundMovedTo(stores(), order, requested, status);
        const { nextTryAt: _never, ...rest } = refund;
        const failed = { ...rest, status: "FAILED", gmtModified: FIXTURE_TIME + 2_000 };
        expect(await reject(order, refund.refundNo)).toEqual({ moved: true, refund: failed, order });
        expect(await stored(order)).toEqual(failed);
        expect((await timeline(order)).at(-1)).toMatchObject(failedEntry());
      },
    );

    it("is final: a FAILED refund is never sent or reopened", async () => {
      const order = await aPaidOrder(stores());
      const requested = await aRequestedRefund(stores(), order);
      const sent = await refundMovedTo(stores(), order, requested, "SENT");
      const failed = await reject(order, requested.refundNo);
      const events = await timeline(order);
      expect(await send(order, requested.refundNo)).toEqual({ ...failed, moved: false });
      for (const seen of [requested, sent]) {
        for (const to of ["SENT", "WAITING_FOR_FUNDS", "ABNORMAL"] as const) {
          const gmtModified = failed?.refund.gmtModified ?? 0;
          const progress = aProgress({ ...seen, gmtModified }, { to });
          const answer = await expectOk(stores().refunds.progress(order, requested.refundNo, progress));
          expect(answer).toEqual({ ...failed, moved: false });
        }
      }
      expect(await stored(order)).toEqual(failed?.refund);
      expect(await timeline(order)).toEqual(events);
      expect(await expectOk(stores().refunds.claimDue(FIXTURE_TIME + 100 * MINUTE, 10, 1))).toEqual([]);
    });

    it("changes nothing the second time", async () => {
      const order = await aPaidOrder(stores());
      const { refundNo } = await aRequestedRefund(stores(), order);
      const first = await reject(order, refundNo);
      expect(await reject(order, refundNo)).toEqual({ ...first, moved: false });
      expect(await find(order)).toEqual(order);
    });

    it("does not prevent a later confirmation by the wallet", async () => {
      const order = await aPaidOrder(stores(), { amount: 600 });
      const refused = await aRequestedRefund(stores(), order, { amount: 200 });
      await reject(order, refused.refundNo);
      const next = await aRequestedRefund(stores(), order, { amount: 400 });
      const late = await confirm(order, refused.refundNo);
      expect(late).toMatchObject({
        moved: true,
        refund: { status: "CONFIRMED" },
        order: { refundedAmount: 200 },
      });
      const due = await expectOk(stores().refunds.claimDue(next.nextTryAt ?? FIXTURE_TIME, 10, 1));
      expect(due.map(({ refundNo }) => refundNo)).toEqual([next.refundNo]);
      const last = await confirm(order, next.refundNo);
      expect(last?.order).toMatchObject({ refundedAmount: 600, paymentStatus: "REFUND" });
    });

    it("keeps a refund that the wallet has accepted, with `unlessAccepted`", async () => {
      const { refunds } = stores();
      for (const accept of ["number", "ABNORMAL"] as const) {
        const order = await aPaidOrder(stores(), { amount: 600 });
        const refund = await aRequestedRefund(stores(), order, { amount: 200 });
        if (accept === "number")
          await expectOk(refunds.schedule(order, refund.refundNo, FIXTURE_TIME + 5, "5000"));
        else await refundMovedTo(stores(), order, refund, "ABNORMAL");
        const accepted = await stored(order);
        const events = await timeline(order);
        const options = { unlessAccepted: true };
        const refused = await expectOk(
          refunds.reject(order, refund.refundNo, FIXTURE_TIME + 2_000, failedEntry(), options),
        );
        expect(refused).toMatchObject({ moved: false, refund: accepted });
        expect(await timeline(order)).toEqual(events);
        expect(await reject(order, refund.refundNo)).toMatchObject({ moved: true });
      }
      const order = await aPaidOrder(stores(), { amount: 600 });
      const { refundNo } = await aRequestedRefund(stores(), order);
      const unknown = await expectOk(
        refunds.reject(order, refundNo, FIXTURE_TIME + 2_000, failedEntry(), { unlessAccepted: true }),
      );
      expect(unknown).toMatchObject({ moved: true, refund: { status: "FAILED" } });
    });

    it(`stores the wallet's number or fails the refund, never both, in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const { refunds } = stores();
      const order = await aPaidOrder(stores(), { amount: 600 });
      const { refundNo } = await aRequestedRefund(stores(), order);
      await race(CONCURRENT_CALLERS, (caller) =>
        caller % 2 === 0
          ? refunds.schedule(order, refundNo, FIXTURE_TIME + caller, "5000")
          : refunds
              .reject(order, refundNo, FIXTURE_TIME, failedEntry(), { unlessAccepted: true })
              .map(() => undefined),
      );
      const refund = await stored(order);
      expect(refund?.status === "FAILED").toBe(refund?.walletRefundNo === undefined);
    });

    it(`counts the money once in ${CONCURRENT_CALLERS} concurrent confirmations and refusals`, async () => {
      const order = await aPaidOrder(stores(), { amount: 600 });
      const { refundNo } = await aRequestedRefund(stores(), order, { amount: 100 });
      const answers = await race(CONCURRENT_CALLERS, (caller) =>
        caller % 2 === 0
          ? stores().refunds.confirm(order, refundNo, aConfirmation())
          : stores().refunds.reject(order, refundNo, FIXTURE_TIME, failedEntry()),
      );
      const moved = answers.flatMap((answer, caller) => (answer?.moved === true ? [caller % 2] : []));
      expect(moved.filter((odd) => odd === 0)).toHaveLength(1);
      expect(moved.filter((odd) => odd === 1).length).toBeLessThanOrEqual(1);
      expect(await stored(order)).toMatchObject({ status: "CONFIRMED" });
      expect((await find(order))?.refundedAmount).toBe(100);
      const events = await timeline(order);
      expect(events).toHaveLength(3 + moved.length);
      expect(findTimelineBreak(sha256, order.id, events)).toBeUndefined();
    });
  });

  it("returns undefined for an unknown refund, an unknown order, another order's or another app's refund", async () => {
    const [order, other] = [await aPaidOrder(stores()), await aPaidOrder(stores())];
    const refund = await aRequestedRefund(stores(), order);
    const events = await timeline(order);
    for (const [key, refundNo] of [
      [order, unique("refund-")],
      [other, refund.refundNo],
      [{ ...order, bizNo: unique("biz-") }, refund.refundNo],
      [{ ...order, appId: "app_2" }, refund.refundNo],
    ] as const) {
      expect(await send(key, refundNo)).toBeUndefined();
      expect(await confirm(key, refundNo)).toBeUndefined();
      expect(await reject(key, refundNo)).toBeUndefined();
      expect(await expectOk(stores().refunds.progress(key, refundNo, aProgress(refund)))).toBeUndefined();
      expect(await expectOk(stores().refunds.settle(key, refundNo, aSettlement()))).toBeUndefined();
      await expectOk(stores().refunds.schedule(key, refundNo, FIXTURE_TIME));
    }
    expect(await stored(order)).toEqual(refund);
    expect(await find(order)).toEqual(order);
    expect(await timeline(order)).toEqual(events);
  });
}
