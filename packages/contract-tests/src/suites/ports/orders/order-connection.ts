import { type Order, type Stores, timelineHash } from "@tillkit/core";
import { sealEntry } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { anEntry, anOrder, CONCURRENT_CALLERS, FIXTURE_TIME, sha256 } from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";

/** Tests `OrderStore`: an imported order gets a pay tool once. */
export function orderConnection(stores: () => Pick<Stores, "orders">): void {
  const imported = (changes: Partial<Order> = {}) =>
    expectOk(stores().orders.insertOnce(anOrder({ payToolId: "", ...changes }), anEntry()));
  const entry = anEntry({ type: "CONNECTED", at: FIXTURE_TIME + 5 });
  const connect = (order: Order, payToolId: string) =>
    expectOk(stores().orders.connect(order, payToolId, entry));
  const timeline = (order: Order) => expectOk(stores().orders.timeline(order));

  describe("connect", () => {
    it("sets the pay tool and appends the entry to the timeline", async () => {
      const { nextQueryAt: _none, ...order } = await imported({ paymentStatus: "PAID", pmtDt: FIXTURE_TIME });
      const connected = { ...order, payToolId: "tool-1" };
      expect(await connect(order, "tool-1")).toEqual(connected);
      expect(await expectOk(stores().orders.find(order))).toEqual(connected);
      const [first, second] = await timeline(order);
      expect(second).toMatchObject({ ...entry, seq: 2, previousHash: first?.hash });
      const sealed = sealEntry(sha256, entry, () => second?.reasonSalt ?? "");
      expect(second?.hash).toBe(timelineHash(sha256, first?.hash ?? "", sealed));
    });

    it("makes a PENDING order due, and no order in another status", async () => {
      const pending = await imported();
      const closed = await imported({ paymentStatus: "CLOSE" });
      for (const order of [pending, closed]) await connect(order, "tool-1");
      const due = await expectOk(stores().orders.claimDue(FIXTURE_TIME + 5, 10, 1));
      expect(due.map(({ bizNo }) => bizNo)).toEqual([pending.bizNo]);
    });

    it("does not change an order that has a pay tool", async () => {
      const order = await imported({ payToolId: "tool-1" });
      expect(await connect(order, "tool-2")).toEqual(order);
      expect(await timeline(order)).toHaveLength(1);
    });

    it(`lets one of ${CONCURRENT_CALLERS} concurrent calls decide`, async () => {
      const order = await imported();
      const answers = await race(CONCURRENT_CALLERS, (caller) =>
        stores().orders.connect(order, `tool-${caller}`, entry),
      );
      expect(new Set(answers.map((answer) => answer?.payToolId)).size).toBe(1);
      expect(await timeline(order)).toHaveLength(2);
    });

    it("returns undefined for another app's order, and does not change that order", async () => {
      const order = await imported();
      expect(await connect({ ...order, appId: "app_2" }, "tool-1")).toBeUndefined();
      expect(await expectOk(stores().orders.find(order))).toEqual(order);
    });
  });
}
