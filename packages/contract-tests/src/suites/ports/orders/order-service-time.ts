import type { Order, Stores } from "@tillkit/core";
import type { OrderTransition } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import {
  aClosure,
  anEntry,
  anOrder,
  aPayment,
  FIXTURE_TIME,
  UNUSUAL_TEXT,
  DAY,
  CONCURRENT_CALLERS,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";

/** Tests `OrderStore`: the time that an order adds to a service of its customer. */
export function orderServiceTime(stores: () => Pick<Stores, "orders" | "services">): void {
  const month = { serviceTypeNo: "T-1", serviceName: "Member", durationMs: 30 * DAY };
  const order = (changes: Partial<Order> = {}) =>
    expectOk(stores().orders.insertOnce(anOrder({ service: month, ...changes }), anEntry()));
  const pay = (paid: Order, at: number, changes: Partial<OrderTransition> = {}) =>
    expectOk(
      stores().orders.transition(paid, aPayment({ at, extendService: { serviceNo: "S-1" }, ...changes })),
    );
  const services = (appId = "app_1", customerIdentity = "customer-1") =>
    expectOk(stores().services.list(appId, customerIdentity));

  describe("transition: extending the customer's service", () => {
    it("creates the service with the first order, from the time of the transition", async () => {
      const paid = await order({ service: { ...month, serviceName: UNUSUAL_TEXT } });
      await pay(paid, FIXTURE_TIME + 7, { extendService: { serviceNo: UNUSUAL_TEXT } });
      expect(await services()).toEqual([
        {
          appId: "app_1",
          customerIdentity: "customer-1",
          serviceTypeNo: "T-1",
          serviceNo: UNUSUAL_TEXT,
          serviceName: UNUSUAL_TEXT,
          expireTime: FIXTURE_TIME + 7 + 30 * DAY,
          gmtCreate: FIXTURE_TIME + 7,
        },
      ]);
    });

    it("extends a live service from its end, and keeps its number", async () => {
      await pay(await order(), FIXTURE_TIME);
      await pay(await order(), FIXTURE_TIME + DAY, { extendService: { serviceNo: "S-2" } });
      expect(await services()).toMatchObject([
        { serviceNo: "S-1", expireTime: FIXTURE_TIME + 60 * DAY, gmtCreate: FIXTURE_TIME },
      ]);
    });

    it("restarts an expired service from the time of the transition", async () => {
      await pay(await order(), FIXTURE_TIME);
      await pay(await order(), FIXTURE_TIME + 100 * DAY);
      expect(await services()).toMatchObject([
        { expireTime: FIXTURE_TIME + 130 * DAY, gmtCreate: FIXTURE_TIME },
      ]);
    });

    it("uses the duration at the creation of the order", async () => {
      await pay(await order(), FIXTURE_TIME);
      await pay(await order({ service: { ...month, durationMs: 1 } }), FIXTURE_TIME + 1);
      expect(await services()).toMatchObject([{ expireTime: FIXTURE_TIME + 30 * DAY + 1 }]);
    });

    it("extends with a late payment like with any other payment", async () => {
      const late = await order();
      await expectOk(stores().orders.transition(late, aClosure()));
      await pay(late, FIXTURE_TIME + 2_000, { from: "CLOSE" });
      expect(await services()).toMatchObject([{ expireTime: FIXTURE_TIME + 2_000 + 30 * DAY }]);
    });

    it("extends once per order, even if it becomes PAID twice", async () => {
      const paid = await order();
      await pay(paid, FIXTURE_TIME);
      await expectOk(stores().orders.transition(paid, aClosure({ from: "PAID" })));
      await pay(paid, FIXTURE_TIME + DAY, { from: "CLOSE" });
      expect(await services()).toMatchObject([{ expireTime: FIXTURE_TIME + 30 * DAY }]);
    });

    it("extends nothing if the transition does not request it, or if the order buys no service", async () => {
      await expectOk(stores().orders.transition(await order(), aPayment()));
      await expectOk(stores().orders.transition(await order(), aClosure()));
      const plain = await expectOk(stores().orders.insertOnce(anOrder(), anEntry()));
      await pay(plain, FIXTURE_TIME);
      expect(await services()).toEqual([]);
    });

    it("keeps apps, customers and types separate", async () => {
      await pay(await order(), FIXTURE_TIME);
      await pay(await order({ appId: "app_2" }), FIXTURE_TIME + 1);
      await pay(await order({ customerIdentity: "customer-2" }), FIXTURE_TIME + 2);
      await pay(await order({ service: { ...month, serviceTypeNo: "T-2" } }), FIXTURE_TIME + 3);
      const ends = async (...of: Parameters<typeof services>) =>
        (await services(...of)).map((s) => s.expireTime - 30 * DAY);
      expect(await ends()).toEqual([FIXTURE_TIME, FIXTURE_TIME + 3]);
      expect(await ends("app_2")).toEqual([FIXTURE_TIME + 1]);
      expect(await ends("app_1", "customer-2")).toEqual([FIXTURE_TIME + 2]);
    });

    it(`loses none of ${CONCURRENT_CALLERS} concurrent payments of one customer`, async () => {
      const orders = await race(CONCURRENT_CALLERS, () =>
        stores().orders.insertOnce(anOrder({ service: month }), anEntry()),
      );
      await race(CONCURRENT_CALLERS, (caller) =>
        stores().orders.transition(
          orders[caller] ?? anOrder(),
          aPayment({ at: FIXTURE_TIME, extendService: { serviceNo: `S-${caller}` } }),
        ),
      );
      const [service, ...others] = await services();
      expect(others).toEqual([]);
      expect(service?.expireTime).toBe(FIXTURE_TIME + CONCURRENT_CALLERS * 30 * DAY);
      expect(service?.serviceNo).toMatch(/^S-\d+$/);
    });
  });
}
