import { describe, expect, it } from "vitest";
import { NO_CHECK } from "../../support/fixtures.js";
import { aPurchase, created, detail, storedOrder } from "../../support/http/purchases.js";
import type { StartService } from "../../support/http/service.js";

/** Optional texts of POST /order.json that count as absent if they are empty. */
const OPTIONAL = ["sourceFrom", "paySource", "serviceTypeNo", "serviceNo", "customerName"] as const;
const EMPTY = Object.fromEntries(OPTIONAL.map((field) => [field, ""]));

/** Texts that are personal data and not names. */
const PERSONAL = [
  "13800138000",
  "+86 138 0013 8000",
  "138\u200b0013\u200b8000",
  "+14155550132",
  "han.li@example.com",
  "han.li\u200b@example.com",
  "Ann 13800138000",
  "Ann <ann@example.com>",
  "\u3000",
] as const;

/** Tests the texts that a caller may leave out or leave empty, and those that are not stored. */
export function optionalTextsContract(start: StartService): void {
  describe("an empty text", () => {
    it.each(OPTIONAL)("as %s creates the same order as an absent value", async (field) => {
      const service = await start();
      const { demo } = service;
      const purchase = aPurchase();
      const first = await demo.post("/order.json", { ...purchase, [field]: "" });
      expect(first.json).toMatchObject({ code: 0, msg: "success" });
      const order = await storedOrder(service, demo, purchase.bizNo);
      expect(order.paySource).toBe("APP");
      for (const absent of ["sourceFrom", "service", "serviceNo", "customerName"])
        expect(order).not.toHaveProperty(absent);
      expect((await detail(demo, order)).data).not.toHaveProperty("sourceFrom");
      for (const body of [purchase, { ...purchase, [field]: null }]) {
        const again = await demo.post("/order.json", body);
        expect([again.code, again.data]).toEqual([0, first.data]);
      }
    });

    it("in every optional field repeats an order that was created without them", async () => {
      const service = await start();
      const purchase = aPurchase();
      const order = await created(service, service.demo, purchase);
      expect((await service.demo.post("/order.json", { ...purchase, ...EMPTY })).code).toBe(0);
      expect(await storedOrder(service, service.demo, purchase.bizNo)).toEqual(order);
    });

    it.each([
      ["sourceFrom", "store_03"],
      ["paySource", "NATIVE"],
      ["serviceNo", "vip-1"],
    ])("as %s differs from the value %j that was sent before", async (field, value) => {
      const { demo } = await start();
      const purchase = aPurchase({ [field]: value });
      expect((await demo.post("/order.json", purchase)).code).toBe(0);
      const answer = await demo.post("/order.json", { ...purchase, [field]: "" });
      expect(answer).toMatchObject({
        code: 50002,
        msg: `bizNo is already used by an order with a different ${field}`,
      });
    });

    it("as serviceTypeNo differs from the type that was sent before", async () => {
      const { demo, serviceTypeNo } = await start();
      const purchase = aPurchase({ serviceTypeNo });
      expect((await demo.post("/order.json", purchase)).code).toBe(0);
      expect((await demo.post("/order.json", { ...purchase, serviceTypeNo: "" })).code).toBe(50002);
    });

    it.each([
      ["amount", 10004],
      ["bizNo", 10002],
      ["goodsTitle", 10002],
      ["payChannel", 10005],
    ])("as %s is rejected with %i", async (field, code) => {
      const { demo } = await start();
      expect((await demo.post("/order.json", aPurchase({ [field]: "" }))).code).toBe(code);
    });

    it.each([" ", "\u200b"])("differs from the text %j", async (text) => {
      const { demo } = await start();
      expect((await demo.post("/order.json", aPurchase({ sourceFrom: text }))).code).toBe(10009);
      expect((await demo.post("/order.json", aPurchase({ paySource: text }))).code).toBe(10006);
    });
  });

  describe("a customerName", () => {
    it.each(PERSONAL)("%j is not stored, and the order is accepted and can be repeated", async (name) => {
      const service = await start();
      const { demo } = service;
      const purchase = aPurchase({ customerName: name });
      const first = await demo.post("/order.json", purchase);
      expect(first.json).toMatchObject({ code: 0, msg: "success" });
      const order = await storedOrder(service, demo, purchase.bizNo);
      expect(order).not.toHaveProperty("customerName");
      for (const customerName of [name, undefined, "", "Li Lei", PERSONAL[0]]) {
        const again = await demo.post("/order.json", { ...purchase, customerName });
        expect([again.code, again.data]).toEqual([0, first.data]);
      }
      expect(await storedOrder(service, demo, purchase.bizNo)).toEqual(order);
    });

    it.each(["Li Lei", "李雷 138", "10000000001"])("%j is stored", async (customerName) => {
      const service = await start();
      const order = await created(service, service.demo, aPurchase({ customerName }));
      expect(order.customerName).toBe(customerName);
    });

    it("that is personal data is not stored for an app without checks of identities", async () => {
      const service = await start();
      const { enroll } = service;
      const unchecked = await enroll({ identityChecks: NO_CHECK });
      const purchase = aPurchase({ customerIdentity: "13800138000", customerName: "13800138000" });
      const order = await created(service, unchecked, purchase);
      expect(order).toMatchObject({ customerIdentity: "13800138000" });
      expect(order).not.toHaveProperty("customerName");
    });
  });
}
