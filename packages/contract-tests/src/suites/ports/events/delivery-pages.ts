import type { DeliveriesQuery, EventDelivery } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { FIXTURE_TIME, MINUTE } from "../../../support/fixtures.js";
import { expectOk } from "../../../support/open-before-each.js";
import { aHandler, claimAll, LATER, type EventStores } from "../../../support/stores/deliveries.js";
import { aPaidOrder } from "../../../support/stores/paid-order.js";

/** Tests `EventDeliveryStore`: pages and counts of deliveries. */
export function deliveryPages(stores: () => EventStores): void {
  const events = () => stores().eventDeliveries;
  const keys = (page: readonly EventDelivery[]) => page.map(({ bizNo, handler }) => [bizNo, handler]);
  const all = async (query: Omit<DeliveriesQuery, "limit">) => {
    const found: EventDelivery[] = [];
    for (;;) {
      const page = await expectOk(events().list({ ...query, after: found.at(-1), limit: 2 }));
      found.push(...page);
      if (page.length < 2) return found;
    }
  };

  describe("list", () => {
    it("returns waiting and parked deliveries in pages, sorted by their keys", async () => {
      const [b, a] = [await aHandler(stores()), await aHandler(stores())];
      for (const bizNo of ["o-2", "o-1", "O-3"]) await aPaidOrder(stores(), { bizNo });
      const [done, parked, claimed] = await claimAll(stores(), a);
      if (done === undefined || parked === undefined || claimed === undefined)
        throw new Error("Three payments were not due.");
      await expectOk(events().advance(done, { seq: 3, index: 0 }, LATER));
      await expectOk(events().fail(parked, { parkedAt: LATER }));
      const ofA = [parked, claimed].map(({ bizNo }) => [bizNo, a]);
      const ofB = ["O-3", "o-1", "o-2"].map((bizNo) => [bizNo, b]);
      const byKey = ([left = ""]: string[], [right = ""]: string[]) => (left < right ? -1 : 1);
      expect(keys(await all({ state: "waiting", handler: a }))).toEqual(ofA.toSorted(byKey));
      expect(keys(await all({ state: "waiting", handler: b }))).toEqual(ofB);
      const both = [...ofA, ...ofB].map((key) => key.join(" ")).toSorted();
      const listed = keys(await all({ state: "waiting" })).map((key) => key.join(" "));
      expect(listed.map((key) => key.split(" ")[0])).toEqual(both.map((key) => key.split(" ")[0]));
      expect(listed.toSorted()).toEqual(both);
      expect(await all({ state: "parked" })).toMatchObject([{ bizNo: parked.bizNo, parkedAt: LATER }]);
      expect(await all({ state: "parked", handler: b })).toEqual([]);
    });
  });

  describe("dueSince and parkedSince", () => {
    it("count the deliveries of all handlers up to a limit, with the oldest time", async () => {
      expect(await expectOk(events().dueSince(LATER, 10))).toEqual({ due: 0 });
      expect(await expectOk(events().parkedSince(10))).toEqual({ due: 0 });
      const [left] = [await aHandler(stores()), await aHandler(stores())];
      await aPaidOrder(stores());
      await aPaidOrder(stores());
      expect(await expectOk(events().dueSince(FIXTURE_TIME - 1, 10))).toEqual({ due: 0 });
      expect(await expectOk(events().dueSince(LATER, 10))).toEqual({ due: 4, oldestDueAt: FIXTURE_TIME });
      expect(await expectOk(events().dueSince(LATER, 3))).toMatchObject({ due: 3 });
      const claimed = await claimAll(stores(), left, { lease: MINUTE });
      expect(await expectOk(events().dueSince(LATER, 10))).toMatchObject({ due: 2 });
      for (const [index, one] of claimed.entries())
        await expectOk(events().fail(one, { parkedAt: LATER + index }));
      expect(await expectOk(events().parkedSince(10))).toEqual({ due: 2, oldestDueAt: LATER });
      expect(await expectOk(events().parkedSince(1))).toMatchObject({ due: 1 });
      expect(await expectOk(events().dueSince(LATER + 60 * MINUTE, 10))).toMatchObject({ due: 2 });
    });
  });
}
