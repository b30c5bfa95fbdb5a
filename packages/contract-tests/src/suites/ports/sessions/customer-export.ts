import type { CustomerRecord, SessionStore } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { aKeyedHash, CONCURRENT_CALLERS, FIXTURE_TIME } from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";
import { allPages } from "../../../support/stores/all-pages.js";

/** Tests `SessionStore`: finding a customer without storing one, and the pages of all customers. */
export function customerExport(store: () => SessionStore): void {
  const identify = (appId: string, hashes: readonly [string, ...string[]], candidate: string, now = 1) =>
    expectOk(store().identify(appId, hashes, candidate, now));
  const pages = (limit: number, appId?: string) =>
    allPages<CustomerRecord>(limit, (after) => expectOk(store().listCustomers({ appId, after, limit })));

  describe("findPhones", () => {
    it("finds a customer by each hash, and stores nothing", async () => {
      const [current, older, other] = [aKeyedHash(), aKeyedHash(), aKeyedHash()];
      await identify("app_1", [older], "customer-a");
      const found = { appId: "app_1", phoneHash: older, customerId: "customer-a", gmtCreate: 1 };
      expect(await expectOk(store().findPhones("app_1", [current, older]))).toEqual([found]);
      expect(await expectOk(store().findPhones("app_1", [current]))).toEqual([]);
      expect(await expectOk(store().findPhones("app_1", [other]))).toEqual([]);
      expect(await pages(10)).toHaveLength(1);
    });

    it("returns the customers in the order of the hashes, and none of another app", async () => {
      const [left, right] = [aKeyedHash(), aKeyedHash()];
      await identify("app_1", [left], "customer-a");
      await identify("app_1", [right], "customer-b");
      const found = await expectOk(store().findPhones("app_1", [right, left]));
      expect(found.map(({ customerId }) => customerId)).toEqual(["customer-b", "customer-a"]);
      expect(await expectOk(store().findPhones("app_2", [left, right]))).toEqual([]);
    });
  });

  describe("importCustomer", () => {
    const take = (hashes: readonly [string, ...string[]], customerId: string) =>
      store().importCustomer("app_1", hashes, customerId, FIXTURE_TIME);

    it("stores a customer once, under each hash", async () => {
      const [current, older] = [aKeyedHash(), aKeyedHash()];
      expect(await expectOk(take([current, older], "customer-a"))).toEqual({
        outcome: "stored",
        customerId: "customer-a",
      });
      for (const hashes of [[current], [older], [older, aKeyedHash()]] as const)
        expect(await expectOk(take(hashes, "customer-b"))).toEqual({
          outcome: "exists",
          customerId: "customer-a",
        });
      expect(await expectOk(take([current], "customer-a"))).toMatchObject({ outcome: "exists" });
      expect(await pages(10)).toHaveLength(3);
    });

    it(`stores one customer if ${CONCURRENT_CALLERS} calls import one hash at the same time`, async () => {
      const hash = aKeyedHash();
      const results = await race(CONCURRENT_CALLERS, (caller) => take([hash], `customer-${caller % 2}`));
      expect(results.filter(({ outcome }) => outcome === "stored")).toHaveLength(1);
      expect(new Set(results.map(({ customerId }) => customerId)).size).toBe(1);
      expect(await identify("app_1", [hash], "customer-c")).toBe(results[0]?.customerId);
    });
  });

  describe("listCustomers", () => {
    it("returns every hash once, page after page, by hash and then by app, byte by byte", async () => {
      const [first, second] = [aKeyedHash(), aKeyedHash()].toSorted();
      if (first === undefined || second === undefined) throw new Error("Two hashes are needed.");
      const sorted = [
        { appId: "app_1", phoneHash: first, customerId: "customer-a", gmtCreate: FIXTURE_TIME },
        { appId: "app_2", phoneHash: first, customerId: "customer-b", gmtCreate: 2 },
        { appId: "app_1", phoneHash: second, customerId: "customer-a", gmtCreate: FIXTURE_TIME },
      ];
      await identify("app_2", [first], "customer-b", 2);
      await identify("app_1", [second, first], "customer-a", FIXTURE_TIME);
      for (const limit of [1, 2, 100]) expect(await pages(limit)).toEqual(sorted);
      expect(await pages(1, "app_1")).toEqual([sorted[0], sorted[2]]);
      expect(await pages(1, "app_none")).toEqual([]);
    });

    it(`keeps the time of the first of ${CONCURRENT_CALLERS} concurrent calls with one hash`, async () => {
      const hash = aKeyedHash();
      await race(CONCURRENT_CALLERS, (caller) =>
        store().identify("app_1", [hash], `customer-${caller}`, caller),
      );
      const [customer, ...more] = await pages(10);
      expect(more).toEqual([]);
      expect(customer?.customerId).toBe(`customer-${customer?.gmtCreate}`);
    });
  });
}
