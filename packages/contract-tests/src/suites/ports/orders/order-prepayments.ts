import type { Order, Prepayment, Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import {
  anEntry,
  anOrder,
  FIXTURE_TIME,
  AWKWARD_TEXT,
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
    it("is granted when the order has neither prepayment nor claim", async () => {
      const order = await insert();
      const claimed = await claim(order, "mine");
      expect(claimed).toEqual({
        granted: true,
        order: { ...order, prepaymentClaim: { id: "mine", until: UNTIL } },
      });
      expect(await expectOk(stores().orders.find(order))).toEqual(claimed?.order);
    });

    it("is refused while another claim is live, and returns that claim", async () => {
      const order = await insert({ prepaymentClaim: { id: "theirs", until: UNTIL } });
      expect(await claim(order, "mine", UNTIL - 1)).toEqual({ granted: false, order });
    });

    it("is granted again to the claim that holds it", async () => {
      const order = await insert({ prepaymentClaim: { id: "mine", until: FIXTURE_TIME + 1 } });
      const claimed = await claim(order, "mine");
      expect(claimed?.granted).toBe(true);
      expect(claimed?.order.prepaymentClaim).toEqual({ id: "mine", until: UNTIL });
    });

    it("is granted once the claim before has run out", async () => {
      const order = await insert({ prepaymentClaim: { id: "theirs", until: FIXTURE_TIME } });
      const claimed = await claim(order, "mine", FIXTURE_TIME + 1);
      expect(claimed).toEqual({
        granted: true,
        order: { ...order, prepaymentClaim: { id: "mine", until: UNTIL } },
      });
    });

    it("is refused while the order has a prepayment that is valid, and shows it", async () => {
      const order = await insert({ prepayment: aPrepayment() });
      expect(await claim(order, "mine", UNTIL - 1)).toEqual({ granted: false, order });
    });

    it("is granted when the prepayment has run out", async () => {
      const order = await insert({ prepayment: aPrepayment() });
      expect((await claim(order, "mine", UNTIL + 1))?.granted).toBe(true);
    });

    it(`is granted to one of ${CONCURRENT_CALLERS} concurrent calls, and all see that one's claim`, async () => {
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

    it(`is granted to one of ${CONCURRENT_CALLERS} concurrent calls that meet a claim which has run out`, async () => {
      const order = await insert({ prepaymentClaim: { id: "dead", until: FIXTURE_TIME - 1 } });
      const answers = await race(CONCURRENT_CALLERS, (caller) =>
        stores().orders.claimPrepayment(order, { id: `racer-${caller}`, until: UNTIL }, FIXTURE_TIME),
      );
      expect(answers.filter((answer) => answer?.granted)).toHaveLength(1);
    });

    it("answers nothing where there is no order, nor for another app's", async () => {
      const order = await insert();
      expect(await claim({ ...order, appId: "app_2" }, "mine")).toBeUndefined();
      expect(await claim({ ...order, bizNo: unique("biz-") }, "mine")).toBeUndefined();
      expect(await expectOk(stores().orders.find(order))).toEqual(order);
    });
  });

  describe("attachPrepayment", () => {
    it("keeps the prepayment exactly as given and ends the claim", async () => {
      const order = await insert();
      await claim(order, "mine");
      const prepayment = aPrepayment({
        issuedAt: FIXTURE_TIME + 1,
        values: { [AWKWARD_TEXT]: AWKWARD_TEXT, prepayId: "" },
      });
      expect(await expectOk(stores().orders.attachPrepayment(order, prepayment))).toEqual({
        ...order,
        prepayment,
      });
      expect(await expectOk(stores().orders.find(order))).toEqual({ ...order, prepayment });
    });

    it("leaves a prepayment that is still valid, and returns it", async () => {
      const order = await insert();
      const first = aPrepayment();
      await expectOk(stores().orders.attachPrepayment(order, first));
      const second = aPrepayment({ issuedAt: UNTIL - 1, validUntil: UNTIL + MINUTE });
      expect((await expectOk(stores().orders.attachPrepayment(order, second)))?.prepayment).toEqual(first);
      expect((await expectOk(stores().orders.find(order)))?.prepayment).toEqual(first);
    });

    it("replaces a prepayment that has run out", async () => {
      const order = await insert({ prepayment: aPrepayment() });
      const second = aPrepayment({ issuedAt: UNTIL + 1, validUntil: UNTIL + MINUTE });
      expect((await expectOk(stores().orders.attachPrepayment(order, second)))?.prepayment).toEqual(second);
    });

    it(`lets the first of ${CONCURRENT_CALLERS} concurrent writers win, and gives everyone the winner's`, async () => {
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

    it("answers nothing where there is no order, nor for another app's", async () => {
      const order = await insert();
      expect(
        await expectOk(stores().orders.attachPrepayment({ ...order, appId: "app_2" }, aPrepayment())),
      ).toBeUndefined();
      expect(await expectOk(stores().orders.find(order))).toEqual(order);
    });
  });

  describe("releasePrepayment", () => {
    it("ends the claim, so that the next is granted at once", async () => {
      const order = await insert();
      await claim(order, "mine");
      await expectOk(stores().orders.releasePrepayment(order, "mine"));
      expect(await expectOk(stores().orders.find(order))).toEqual(order);
      expect((await claim(order, "theirs"))?.granted).toBe(true);
    });

    it("leaves another claim", async () => {
      const order = await insert();
      const claimed = await claim(order, "theirs");
      await expectOk(stores().orders.releasePrepayment(order, "mine"));
      await expectOk(stores().orders.releasePrepayment({ ...order, appId: "app_2" }, "theirs"));
      expect(await expectOk(stores().orders.find(order))).toEqual(claimed?.order);
    });

    it("does nothing where there is no claim or no order", async () => {
      const order = await insert();
      await expectOk(stores().orders.releasePrepayment(order, "mine"));
      await expectOk(stores().orders.releasePrepayment({ ...order, bizNo: unique("biz-") }, "mine"));
      expect(await expectOk(stores().orders.find(order))).toEqual(order);
    });

    it(`ends no claim that is granted among ${CONCURRENT_CALLERS} concurrent calls`, async () => {
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
