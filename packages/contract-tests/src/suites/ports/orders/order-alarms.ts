import type { Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { aHash, anAlarm, anEntry, anOrder, unique } from "../../../support/fixtures.js";
import { expectOk } from "../../../support/open-before-each.js";

/** Tests `OrderStore.record`: which timeline it searches for an equal type and evidence. */
export function orderAlarms(stores: () => Pick<Stores, "orders">): void {
  describe("record, for orders of the same bizNo", () => {
    it("records an alarm for each app, although type and evidence are equal", async () => {
      const bizNo = unique("biz-");
      const entry = anAlarm({ evidence: aHash() });
      for (const appId of ["app_left", "app_right"]) {
        const order = await expectOk(stores().orders.insertOnce(anOrder({ appId, bizNo }), anEntry()));
        expect(await expectOk(stores().orders.record(order, entry))).toBe(true);
        expect(await expectOk(stores().orders.record(order, entry))).toBe(false);
        expect(await expectOk(stores().orders.timeline(order))).toMatchObject([{ seq: 1 }, entry]);
      }
    });
  });
}
