import type { Order, OrderTransition, Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import {
  aClosure,
  anEntry,
  anOrder,
  aPayment,
  AT,
  AWKWARD,
  DAY,
  CONCURRENT_CALLERS,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/opening.js";

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
    it("makes the service with the first order, from the moment of the move", async () => {
      const paid = await order({ service: { ...month, serviceName: AWKWARD } });
      await pay(paid, AT + 7, { extendService: { serviceNo: AWKWARD } });
      expect(await services()).toEqual([
        {
          appId: "app_1",
          customerIdentity: "customer-1",
          serviceTypeNo: "T-1",
          serviceNo: AWKWARD,
          serviceName: AWKWARD,
          expireTime: AT + 7 + 30 * DAY,
          gmtCreate: AT + 7,
        },
      ]);
    });

    it("adds to the end of a service that is running, and keeps its number", async () => {
      await pay(await order(), AT);
      await pay(await order(), AT + DAY, { extendService: { serviceNo: "S-2" } });
      expect(await services()).toMatchObject([
        { serviceNo: "S-1", expireTime: AT + 60 * DAY, gmtCreate: AT },
      ]);
    });

    it("starts an expired service again from the moment of the move", async () => {
      await pay(await order(), AT);
      await pay(await order(), AT + 100 * DAY);
      expect(await services()).toMatchObject([{ expireTime: AT + 130 * DAY, gmtCreate: AT }]);
    });

    it("uses the duration the order was made with", async () => {
      await pay(await order(), AT);
      await pay(await order({ service: { ...month, durationMs: 1 } }), AT + 1);
      expect(await services()).toMatchObject([{ expireTime: AT + 30 * DAY + 1 }]);
    });

    it("extends with a late payment as with any other", async () => {
      const late = await order();
      await expectOk(stores().orders.transition(late, aClosure()));
      await pay(late, AT + 2_000, { from: "CLOSE" });
      expect(await services()).toMatchObject([{ expireTime: AT + 2_000 + 30 * DAY }]);
    });

    it("extends once per order, though it becomes PAID twice", async () => {
      const paid = await order();
      await pay(paid, AT);
      await expectOk(stores().orders.transition(paid, aClosure({ from: "PAID" })));
      await pay(paid, AT + DAY, { from: "CLOSE" });
      expect(await services()).toMatchObject([{ expireTime: AT + 30 * DAY }]);
    });

    it("extends nothing when the move does not say so, or the order buys no service", async () => {
      await expectOk(stores().orders.transition(await order(), aPayment()));
      await expectOk(stores().orders.transition(await order(), aClosure()));
      const plain = await expectOk(stores().orders.insertOnce(anOrder(), anEntry()));
      await pay(plain, AT);
      expect(await services()).toEqual([]);
    });

    it("keeps apps, customers and types apart", async () => {
      await pay(await order(), AT);
      await pay(await order({ appId: "app_2" }), AT + 1);
      await pay(await order({ customerIdentity: "customer-2" }), AT + 2);
      await pay(await order({ service: { ...month, serviceTypeNo: "T-2" } }), AT + 3);
      const ends = async (...of: Parameters<typeof services>) =>
        (await services(...of)).map((s) => s.expireTime - 30 * DAY);
      expect(await ends()).toEqual([AT, AT + 3]);
      expect(await ends("app_2")).toEqual([AT + 1]);
      expect(await ends("app_1", "customer-2")).toEqual([AT + 2]);
    });

    it(`loses none of ${CONCURRENT_CALLERS} orders of one customer that are paid at once`, async () => {
      const orders = await race(CONCURRENT_CALLERS, () =>
        stores().orders.insertOnce(anOrder({ service: month }), anEntry()),
      );
      await race(CONCURRENT_CALLERS, (caller) =>
        stores().orders.transition(
          orders[caller] ?? anOrder(),
          aPayment({ at: AT, extendService: { serviceNo: `S-${caller}` } }),
        ),
      );
      const [service, ...others] = await services();
      expect(others).toEqual([]);
      expect(service?.expireTime).toBe(AT + CONCURRENT_CALLERS * 30 * DAY);
      expect(service?.serviceNo).toMatch(/^S-\d+$/);
    });
  });
}
