import { findTimelineBreak, type Order, type Stores } from "@tillkit/core";
import type { OrderTransition } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import {
  aClosure,
  anEntry,
  anOrder,
  aPayment,
  FIXTURE_TIME,
  DAY,
  MINUTE,
  CONCURRENT_CALLERS,
  sha256,
  unique,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";

/** Tests `OrderStore`: the compare-and-set of the status, and the data that changes with it. */
export function orderTransitions(stores: () => Pick<Stores, "orders" | "services">): void {
  const insert = (changes: Partial<Order> = {}) =>
    expectOk(stores().orders.insertOnce(anOrder(changes), anEntry()));
  const move = (order: Order, change: OrderTransition) => expectOk(stores().orders.transition(order, change));
  const find = (order: Order) => expectOk(stores().orders.find(order));
  const timeline = (order: Order) => expectOk(stores().orders.timeline(order));
  const month = { serviceTypeNo: "T-1", serviceName: "Member", durationMs: 30 * DAY };

  describe("transition", () => {
    it("moves an order that is in `from`, stores the facts, and appends the entry", async () => {
      const order = await insert();
      const change = aPayment();
      const paid = {
        ...order,
        paymentStatus: "PAID",
        pmtDt: change.pmtDt,
        walletTradeNo: change.walletTradeNo,
        gmtModified: change.at,
      };
      expect(await move(order, change)).toEqual({ moved: true, order: paid });
      expect(await find(order)).toEqual(paid);
      expect((await timeline(order))[1]).toMatchObject(change.entry);
    });

    it("keeps facts that a later transition omits", async () => {
      const order = await insert();
      const { order: paid } = (await move(order, aPayment())) ?? {};
      const entry = anEntry({ type: "REFUNDED", from: "PAID", to: "REFUND" });
      const after = await move(order, { from: "PAID", to: "REFUND", at: FIXTURE_TIME + MINUTE, entry });
      expect(after?.order).toEqual({ ...paid, paymentStatus: "REFUND", gmtModified: FIXTURE_TIME + MINUTE });
    });

    it("accepts a payment of a closed order", async () => {
      const order = await insert();
      await move(order, aClosure());
      const late = await move(order, aPayment({ from: "CLOSE" }));
      expect(late).toMatchObject({ moved: true, order: { paymentStatus: "PAID" } });
    });

    it("changes nothing if the order is not in `from`, and returns the current order", async () => {
      const order = await insert({ service: month });
      const paid = await move(order, aPayment({ extendService: { serviceNo: "S-1" } }));
      const events = await timeline(order);
      const again = await move(
        order,
        aPayment({ at: FIXTURE_TIME + MINUTE, extendService: { serviceNo: "S-2" } }),
      );
      expect(again).toEqual({ moved: false, order: paid?.order });
      expect(await move(order, aClosure())).toEqual({ moved: false, order: paid?.order });
      expect(await find(order)).toEqual(paid?.order);
      expect(await timeline(order)).toEqual(events);
      const services = await expectOk(stores().services.list("app_1", "customer-1"));
      expect(services.map(({ serviceNo, expireTime }) => ({ serviceNo, expireTime }))).toEqual([
        { serviceNo: "S-1", expireTime: FIXTURE_TIME + 1_000 + 30 * DAY },
      ]);
    });

    it("returns undefined for an unknown order and for another app's order", async () => {
      const order = await insert();
      expect(await move({ ...order, appId: "app_2" }, aPayment())).toBeUndefined();
      expect(await move({ ...order, bizNo: unique("biz-") }, aPayment())).toBeUndefined();
      expect(await find(order)).toEqual(order);
      expect(await timeline(order)).toHaveLength(1);
    });

    it("if two apps have an order with the same bizNo, moves only the order of the app in the key", async () => {
      const bizNo = unique("biz-");
      const [left, right] = [
        await insert({ appId: "app_left", bizNo }),
        await insert({ appId: "app_right", bizNo }),
      ];
      await move(left, aPayment());
      expect(await find(right)).toEqual(right);
      expect(await timeline(right)).toHaveLength(1);
    });

    it("ends the queries of an order that is no longer PENDING", async () => {
      const [paid, closed] = [
        await insert({ nextQueryAt: FIXTURE_TIME }),
        await insert({ nextQueryAt: FIXTURE_TIME }),
      ];
      expect((await move(paid, aPayment()))?.order).not.toHaveProperty("nextQueryAt");
      expect((await move(closed, aClosure()))?.order).not.toHaveProperty("nextQueryAt");
      expect(await expectOk(stores().orders.claimDue(FIXTURE_TIME + DAY, 10, MINUTE))).toEqual([]);
    });

    it("schedules one more query of a closed order whose payload may still be paid", async () => {
      const open = await insert({ nextQueryAt: FIXTURE_TIME });
      expect((await move(open, { ...aClosure(), nextQueryAt: FIXTURE_TIME + 9 }))?.order).toMatchObject({
        nextQueryAt: FIXTURE_TIME + 9,
      });
      const due = await expectOk(stores().orders.claimDue(FIXTURE_TIME + 9, 10, 1));
      expect(due.map(({ id }) => id)).toEqual([open.id]);
    });

    it(`moves, appends and extends once in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const order = await insert({ service: month, nextQueryAt: FIXTURE_TIME });
      const changes = Array.from({ length: CONCURRENT_CALLERS }, (_, caller) =>
        aPayment({ extendService: { serviceNo: `S-${caller}` } }),
      );
      const answers = await race(CONCURRENT_CALLERS, (caller) =>
        stores().orders.transition(order, changes[caller] ?? aPayment()),
      );
      const winners = changes.filter((_, caller) => answers[caller]?.moved);
      expect(winners).toHaveLength(1);
      for (const answer of answers) {
        expect(answer?.order).toMatchObject({
          paymentStatus: "PAID",
          walletTradeNo: winners[0]?.walletTradeNo,
        });
      }
      const events = await timeline(order);
      expect(events.map(({ evidence }) => evidence)).toEqual([undefined, winners[0]?.entry.evidence]);
      const services = await expectOk(stores().services.list("app_1", "customer-1"));
      expect(services.map(({ serviceNo, expireTime }) => ({ serviceNo, expireTime }))).toEqual([
        { serviceNo: winners[0]?.extendService?.serviceNo, expireTime: FIXTURE_TIME + 1_000 + 30 * DAY },
      ]);
    });

    it(`applies one of ${CONCURRENT_CALLERS} concurrent payments and closures`, async () => {
      const order = await insert({ service: month });
      const answers = await race(CONCURRENT_CALLERS, (caller) =>
        stores().orders.transition(
          order,
          caller % 2 === 0 ? aPayment({ extendService: { serviceNo: "S" } }) : aClosure(),
        ),
      );
      expect(answers.filter((answer) => answer?.moved)).toHaveLength(1);
      const after = await find(order);
      for (const answer of answers) expect(answer?.order).toEqual(after);
      const events = await timeline(order);
      expect(events.map(({ to }) => to)).toEqual(["PENDING", after?.paymentStatus]);
      expect(findTimelineBreak(sha256, order.id, events)).toBeUndefined();
      const services = await expectOk(stores().services.list("app_1", "customer-1"));
      expect(services).toHaveLength(after?.paymentStatus === "PAID" ? 1 : 0);
    });
  });
}
