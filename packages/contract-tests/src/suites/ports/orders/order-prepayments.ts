import type { Order, Prepayment, Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import {
  aClosure,
  anEntry,
  aPayment,
  anOrder,
  FIXTURE_TIME,
  UNUSUAL_TEXT,
  MINUTE,
  CONCURRENT_CALLERS,
  unique,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";

const UNTIL = FIXTURE_TIME + MINUTE;

/** Tests `OrderStore`: which caller may request the prepayment, and which result is stored. */
export function orderPrepayments(stores: () => Pick<Stores, "orders">): void {
  const insert = (changes: Partial<Order> = {}) =>
    expectOk(stores().orders.insertOnce(anOrder(changes), anEntry()));
  const claim = (order: Order, id: string, now = FIXTURE_TIME) =>
    expectOk(stores().orders.claimPrepayment(order, { id, until: UNTIL }, now));
  const aPrepayment = (changes: Partial<Prepayment> = {}): Prepayment => ({
    issuedAt: FIXTURE_TIME,
    validUntil: UNTIL,
    values: { prepayId: unique("wx-") },
    ...changes,
  });

  describe("claimPrepayment", () => {
    it("is granted if the order has neither a prepayment nor a claim", async () => {
      const order = await insert();
      const claimed = await claim(order, "mine");
      expect(claimed).toEqual({
        granted: true,
        order: { ...order, prepaymentClaim: { id: "mine", until: UNTIL } },
      });
      expect(await expectOk(stores().orders.find(order))).toEqual(claimed?.order);
    });

    it("is not granted while another claim is live, and returns that claim", async () => {
      const order = await insert({ prepaymentClaim: { id: "theirs", until: UNTIL } });
      expect(await claim(order, "mine", UNTIL - 1)).toEqual({ granted: false, order });
    });

    it("is granted again to the claim that holds it", async () => {
      const order = await insert({ prepaymentClaim: { id: "mine", until: FIXTURE_TIME + 1 } });
      const claimed = await claim(order, "mine");
      expect(claimed?.granted).toBe(true);
      expect(claimed?.order.prepaymentClaim).toEqual({ id: "mine", until: UNTIL });
    });

    it("is granted after the previous claim has expired", async () => {
      const order = await insert({ prepaymentClaim: { id: "theirs", until: FIXTURE_TIME } });
      const claimed = await claim(order, "mine", FIXTURE_TIME + 1);
      expect(claimed).toEqual({
        granted: true,
        order: { ...order, prepaymentClaim: { id: "mine", until: UNTIL } },
      });
    });

    it("is not granted while the order has a valid prepayment, and returns it", async () => {
      const order = await insert({ prepayment: aPrepayment() });
      expect(await claim(order, "mine", UNTIL - 1)).toEqual({ granted: false, order });
    });

    it("is granted after the prepayment has expired", async () => {
      const order = await insert({ prepayment: aPrepayment() });
      expect((await claim(order, "mine", UNTIL + 1))?.granted).toBe(true);
    });

    it(`is granted to one of ${CONCURRENT_CALLERS} concurrent calls, and all return its claim`, async () => {
      const order = await insert();
      const answers = await race(CONCURRENT_CALLERS, (caller) =>
        stores().orders.claimPrepayment(order, { id: `racer-${caller}`, until: UNTIL }, FIXTURE_TIME),
      );
      const winners = answers.flatMap((answer, caller) =>
        answer?.granted === true ? [`racer-${caller}`] : [],
      );
      expect(winners).toHaveLength(1);
      expect(answers.map((answer) => answer?.order.prepaymentClaim?.id)).toEqual(
        answers.map(() => winners[0]),
      );
    });

    it(`is granted to one of ${CONCURRENT_CALLERS} concurrent calls after a claim has expired`, async () => {
      const order = await insert({ prepaymentClaim: { id: "dead", until: FIXTURE_TIME - 1 } });
      const answers = await race(CONCURRENT_CALLERS, (caller) =>
        stores().orders.claimPrepayment(order, { id: `racer-${caller}`, until: UNTIL }, FIXTURE_TIME),
      );
      expect(answers.filter((answer) => answer?.granted)).toHaveLength(1);
    });

    it("returns undefined for an unknown order and for another app's order", async () => {
      const order = await insert();
      expect(await claim({ ...order, appId: "app_2" }, "mine")).toBeUndefined();
      expect(await claim({ ...order, bizNo: unique("biz-") }, "mine")).toBeUndefined();
      expect(await expectOk(stores().orders.find(order))).toEqual(order);
    });
  });

  describe("transition", () => {
    it("removes the prepayment and the claim of an order that becomes PAID, also of a closed order", async () => {
      const prepaid = await insert({ prepayment: aPrepayment() });
      const claimed = await insert({ prepaymentClaim: { id: "mine", until: UNTIL } });
      const closed = await insert({ prepayment: aPrepayment() });
      await expectOk(stores().orders.transition(closed, aClosure()));
      for (const [order, from] of [
        [prepaid, "PENDING"],
        [claimed, "PENDING"],
        [closed, "CLOSE"],
      ] as const) {
        const moved = await expectOk(stores().orders.transition(order, aPayment({ from })));
        expect(moved?.order.paymentStatus).toBe("PAID");
        expect(moved?.order).not.toHaveProperty("prepayment");
        expect(moved?.order).not.toHaveProperty("prepaymentClaim");
        expect(await expectOk(stores().orders.find(order))).toEqual(moved?.order);
        expect(await claim(order, "late")).toEqual({ granted: false, order: moved?.order });
      }
    });

    it("keeps the prepayment of an order that becomes CLOSE, and grants no claim any more", async () => {
      const order = await insert({ prepayment: aPrepayment() });
      const moved = await expectOk(stores().orders.transition(order, aClosure()));
      expect(moved?.order.prepayment).toEqual(order.prepayment);
      expect(await claim(order, "late", UNTIL + 1)).toEqual({ granted: false, order: moved?.order });
    });
  });

  describe("attachPrepayment", () => {
    it("stores no prepayment that arrives after the payment, also with concurrent calls", async () => {
      const [paid, open] = [await insert(), await insert()];
      const prepayment = aPrepayment();
      const moved = await expectOk(stores().orders.transition(paid, aPayment()));
      const attached = await Promise.all(
        [paid, open].map((order) => expectOk(stores().orders.attachPrepayment(order, prepayment))),
      );
      expect(attached).toEqual([moved?.order, { ...open, prepayment }]);
      expect(await expectOk(stores().orders.attachPrepayment(paid, prepayment))).toEqual(moved?.order);
      expect(await expectOk(stores().orders.find(paid))).toEqual(moved?.order);
    });

    it("stores the prepayment exactly as given and ends the claim", async () => {
      const order = await insert();
      await claim(order, "mine");
      const prepayment = aPrepayment({
        issuedAt: FIXTURE_TIME + 1,
        values: { [UNUSUAL_TEXT]: UNUSUAL_TEXT, prepayId: "" },
      });
      expect(await expectOk(stores().orders.attachPrepayment(order, prepayment))).toEqual({
        ...order,
        prepayment,
      });
      expect(await expectOk(stores().orders.find(order))).toEqual({ ...order, prepayment });
    });

    it("keeps a prepayment that is still valid, and returns it", async () => {
      const order = await insert();
      const first = aPrepayment();
      await expectOk(stores().orders.attachPrepayment(order, first));
      const second = aPrepayment({ issuedAt: UNTIL - 1, validUntil: UNTIL + MINUTE });
      expect((await expectOk(stores().orders.attachPrepayment(order, second)))?.prepayment).toEqual(first);
      expect((await expectOk(stores().orders.find(order)))?.prepayment).toEqual(first);
    });

    it("replaces a prepayment that has expired", async () => {
      const order = await insert({ prepayment: aPrepayment() });
      const second = aPrepayment({ issuedAt: UNTIL + 1, validUntil: UNTIL + MINUTE });
      expect((await expectOk(stores().orders.attachPrepayment(order, second)))?.prepayment).toEqual(second);
    });

    it(`stores the first of ${CONCURRENT_CALLERS} concurrent prepayments, and returns it to all`, async () => {
      const order = await insert();
      const prepayments = Array.from({ length: CONCURRENT_CALLERS }, () => aPrepayment());
      const answers = await race(CONCURRENT_CALLERS, (caller) =>
        stores().orders.attachPrepayment(order, prepayments[caller] ?? aPrepayment()),
      );
      const winner = answers[0]?.prepayment;
      expect(prepayments).toContainEqual(winner);
      expect(answers.map((answer) => answer?.prepayment)).toEqual(answers.map(() => winner));
      expect((await expectOk(stores().orders.find(order)))?.prepayment).toEqual(winner);
    });

    it("returns undefined for an unknown order and for another app's order", async () => {
      const order = await insert();
      expect(
        await expectOk(stores().orders.attachPrepayment({ ...order, appId: "app_2" }, aPrepayment())),
      ).toBeUndefined();
      expect(await expectOk(stores().orders.find(order))).toEqual(order);
    });
  });

  describe("releasePrepayment", () => {
    it("ends the claim, so that the next claim is granted at once", async () => {
      const order = await insert();
      await claim(order, "mine");
      await expectOk(stores().orders.releasePrepayment(order, "mine"));
      expect(await expectOk(stores().orders.find(order))).toEqual(order);
      expect((await claim(order, "theirs"))?.granted).toBe(true);
    });

    it("keeps another claim", async () => {
      const order = await insert();
      const claimed = await claim(order, "theirs");
      await expectOk(stores().orders.releasePrepayment(order, "mine"));
      await expectOk(stores().orders.releasePrepayment({ ...order, appId: "app_2" }, "theirs"));
      expect(await expectOk(stores().orders.find(order))).toEqual(claimed?.order);
    });

    it("does nothing if there is no claim or no order", async () => {
      const order = await insert();
      await expectOk(stores().orders.releasePrepayment(order, "mine"));
      await expectOk(stores().orders.releasePrepayment({ ...order, bizNo: unique("biz-") }, "mine"));
      expect(await expectOk(stores().orders.find(order))).toEqual(order);
    });

    it(`ends no claim that is granted during ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const order = await insert({ prepaymentClaim: { id: "old", until: UNTIL } });
      const granted = await race(CONCURRENT_CALLERS, async (caller) => {
        if (caller % 2 === 0)
          return (await stores().orders.releasePrepayment(order, "old")).map(() => undefined);
        const id = `claim-${caller}`;
        const claimed = await stores().orders.claimPrepayment(order, { id, until: UNTIL }, FIXTURE_TIME);
        return claimed.map((answer) => (answer?.granted === true ? id : undefined));
      });
      const winners = granted.filter((id) => id !== undefined);
      expect(winners.length).toBeLessThanOrEqual(1);
      const after = await expectOk(stores().orders.find(order));
      expect(after?.prepaymentClaim?.id).toBe(winners[0]);
    });
  });
}
