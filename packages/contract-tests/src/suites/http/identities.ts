import { createServiceType } from "@tillkit/core";
import { setAppRules } from "@tillkit/core/operators";
import { describe, expect, it } from "vitest";
import { anEntry, anOrder, DAY, NO_CHECK } from "../../support/fixtures.js";
import { expectOk } from "../../support/open-before-each.js";
import type { Caller } from "../../support/http/caller.js";
import { listAt, textAt } from "../../support/http/json.js";
import { aPurchase, created, detail, paid } from "../../support/http/purchases.js";
import type { StartService } from "../../support/http/service.js";

/** Identities that become equal if they are decoded once too often, or not at all. */
const IDENTITIES = [
  "a",
  "b",
  "a&b",
  "a%26b",
  "a%2526b",
  "a&customerIdentity=b",
  "customerIdentity=b",
  "a=b",
  "a+b",
  "a b",
  "a%20b",
  "a%2Bb",
  "a;b",
  "a/b",
  "a%2Fb",
  "a?b",
  "a#b",
  "a.json",
  "%",
  "a%zz",
];

/** Identities that new orders must not have. */
const FORBIDDEN = ["13800138000", "Kim <kim@example.com>", "2088123456789012", "11010519491231002X"];

/** Characters that a path may contain without encoding. */
const LITERAL = /^[\w&=+;.]+$/;

/** Tests that every customer reads only their own data, whatever characters the identity has. */
export function identitiesContract(start: StartService): void {
  const numbersAt = async (caller: Caller, segment: string) => {
    const answer = await caller.get(`/customerServiceMgmt/${segment}.json`);
    expect(answer.code).toBe(0);
    return listAt(answer.data, "customerServiceList").map((one) => textAt(one, "serviceNo"));
  };

  describe("customers whose identities contain URL characters", () => {
    it("read only their own orders and services", async () => {
      const service = await start();
      const { demo, serviceTypeNo } = service;
      const orders = [];
      for (const [index, customerIdentity] of IDENTITIES.entries()) {
        const purchase = aPurchase({ customerIdentity, serviceTypeNo, serviceNo: `no-${index}` });
        const order = await created(service, demo, purchase);
        await paid(service, order);
        orders.push(order);
      }
      for (const [index, { bizNo, customerIdentity }] of orders.entries()) {
        const own = [`no-${index}`];
        expect(await numbersAt(demo, encodeURIComponent(customerIdentity)), customerIdentity).toEqual(own);
        if (LITERAL.test(customerIdentity)) expect(await numbersAt(demo, customerIdentity)).toEqual(own);
        const history = await demo.get("/history.json", { customerIdentity });
        const listed = listAt(history.data, "payOrderList").map((one) => textAt(one, "bizNo"));
        expect(listed, customerIdentity).toEqual([bizNo]);
        for (const other of orders) {
          const { code } = await detail(demo, { bizNo: other.bizNo, customerIdentity });
          expect(code, `${customerIdentity} asks for ${other.customerIdentity}`).toBe(
            other.bizNo === bizNo ? 0 : 50001,
          );
        }
      }
    });
  });

  describe("customers whose identity the app no longer accepts", () => {
    it("keep their orders and services", async () => {
      const service = await start();
      const caller = await service.enroll({ identityChecks: NO_CHECK });
      const type = { serviceTypeNo: "monthly", serviceName: "Member", durationMs: 30 * DAY };
      await expectOk(createServiceType(service.ports, caller.appId, type));
      const bought = [];
      for (const [index, customerIdentity] of FORBIDDEN.entries()) {
        const serviceOf = { serviceTypeNo: type.serviceTypeNo, serviceNo: `no-${index}` };
        const order = await created(service, caller, aPurchase({ customerIdentity, ...serviceOf }));
        await paid(service, order);
        bought.push(order);
      }
      const checks = {
        email: true,
        phone: true,
        card: true,
        identityCard: true,
        walletAccount: true,
        bizNo: true,
      };
      await expectOk(setAppRules(service.ports, caller.appId, { identityChecks: checks }));
      for (const [index, { bizNo, customerIdentity }] of bought.entries()) {
        await expect
          .poll(async () => (await caller.post("/order.json", aPurchase({ customerIdentity }))).code)
          .toBe(10008);
        expect(await numbersAt(caller, encodeURIComponent(customerIdentity))).toEqual([`no-${index}`]);
        const history = await caller.get("/history.json", { customerIdentity });
        expect(listAt(history.data, "payOrderList")).toHaveLength(1);
        expect((await detail(caller, { bizNo, customerIdentity })).code).toBe(0);
      }
    });
  });

  describe("customers and orders of a time when longer texts were allowed", () => {
    it("can still be read", async () => {
      const { demo, host } = await start();
      const [customerIdentity, bizNo] = ["c".repeat(255), "b".repeat(96)];
      const order = anOrder({ appId: demo.appId, bizNo, customerIdentity });
      await expectOk(host.orders.insertOnce(order, anEntry()));
      expect((await demo.post("/order.json", aPurchase({ customerIdentity }))).code).toBe(10003);
      expect((await demo.post("/order.json", aPurchase({ bizNo }))).code).toBe(10003);
      expect((await detail(demo, { bizNo, customerIdentity })).code).toBe(0);
      const history = await demo.get("/history.json", { customerIdentity });
      expect(listAt(history.data, "payOrderList")).toHaveLength(1);
      expect(await numbersAt(demo, customerIdentity)).toEqual([]);
      expect((await demo.get("/history.json", { customerIdentity: `${customerIdentity}c` })).code).toBe(
        10003,
      );
    });
  });
}
