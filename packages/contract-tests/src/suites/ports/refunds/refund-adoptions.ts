import { findTimelineBreak, type Order, type Refund, type Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import {
  aConfirmation,
  anAdoption,
  anEntry,
  anOrder,
  aSettlement,
  CONCURRENT_CALLERS,
  DAY,
  FIXTURE_TIME,
  sha256,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";
import { refundMovedTo } from "../../../support/stores/refund-moved-to.js";
import { aPaidOrder, aRequestedRefund } from "../../../support/stores/paid-order.js";

/** Tests `RefundStore`: refunds that the wallet made and that were not stored. */
export function refundAdoptions(stores: () => Pick<Stores, "orders" | "refunds" | "services">): void {
  const timeline = (order: Order) => expectOk(stores().orders.timeline(order));
  const find = (order: Order) => expectOk(stores().orders.find(order));
  const list = (order: Order) => expectOk(stores().refunds.list(order));
  const ends = async ({ customerIdentity }: Order) =>
    (await expectOk(stores().services.list("app_1", customerIdentity))).map(({ expireTime }) => expireTime);
  const paid = (changes: Partial<Order> = {}) => aPaidOrder(stores(), { amount: 600, ...changes });
  const service = { serviceTypeNo: "T-1", serviceName: "Member", durationMs: 30 * DAY };

  describe("adopt", () => {
    it("stores and counts a partial refund, and the order stays PAID", async () => {
      const order = await paid({ service });
      const adoption = anAdoption(order, { amount: 250 });
      const now = { ...order, refundedAmount: 250, gmtModified: adoption.at };
      const { refund } = adoption;
      expect(await expectOk(stores().refunds.adopt(adoption))).toEqual({
        kind: "adopted",
        refund,
        order: now,
        isPaidTwice: false,
      });
      expect(await list(order)).toEqual([refund]);
      expect(await find(order)).toEqual(now);
      const events = await timeline(order);
      expect(events.at(-1)).toMatchObject(adoption.entry);
      expect(findTimelineBreak(sha256, order.id, events)).toBeUndefined();
      expect(await ends(order)).toEqual([FIXTURE_TIME + 30 * DAY]);
    });

    it("moves the order to REFUND with the last part, numbers both entries, and revokes the service time", async () => {
      const order = await paid({ service });
      const { refundNo } = await aRequestedRefund(stores(), order, { amount: 200 });
      await expectOk(stores().refunds.confirm(order, refundNo, aConfirmation()));
      const adoption = anAdoption(order, { amount: 400 });
      expect(await expectOk(stores().refunds.adopt(adoption))).toMatchObject({
        kind: "adopted",
        order: { paymentStatus: "REFUND", refundedAmount: 600 },
      });
      const events = await timeline(order);
      expect(events.slice(-2)).toMatchObject([adoption.entry, adoption.refundedEntry]);
      expect(findTimelineBreak(sha256, order.id, events)).toBeUndefined();
      expect(await ends(order)).toEqual([FIXTURE_TIME]);
    });

    it("plans nothing for an order that it moves to REFUND", async () => {
      const order = await paid();
      await expectOk(stores().orders.scheduleShipment(order, FIXTURE_TIME + DAY));
      expect(await expectOk(stores().refunds.adopt(anAdoption(order, { amount: 600 })))).toMatchObject({
        kind: "adopted",
      });
      expect(await find(order)).not.toHaveProperty("nextQueryAt");
    });

    it.each(["REQUESTED", "SENT", "CONFIRMED", "FAILED", "SETTLED"] as const)(
      "returns the refund that has the number and is %s, and changes nothing",
      async (status) => {
        const order = await paid();
        const requested = await aRequestedRefund(stores(), order, { amount: 100 });
        const refund = await refundMovedTo(stores(), order, requested, status);
        const [now, events] = [await find(order), await timeline(order)];
        const { refundNo } = refund;
        expect(await expectOk(stores().refunds.adopt(anAdoption(order, { refundNo, amount: 600 })))).toEqual({
          kind: "held",
          refund,
          order: now,
        });
        expect(await list(order)).toEqual([refund]);
        expect(await find(order)).toEqual(now);
        expect(await timeline(order)).toEqual(events);
      },
    );

    it("counts the refund beside open refunds, whose amounts stay reserved", async () => {
      const order = await paid();
      const open = await aRequestedRefund(stores(), order, { amount: 400 });
      const adopted = await expectOk(stores().refunds.adopt(anAdoption(order, { amount: 600 })));
      expect(adopted).toMatchObject({ order: { paymentStatus: "REFUND", refundedAmount: 600 } });
      expect(await list(order)).toContainEqual(open);
      const entry = anEntry({ type: "REFUND_FAILED" });
      const failed = await expectOk(stores().refunds.reject(order, open.refundNo, FIXTURE_TIME, entry));
      expect(failed).toMatchObject({ moved: true, order: { refundedAmount: 600 } });
    });

    it("counts the refund beside a SETTLED refund, which the wallet did not pay", async () => {
      const order = await paid({ service });
      const requested = await aRequestedRefund(stores(), order, { amount: 600 });
      await refundMovedTo(stores(), order, requested, "SETTLED");
      expect(await find(order)).toMatchObject({ paymentStatus: "REFUND" });
      const { length } = await timeline(order);
      const adoption = anAdoption(order, { amount: 600 });
      expect(await expectOk(stores().refunds.adopt(adoption))).toMatchObject({
        kind: "adopted",
        order: { paymentStatus: "REFUND", refundedAmount: 1_200 },
      });
      expect((await timeline(order)).slice(length)).toMatchObject([adoption.entry, adoption.paidTwiceEntry]);
      expect(await ends(order)).toEqual([FIXTURE_TIME]);
    });

    it.each([
      ["an equal part", 200, [200], true],
      ["another part", 200, [300], false],
      ["more than is left", 200, [300, 101], true],
      ["the rest", 200, [400], false],
    ] as const)(
      "raises an alarm, as the last event, only if a SETTLED part was paid twice: %s",
      async (_, part, made, twice) => {
        const order = await paid();
        await refundMovedTo(
          stores(),
          order,
          await aRequestedRefund(stores(), order, { amount: part }),
          "SETTLED",
        );
        const answers = [];
        for (const amount of made)
          answers.push(await expectOk(stores().refunds.adopt(anAdoption(order, { amount }))));
        expect(answers.at(-1)).toMatchObject({ kind: "adopted", isPaidTwice: twice });
        const events = await timeline(order);
        expect(events.at(-1)?.type === "REFUND_PAID_TWICE").toBe(twice);
        expect(findTimelineBreak(sha256, order.id, events)).toBeUndefined();
      },
    );

    it("changes nothing if the wallet's refunds would exceed the amount", async () => {
      const order = await paid();
      const { refundNo } = await aRequestedRefund(stores(), order, { amount: 200 });
      await expectOk(stores().refunds.confirm(order, refundNo, aConfirmation()));
      const [now, events] = [await find(order), await timeline(order)];
      expect(await expectOk(stores().refunds.adopt(anAdoption(order, { amount: 401 })))).toEqual({
        kind: "exceeds-amount",
        order: now,
        remaining: 400,
      });
      expect(await find(order)).toEqual(now);
      expect(await timeline(order)).toEqual(events);
      expect(await list(order)).toHaveLength(1);
    });

    it("changes nothing for an order that is not paid or does not exist", async () => {
      const order = await expectOk(stores().orders.insertOnce(anOrder({ amount: 600 }), anEntry()));
      expect(await expectOk(stores().refunds.adopt(anAdoption(order)))).toEqual({ kind: "not-paid", order });
      expect(await list(order)).toEqual([]);
      expect(await timeline(order)).toHaveLength(1);
      expect(await expectOk(stores().refunds.adopt(anAdoption(anOrder())))).toEqual({ kind: "no-order" });
    });

    it(`counts one number once in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const order = await paid({ service });
      const adoption = anAdoption(order, { amount: 600 });
      const answers = await race(CONCURRENT_CALLERS, () => stores().refunds.adopt(adoption));
      expect(answers.filter(({ kind }) => kind === "adopted")).toHaveLength(1);
      expect(answers.filter(({ kind }) => kind === "held")).toHaveLength(CONCURRENT_CALLERS - 1);
      expect(await find(order)).toMatchObject({ refundedAmount: 600, paymentStatus: "REFUND" });
      expect(await list(order)).toHaveLength(1);
      expect(await ends(order)).toEqual([FIXTURE_TIME]);
      expect(findTimelineBreak(sha256, order.id, await timeline(order))).toBeUndefined();
    });

    it(`never exceeds the amount in ${CONCURRENT_CALLERS} concurrent calls with different numbers`, async () => {
      const order = await paid();
      const answers = await race(CONCURRENT_CALLERS, () =>
        stores().refunds.adopt(anAdoption(order, { amount: 200 })),
      );
      expect(answers.filter(({ kind }) => kind === "adopted")).toHaveLength(3);
      expect(await find(order)).toMatchObject({ refundedAmount: 600, paymentStatus: "REFUND" });
      expect(findTimelineBreak(sha256, order.id, await timeline(order))).toBeUndefined();
    });

    it(`counts each refund once in ${CONCURRENT_CALLERS} concurrent adoptions, confirmations and settlements`, async () => {
      const order = await paid();
      const confirming = await aRequestedRefund(stores(), order, { amount: 100 });
      await refundMovedTo(stores(), order, confirming, "SENT");
      const adoption = anAdoption(order, { amount: 300 });
      const settling = await abnormal(order);
      await race(CONCURRENT_CALLERS, (caller) => {
        if (caller % 3 === 0)
          return stores()
            .refunds.adopt(adoption)
            .map(() => undefined);
        const { refunds } = stores();
        return caller % 3 === 1
          ? refunds.confirm(order, confirming.refundNo, aConfirmation()).map(() => undefined)
          : refunds.settle(order, settling.refundNo, aSettlement()).map(() => undefined);
      });
      expect(await find(order)).toMatchObject({ refundedAmount: 600, paymentStatus: "REFUND" });
      expect(findTimelineBreak(sha256, order.id, await timeline(order))).toBeUndefined();
    });
  });

  /**
   * Returns an ABNORMAL refund of an order whose first refund, which was SENT, now waits for funds.
   */
  async function abnormal(order: Order): Promise<Refund> {
    const { refunds } = stores();
    const [first] = await list(order);
    if (first === undefined) throw new Error("The order has no refund.");
    const entry = anEntry({ type: "REFUND_ABNORMAL" });
    const waiting = { to: "WAITING_FOR_FUNDS", nextTryAt: FIXTURE_TIME + DAY, entry } as const;
    const seen = { status: "SENT", gmtModified: first.gmtModified } as const;
    await expectOk(refunds.progress(order, first.refundNo, { seen, ...waiting }));
    const second = await aRequestedRefund(stores(), order, { amount: 200 });
    return refundMovedTo(stores(), order, second, "ABNORMAL");
  }
}
