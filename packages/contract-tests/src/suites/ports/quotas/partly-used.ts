import type { QuotaStore } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { aQuotaKey, aQuotaTake } from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";

/** Tests `QuotaStore.take`: concurrent calls of which only some reach the limit. */
export function partlyUsedQuotas(store: () => QuotaStore): void {
  describe("take on a day that is partly used", () => {
    it.each([
      [0, 2],
      [1, 3],
      [2, 3],
      [3, 3],
    ])("with %i units used, grants up to %i to 4 concurrent calls", async (used, limit) => {
      const [key, unit] = [aQuotaKey(), aQuotaTake({ limit })];
      for (let taken = 0; taken < used; taken += 1) await expectOk(store().take(key, unit));
      const grants = await race(4, () => store().take(key, unit));
      expect(grants.filter(({ granted }) => granted)).toHaveLength(limit - used);
      expect(await expectOk(store().take(key, unit))).toEqual({ granted: false, used: limit });
    });

    it("applies the limit of each call if the limits differ", async () => {
      const key = aQuotaKey();
      const limits = [5, 2, 3, 2];
      const grants = await race(limits.length, (nth) =>
        store().take(key, aQuotaTake({ limit: limits[nth] ?? 0 })),
      );
      for (const [nth, { granted, used }] of grants.entries())
        if (granted) expect(used).toBeLessThanOrEqual(limits[nth] ?? 0);
    });
  });
}
