import type { CustomerService, Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import {
  aConfirmation,
  UNUSUAL_TEXT,
  CONCURRENT_CALLERS,
  DAY,
  FIXTURE_TIME,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";
import { allPages } from "../../../support/stores/all-pages.js";
import { aPaidOrder, aRequestedRefund } from "../../../support/stores/paid-order.js";

/** Returns a service of 30 days that begins at `FIXTURE_TIME`. */
function aService(changes: Partial<CustomerService> = {}): CustomerService {
  return {
    appId: "app_1",
    customerIdentity: "customer-1",
    serviceTypeNo: "T-1",
    serviceNo: "S-old",
    serviceName: "Member",
    expireTime: FIXTURE_TIME + 30 * DAY,
    gmtCreate: FIXTURE_TIME,
    ...changes,
  };
}

/** Tests `ServiceStore`: imported services, and the pages of all services. */
export function serviceImport(stores: () => Pick<Stores, "orders" | "refunds" | "services">): void {
  const insert = async (service: CustomerService) =>
    (await expectOk(stores().services.importOnce(service))).service;
  const list = (appId = "app_1") => expectOk(stores().services.list(appId, "customer-1"));
  const buy = (onDay: number) =>
    aPaidOrder(
      stores(),
      { service: { serviceTypeNo: "T-1", serviceName: "Member", durationMs: 10 * DAY } },
      FIXTURE_TIME + onDay * DAY,
    );

  describe("importOnce", () => {
    it("stores a service exactly as given, once", async () => {
      const service = aService({ serviceName: UNUSUAL_TEXT, serviceNo: UNUSUAL_TEXT });
      expect(await insert(service)).toEqual(service);
      const again = stores().services.importOnce({ ...service, expireTime: FIXTURE_TIME, serviceNo: "S-2" });
      expect(await expectOk(again)).toEqual({ outcome: "exists", service });
      expect(await list()).toEqual([service]);
    });

    it("does not change a service that an order created", async () => {
      await buy(0);
      const [bought] = await list();
      expect(await insert(aService())).toEqual(bought);
      expect(await list()).toEqual([bought]);
    });

    it("keeps the services of apps, customers and types separate", async () => {
      const services = [
        aService(),
        aService({ appId: "app_2", serviceNo: "S-2" }),
        aService({ customerIdentity: "customer-2" }),
        aService({ serviceTypeNo: "T-2" }),
      ];
      for (const service of services) expect(await insert(service)).toEqual(service);
      expect(await list()).toHaveLength(2);
      expect(await list("app_2")).toEqual([services[1]]);
    });

    it("is extended by a later order, and keeps its number", async () => {
      await insert(aService());
      await buy(3);
      expect(await list()).toEqual([aService({ expireTime: FIXTURE_TIME + 40 * DAY })]);
    });

    it("keeps the imported time if a later order is refunded in full", async () => {
      await insert(aService());
      const order = await buy(3);
      const { refundNo } = await aRequestedRefund(stores(), order, { amount: order.amount });
      await expectOk(stores().refunds.confirm(order, refundNo, aConfirmation()));
      expect(await list()).toEqual([aService()]);
    });

    it(`stores one service if ${CONCURRENT_CALLERS} calls run at the same time`, async () => {
      const answers = await race(CONCURRENT_CALLERS, (caller) =>
        stores().services.importOnce(aService({ serviceNo: `S-${caller}` })),
      );
      expect(new Set(answers.map(({ service }) => service.serviceNo)).size).toBe(1);
      expect(answers.filter(({ outcome }) => outcome === "stored")).toHaveLength(1);
      expect(await list()).toEqual([answers[0]?.service]);
    });
  });

  describe("replaceImported", () => {
    const replace = (previous: CustomerService, service: CustomerService) =>
      expectOk(stores().services.replaceImported(previous, service));
    const isUntouched = () => expectOk(stores().services.isUntouchedImport(aService()));
    const corrected = aService({
      serviceNo: "S-new",
      serviceName: UNUSUAL_TEXT,
      expireTime: FIXTURE_TIME + 5 * DAY,
      gmtCreate: FIXTURE_TIME + DAY,
    });

    it("replaces a service, whose new time counts like the imported time", async () => {
      expect(await isUntouched()).toBe(false);
      await insert(aService());
      expect(await isUntouched()).toBe(true);
      expect(await replace(aService(), corrected)).toBe("replaced");
      expect(await list()).toEqual([corrected]);
      expect(await isUntouched()).toBe(true);
      const order = await buy(2);
      expect(await list()).toEqual([{ ...corrected, expireTime: FIXTURE_TIME + 15 * DAY }]);
      const { refundNo } = await aRequestedRefund(stores(), order, { amount: order.amount });
      await expectOk(stores().refunds.confirm(order, refundNo, aConfirmation()));
      expect(await list()).toEqual([corrected]);
    });

    it("replaces no service that changed since it was read, and no service that does not exist", async () => {
      expect(await replace(aService(), corrected)).toBe("changed");
      await insert(aService());
      expect(await replace(aService({ serviceName: "Other" }), corrected)).toBe("changed");
      expect(await list()).toEqual([aService()]);
    });

    it("replaces no service that an order extended or created, also after a refund", async () => {
      await insert(aService());
      const order = await buy(3);
      const [extended = aService()] = await list();
      expect(await isUntouched()).toBe(false);
      expect(await replace(extended, corrected)).toBe("touched");
      const { refundNo } = await aRequestedRefund(stores(), order, { amount: order.amount });
      await expectOk(stores().refunds.confirm(order, refundNo, aConfirmation()));
      expect(await list()).toEqual([aService()]);
      expect(await replace(aService(), corrected)).toBe("touched");
      expect(await list()).toEqual([aService()]);
    });

    it("replaces no service that an order began", async () => {
      await buy(0);
      const [bought = aService()] = await list();
      expect(await isUntouched()).toBe(false);
      expect(await replace(bought, corrected)).toBe("touched");
      expect(await list()).toEqual([bought]);
    });

    it(`lets one of ${CONCURRENT_CALLERS} concurrent corrections win`, async () => {
      await insert(aService());
      const results = await race(CONCURRENT_CALLERS, (caller) =>
        stores().services.replaceImported(aService(), { ...corrected, serviceNo: `S-${caller}` }),
      );
      expect(results.filter((result) => result === "changed")).toHaveLength(CONCURRENT_CALLERS - 1);
      expect(await list()).toEqual([{ ...corrected, serviceNo: `S-${results.indexOf("replaced")}` }]);
    });
  });

  describe("listAll", () => {
    it("returns every service once, page after page, by customer, app and type, byte by byte", async () => {
      const sorted = [
        aService({ customerIdentity: "B" }),
        aService({ customerIdentity: "a", appId: "app_1", serviceTypeNo: "T-2" }),
        aService({ customerIdentity: "a", appId: "app_2", serviceTypeNo: "T-1" }),
        aService({ customerIdentity: "a", appId: "app_2", serviceTypeNo: "t-0" }),
      ];
      for (const service of sorted.toReversed()) await insert(service);
      const pages = (limit: number, appId?: string) =>
        allPages<CustomerService>(limit, (after) =>
          expectOk(stores().services.listAll({ appId, after, limit })),
        );
      for (const limit of [1, 3, 100]) expect(await pages(limit)).toEqual(sorted);
      expect(await pages(1, "app_2")).toEqual(sorted.slice(2));
      expect(await pages(1, "app_none")).toEqual([]);
    });
  });
}
