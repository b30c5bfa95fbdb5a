import { DAY, expectOk } from "@tillkit/contract-tests";
import { authenticateCaller, logIn, PAY_CHANNELS, sendCode } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { memoryStores } from "../stores/memory-stores.js";
import { aShop } from "./a-shop.js";

const phone = { mobileNo: "13800138000" };

describe("aShop", () => {
  it("has an app with credentials, both pay tools and a service type", async () => {
    const shop = await aShop();
    const { app, appSecret, ports, serviceType } = shop;
    const caller = await expectOk(authenticateCaller(ports, { appId: app.appId, appSecret }));
    expect(caller.appId).toBe(app.appId);
    for (const payChannel of PAY_CHANNELS)
      expect(shop.payTools[payChannel]).toMatchObject({ payChannel, signStatus: "OK" });
    expect(await expectOk(ports.serviceTypes.find(app.appId, serviceType.serviceTypeNo))).toEqual(
      serviceType,
    );
    await shop.end();
  });

  it.each(PAY_CHANNELS)("sells its service over %s", async (payChannel) => {
    const shop = await aShop();
    const { serviceTypeNo } = shop.serviceType;
    const { order } = await shop.placeOrder({ payChannel, serviceTypeNo });
    await shop.wallets[payChannel].notify(order);
    expect(await expectOk(shop.ports.services.list(shop.app.appId, "customer-1"))).toMatchObject([
      { serviceTypeNo, expireTime: shop.ports.clock.now() + 30 * DAY },
    ]);
    await shop.end();
  });

  it("numbers its orders, and rejects with the name of the failure", async () => {
    const shop = await aShop();
    await shop.placeOrder();
    expect((await shop.placeOrder({ amount: 1 })).order).toMatchObject({ bizNo: "order-2", amount: 1 });
    await expect(shop.placeOrder({ bizNo: "order-1", amount: 2 })).rejects.toThrow("biz-no.conflict");
    await expect(shop.placeOrder({ amount: 0 })).rejects.toThrow("amount.invalid");
    await shop.end();
  });

  it("has the same ids, secrets and codes in every run, and others with another seed", async () => {
    const facts = async (seed?: string) => {
      const shop = await aShop(seed === undefined ? {} : { seed });
      const { order } = await shop.placeOrder();
      await expectOk(sendCode(shop.ports, shop.app.appId, phone));
      const authCode = shop.ports.smsSender.messages.at(-1)?.authCode ?? "";
      const { token } = await expectOk(logIn(shop.ports, shop.app.appId, { ...phone, authCode }));
      await shop.end();
      return [shop.app.appId, shop.appSecret, order.id, authCode, token];
    };
    const first = await facts();
    expect(await facts()).toEqual(first);
    const other = await facts("another");
    expect(other.filter((fact) => first.includes(fact))).toEqual([]);
  });

  it("is independent of another shop that is open at the same time", async () => {
    const [left, right] = await Promise.all([aShop(), aShop()]);
    const { order } = await left.placeOrder();
    left.advance(DAY);
    expect(right.ports.clock.now()).toBe(left.ports.clock.now() - DAY);
    await expect(right.wallets.WALLET_A.notify(order)).rejects.toThrow('no order with the bizNo "order-1"');
    left.faults.fail("orders", "find");
    await right.end();
    await expect(left.end()).rejects.toThrow("orders.find fails");
  });

  it("shares stores with another shop only under another seed", async () => {
    const stores = memoryStores();
    const left = await aShop({ stores, seed: "left" });
    await expect(aShop({ stores, seed: "left" })).rejects.toThrow('a shop with the seed "left"');
    const right = await aShop({ stores, seed: "right" });
    const orders = [await left.placeOrder(), await right.placeOrder()];
    await left.wallets.WALLET_A.notify({ bizNo: "order-1" });
    const statuses = orders.map(({ order }) =>
      expectOk(stores.orders.find(order)).then((found) => found?.paymentStatus),
    );
    expect(await Promise.all(statuses)).toEqual(["PAID", "PENDING"]);
    await left.end();
    await right.end();
  });

  it("takes a policy, a start time and an address", async () => {
    const notificationsUrl = "http://localhost:1/a/b";
    const shop = await aShop({ policy: { smsPerDay: 1 }, startAt: 5, notificationsUrl });
    expect(shop.ports.clock.now()).toBe(5);
    expect(shop.ports.policy.smsPerDay).toBe(1);
    const { order } = await shop.placeOrder();
    expect(order.notifyUrl).toContain(`${notificationsUrl}/notify/`);
    await shop.wallets.WALLET_A.notify(order);
    await shop.end();
  });

  it("refuses options that do not exist, and an invalid start time", async () => {
    // @ts-expect-error: the option is `stores`.
    await expect(aShop({ store: memoryStores() })).rejects.toThrow('has no option "store"');
    await expect(aShop({ startAt: Number.NaN })).rejects.toThrow(RangeError);
  });

  it.each([0, -1, 0.5, Number.NaN])("does not advance its clock by %d", async (ms) => {
    const shop = await aShop();
    expect(() => shop.advance(ms)).toThrow(RangeError);
    await shop.end();
  });

  it("ends twice with the same outcome, and does nothing afterwards", async () => {
    const shop = await aShop();
    const { order } = await shop.placeOrder();
    await shop.end();
    await shop.end();
    const wallet = shop.wallets.WALLET_A;
    expect(() => shop.advance(1)).toThrow("The shop has ended");
    expect(() => shop.faults.fail("orders", "find")).toThrow("The shop has ended");
    await expect(shop.placeOrder()).rejects.toThrow("The shop has ended");
    await expect(wallet.notify(order)).rejects.toThrow("The shop has ended");

    const unused = await aShop();
    unused.faults.fail("orders", "find");
    await expect(unused.end()).rejects.toThrow("orders.find fails");
    await expect(unused.end()).rejects.toThrow("orders.find fails");
  });
});
