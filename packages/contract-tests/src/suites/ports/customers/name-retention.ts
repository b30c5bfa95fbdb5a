import type { Order, Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { anEntry, anOrder, CONCURRENT_CALLERS, FIXTURE_TIME } from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";

/** Tests `CustomerDataStore`: the end of the retention of names. */
export function nameRetention(stores: () => Pick<Stores, "customerData" | "orders">): void {
  const insert = (age: number, changes: Partial<Order> = {}) => {
    const order = anOrder({ gmtCreate: FIXTURE_TIME + age, customerName: "Li Lei", ...changes });
    return expectOk(stores().orders.insertOnce(order, anEntry()));
  };
  const forget = (before: number, limit: number) =>
    expectOk(stores().customerData.forgetNames(before, limit));
  const isNamed = async (order: Order) =>
    (await expectOk(stores().orders.find(order)))?.customerName !== undefined;

  describe("forgetNames", () => {
    it("removes the names of the oldest orders first, and nothing else", async () => {
      const [second, first, third] = [
        await insert(2),
        await insert(1, { attachData: "p1" }),
        await insert(3),
      ];
      expect(await forget(FIXTURE_TIME + 3, 1)).toBe(1);
      const { customerName: _gone, ...left } = first;
      expect(await expectOk(stores().orders.find(first))).toEqual(left);
      expect(await expectOk(stores().orders.timeline(first))).toHaveLength(1);
      expect(await isNamed(second)).toBe(true);
      expect(await forget(FIXTURE_TIME + 3, 5)).toBe(1);
      expect([await isNamed(second), await isNamed(third)]).toEqual([false, true]);
      expect(await forget(FIXTURE_TIME + 3, 5)).toBe(0);
    });

    it(`counts each name once in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const orders = await Promise.all(Array.from({ length: CONCURRENT_CALLERS }, (_, age) => insert(age)));
      const counts = await race(CONCURRENT_CALLERS, () =>
        stores().customerData.forgetNames(FIXTURE_TIME + CONCURRENT_CALLERS, CONCURRENT_CALLERS),
      );
      const rest = await forget(FIXTURE_TIME + CONCURRENT_CALLERS, CONCURRENT_CALLERS);
      expect(counts.reduce((sum, count) => sum + count, rest)).toBe(CONCURRENT_CALLERS);
      expect((await Promise.all(orders.map(isNamed))).filter(Boolean)).toEqual([]);
    });
  });
}
