import type { Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { aClosure, anEntry, anOrder, aPayment, DAY } from "../../../support/fixtures.js";
import { expectOk } from "../../../support/open-before-each.js";

/** Tests `OrderStore.transition`: a transition that comes too late changes nothing. */
export function lostRaces(stores: () => Pick<Stores, "orders" | "services">): void {
  describe("transition, when another one was faster", () => {
    it("extends no service, sets no query and appends nothing", async () => {
      const { orders, services } = stores();
      const service = { serviceTypeNo: "T-1", serviceName: "Member", durationMs: 30 * DAY };
      const order = await expectOk(orders.insertOnce(anOrder({ service }), anEntry()));
      const closed = await expectOk(orders.transition(order, aClosure()));
      const late = aPayment({ extendService: { serviceNo: "S-1" }, nextQueryAt: order.expiresAt });
      expect(await expectOk(orders.transition(order, late))).toEqual({ moved: false, order: closed?.order });
      expect(await expectOk(services.list(order.appId, order.customerIdentity))).toEqual([]);
      expect(await expectOk(orders.find(order))).toEqual(closed?.order);
      expect(await expectOk(orders.timeline(order))).toHaveLength(2);
      expect(await expectOk(orders.dueSince(order.expiresAt + DAY, 10))).toEqual({ due: 0 });
    });
  });
}
