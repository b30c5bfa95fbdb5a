import type { Order, Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { FIXTURE_TIME, UNUSUAL_TEXT, DAY } from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach } from "../../../support/open-before-each.js";
import { serviceImport } from "./service-import.js";
import { aPaidOrder } from "../../../support/stores/paid-order.js";

/**
 * Tests every requirement of `ServiceStore`. Orders extend the same services, and refunds shorten
 * them.
 *
 * `open` returns empty stores for each test.
 */
export function serviceStoreContract(
  adapter: string,
  open: () => Promise<Opened<Pick<Stores, "orders" | "refunds" | "services">>>,
): void {
  describe(`ServiceStore contract: ${adapter}`, () => {
    const stores = openBeforeEach(open);
    const buy = (serviceTypeNo: string, at: number, changes: Partial<Order> = {}) =>
      aPaidOrder(
        stores(),
        { service: { serviceTypeNo, serviceName: "Member", durationMs: DAY }, ...changes },
        at,
      );
    const numbers = async (appId = "app_1", customerIdentity = "customer-1") => {
      const services = await expectOk(stores().services.list(appId, customerIdentity));
      return services.map(({ serviceTypeNo }) => serviceTypeNo);
    };

    it("lists nothing for a customer without services", async () => {
      expect(await expectOk(stores().services.list("app_1", "customer-1"))).toEqual([]);
    });

    it("lists services oldest first, then by serviceTypeNo", async () => {
      for (const [serviceTypeNo, at] of [
        ["T-a", FIXTURE_TIME + 2],
        ["T-d", FIXTURE_TIME + 1],
        ["T-c", FIXTURE_TIME + 1],
        ["T-b", FIXTURE_TIME],
      ] as const) {
        await buy(serviceTypeNo, at);
      }
      expect(await numbers()).toEqual(["T-b", "T-c", "T-d", "T-a"]);
    });

    it("keeps a service in its place when it is extended", async () => {
      await buy("T-b", FIXTURE_TIME);
      await buy("T-a", FIXTURE_TIME + 1);
      await buy("T-b", FIXTURE_TIME + 2);
      expect(await numbers()).toEqual(["T-b", "T-a"]);
    });

    it("lists services that expired long ago", async () => {
      await buy("T-a", FIXTURE_TIME - 10_000 * DAY);
      expect(await expectOk(stores().services.list("app_1", "customer-1"))).toMatchObject([
        { expireTime: FIXTURE_TIME - 9_999 * DAY },
      ]);
    });

    it("never returns services of another app or customer", async () => {
      await buy("T-a", FIXTURE_TIME);
      await buy("T-b", FIXTURE_TIME, { appId: "app_2" });
      await buy("T-c", FIXTURE_TIME, { customerIdentity: UNUSUAL_TEXT });
      expect(await numbers()).toEqual(["T-a"]);
      expect(await numbers("app_2")).toEqual(["T-b"]);
      expect(await numbers("app_1", UNUSUAL_TEXT)).toEqual(["T-c"]);
      expect(await numbers("app_1", "Customer-1")).toEqual([]);
      expect(await numbers("app_3")).toEqual([]);
    });

    serviceImport(stores);
  });
}
