import { orThrow, PAY_CHANNELS } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { ANY_TEXT, aTextLike } from "../../support/http/json.js";
import { aPurchase, created, detail, storedOrder } from "../../support/http/purchases.js";
import type { Service, StartService } from "../../support/http/service.js";

const PAYER = { WALLET_A: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o", WALLET_B: "2088102146225135" } as const;
const OPEN_ID = "074a1CcTG1LelxKe4xQC0zgNdId0nxi95b5lsNpazWYoCo5";

/**
 * Tests POST /order.json with `JSAPI` and `PC`, and its `payerId`.
 *
 * `JSAPI` orders are paid inside the wallet's own app, and `PC` orders in desktop browsers.
 */
export function payersContract(start: StartService): void {
  describe("JSAPI", () => {
    it("of WALLET_A returns the parameters of WeChat's client API, with the time as text", async () => {
      const { demo, host } = await start();
      const purchase = aPurchase({ paySource: "JSAPI", payerId: PAYER.WALLET_A });
      const { data } = await demo.post("/order.json", purchase);
      expect(data).toEqual({
        appId: ANY_TEXT,
        timeStamp: String(Math.floor(host.clock.now() / 1_000)),
        nonceStr: ANY_TEXT,
        package: aTextLike(/^prepay_id=./),
        signType: "RSA",
        paySign: ANY_TEXT,
      });
    });

    it.each([PAYER.WALLET_B, OPEN_ID])(
      "of WALLET_B returns the wallet's number of the trade: %s",
      async (payerId) => {
        const { demo } = await start();
        const purchase = aPurchase({ payChannel: "WALLET_B", paySource: "JSAPI", payerId });
        const { data } = await demo.post("/order.json", purchase);
        expect(data).toEqual({ tradeNO: ANY_TEXT });
      },
    );

    it.each(PAY_CHANNELS)("requires a payer, and stores nothing without one: %s", async (payChannel) => {
      const service = await start();
      for (const payerId of [undefined, null, ""]) {
        const purchase = aPurchase({ payChannel, paySource: "JSAPI", payerId });
        const answer = await service.demo.post("/order.json", purchase);
        expect(answer).toMatchObject({ code: 10002, msg: "Parameter payerId is required" });
        await expectNothingStored(service, purchase.bizNo);
      }
    });

    it.each([
      ["WALLET_A", "someone@mail.example"],
      ["WALLET_A", "13800138000"],
      ["WALLET_B", "someone@mail.example"],
      ["WALLET_B", "13800138000"],
      ["WALLET_B", "1088102146225135"],
    ])("of %s rejects a payer like %s, and does not repeat it", async (payChannel, payerId) => {
      const service = await start();
      const purchase = aPurchase({ payChannel, paySource: "JSAPI", payerId });
      const { code, msg } = await service.demo.post("/order.json", purchase);
      expect(code).toBe(10003);
      expect(msg).toMatch(/^Parameter payerId must be the id of the customer at the wallet/);
      expect(msg).not.toContain(payerId);
      await expectNothingStored(service, purchase.bizNo);
    });
  });

  describe.each(PAY_CHANNELS)("the payer of an order over %s", (payChannel) => {
    const terms = { payChannel, paySource: "JSAPI", payerId: PAYER[payChannel] };

    it("is stored with the order, and another payer is a conflict", async () => {
      const service = await start();
      const purchase = aPurchase(terms);
      const order = await created(service, service.demo, purchase);
      expect(order).toMatchObject({ paySource: "JSAPI", payerId: PAYER[payChannel] });
      const again = await service.demo.post("/order.json", purchase);
      expect(again.code).toBe(0);
      expect(service.host.wallets[payChannel].prepareCount(order.id)).toBe(1);
      const other = await service.demo.post("/order.json", { ...purchase, payerId: OPEN_ID });
      expect(other).toMatchObject({
        code: 50002,
        msg: "bizNo is already used by an order with a different payerId",
      });
      expect(await storedOrder(service, service.demo, purchase.bizNo)).toEqual(order);
    });

    it("is in no response", async () => {
      const service = await start();
      const purchase = aPurchase(terms);
      const order = await created(service, service.demo, purchase);
      const { customerIdentity } = order;
      const answers = [
        await service.demo.post("/order.json", purchase),
        await service.demo.post("/order.json", { ...purchase, amount: 601 }),
        await detail(service.demo, order),
        await service.demo.get("/history.json", { customerIdentity }),
      ];
      for (const { text } of answers) expect(text).not.toContain(PAYER[payChannel]);
      expect(JSON.stringify(service.serviceEvents)).not.toContain(PAYER[payChannel]);
    });

    it("is dropped if the wallet needs no payer, for any value", async () => {
      const service = await start();
      const purchase = aPurchase({ payChannel, payerId: PAYER[payChannel] });
      const order = await created(service, service.demo, purchase);
      expect(Object.keys(order)).not.toContain("payerId");
      const again = await service.demo.post("/order.json", { ...purchase, payerId: OPEN_ID });
      expect(again.code).toBe(0);
    });
  });

  describe("PC", () => {
    it("of WALLET_A is rejected with the advice to send NATIVE, and stores nothing", async () => {
      const service = await start();
      const purchase = aPurchase({ paySource: "PC" });
      expect(await service.demo.post("/order.json", purchase)).toMatchObject({
        code: 10006,
        msg: "Parameter paySource must not be PC for WALLET_A: send NATIVE and show the code on the page",
      });
      await expectNothingStored(service, purchase.bizNo);
    });
  });

  describe("H5 that needs the customer's address", () => {
    it("fails without this address, names where to send it, and a retry continues the order", async () => {
      const service = await start();
      const purchase = aPurchase({ paySource: "H5" });
      service.host.wallets.WALLET_A.failNext("prepare", {
        name: "wallet.rejected",
        reason: "payer-address",
        trusted: true,
        parameter: "x-payer-client-ip",
        detail: "not for callers",
      });
      expect(await service.demo.post("/order.json", purchase)).toMatchObject({
        code: 10015,
        msg: "H5 needs the public IP address of the customer: send it as x-payer-client-ip",
      });
      const answer = await service.demo.post("/order.json", purchase);
      expect(answer.code).toBe(0);
    });
  });
}

async function expectNothingStored({ host, demo }: Service, bizNo: string): Promise<void> {
  expect(await orThrow(host.orders.find({ appId: demo.appId, bizNo }))).toBeUndefined();
}
