import { expectFailure, expectOk, MINUTE } from "@tillkit/contract-tests";
import { createOrder, createOrderInput, getOrder, parseInput, sendCode, type Stores } from "@tillkit/core";
import { listPayTools } from "@tillkit/core/operators";
import { describe, expect, it } from "vitest";
import { memoryStores } from "../stores/memory-stores.js";
import { aShop } from "./a-shop.js";
import type { Shop } from "./shop.js";

const key = { bizNo: "buy-1", customerIdentity: "customer-1" };
const phone = { mobileNo: "13800138000" };

function buy({ ports, app }: Shop) {
  const terms = { ...key, amount: 600, goodsTitle: "30 days", payChannel: "WALLET_A" };
  const input = parseInput(createOrderInput(ports.policy), terms);
  return input.asyncAndThen((valid) => createOrder(ports, app.appId, valid));
}

describe("faults of a shop", () => {
  it("fail the given number of calls of a store before they take effect", async () => {
    const shop = await aShop();
    shop.faults.fail("orders", "insertOnce", { times: 2 });
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect(await expectFailure(buy(shop))).toMatchObject({ name: "storage.unavailable" });
    expect((await expectFailure(getOrder(shop.ports, shop.app.appId, key))).name).toBe("order.not-found");
    await expectOk(buy(shop));
    await shop.end();
  });

  it("lose the answer of a call that took effect", async () => {
    const shop = await aShop();
    shop.faults.loseAnswer("orders", "insertOnce");
    shop.faults.loseAnswer("WALLET_A", "prepare");
    expect((await expectFailure(buy(shop))).name).toBe("storage.unavailable");
    // The lost call still holds the claim to call the wallet, like a process that has died.
    shop.advance(MINUTE);
    const { id } = (await expectOk(shop.ports.orders.find({ appId: shop.app.appId, ...key }))) ?? { id: "" };
    expect((await expectFailure(buy(shop))).name).toBe("wallet-a.unavailable");
    expect((await expectOk(buy(shop))).order.id).toBe(id);
    expect(shop.wallets.WALLET_A.prepareCount(id)).toBe(2);
    await shop.end();
  });

  it("fail with the failure that the test passes", async () => {
    const shop = await aShop();
    const failure = { name: "wallet.rejected", reason: "other", trusted: true, detail: "no" } as const;
    shop.faults.fail("WALLET_A", "prepare", { failure });
    expect((await expectFailure(buy(shop))).name).toBe("wallet-a.rejected");
    shop.faults.fail("smsSender", "send", { failure: { name: "sms.unknown", detail: "late" } });
    // The carrier may have sent the message, so the caller sees a success.
    await expectOk(sendCode(shop.ports, shop.app.appId, phone));
    expect(shop.ports.smsSender.messages).toEqual([]);
    await shop.end();
  });

  it("lose the answer of the SMS carrier that has sent the message", async () => {
    const shop = await aShop();
    shop.faults.loseAnswer("smsSender", "send");
    await expectOk(sendCode(shop.ports, shop.app.appId, phone));
    expect(shop.ports.smsSender.messages).toHaveLength(1);
    await shop.end();
  });

  it("delay a call on the shop's clock", async () => {
    const shop = await aShop();
    const before = shop.ports.clock.now();
    shop.faults.delay("WALLET_A", "prepare", 1_500);
    await expectOk(buy(shop));
    const calls = shop.events.filter((event) => event.type === "wallet.called");
    expect(calls).toMatchObject([{ call: "prepare", durationMs: 1_500 }]);
    expect(shop.ports.clock.now()).toBe(before + 1_500);
    expect(() => shop.faults.delay("WALLET_A", "prepare", 0)).toThrow(RangeError);
    await shop.end();
  });

  it("hold a call until the test releases it", async () => {
    const shop = await aShop();
    const held = shop.faults.hold("WALLET_A", "prepare");
    const bought = buy(shop).then((result) => result.isOk());
    await held.reached;
    const between = await expectOk(shop.ports.orders.find({ appId: shop.app.appId, ...key }));
    expect(between?.prepayment).toBeUndefined();
    held.release();
    expect(await bought).toBe(true);
    await shop.end();
  });

  it("apply one after the other", async () => {
    const shop = await aShop();
    shop.faults.fail("orders", "insertOnce");
    shop.faults.loseAnswer("orders", "insertOnce");
    await expectFailure(buy(shop));
    expect(await expectOk(shop.ports.orders.find({ appId: shop.app.appId, ...key }))).toBeUndefined();
    await expectFailure(buy(shop));
    expect(await expectOk(shop.ports.orders.find({ appId: shop.app.appId, ...key }))).toBeDefined();
    await shop.end();
  });

  it("fail the test with their names if they did not occur", async () => {
    const shop = await aShop();
    shop.faults.fail("orders", "insertOnce", { times: 3 });
    // The payload of an Alipay app needs no call to the wallet.
    shop.faults.loseAnswer("WALLET_B", "prepare");
    shop.faults.delay("smsSender", "send", 5);
    shop.faults.hold("sessions", "open");
    await expectFailure(buy(shop));
    await expect(shop.end()).rejects.toThrow(
      [
        "The test set faults that did not occur, or left calls waiting:",
        "- orders.insertOnce fails: 2 calls did not happen",
        "- WALLET_B.prepare loses its answer: 1 call did not happen",
        "- smsSender.send takes 5 ms: 1 call did not happen",
        "- sessions.open is held: 1 call did not happen",
      ].join("\n"),
    );
  });

  it("fail the test if a held call was not released, and release it", async () => {
    const shop = await aShop();
    const held = shop.faults.hold("WALLET_A", "prepare");
    const bought = buy(shop);
    await held.reached;
    expect(() => shop.faults.verify()).toThrow("WALLET_A.prepare is held: the test did not release it");
    await expect(shop.end()).rejects.toThrow("the test did not release it");
    await expectOk(bought);
  });

  it("reject unknown ports, unknown methods and invalid numbers of calls", async () => {
    const shop = await aShop();
    const { faults } = shop;
    // @ts-expect-error: the port does not exist.
    expect(() => faults.fail("order", "find")).toThrow('There is no port "order". Use one of: apps,');
    // @ts-expect-error: the method does not exist.
    expect(() => faults.fail("orders", "get")).toThrow('The port orders has no method "get". Use one of:');
    // @ts-expect-error: the method returns no result that could fail.
    expect(() => faults.loseAnswer("apps", "getCached")).toThrow('no method "getCached"');
    // @ts-expect-error: the method makes no call to the wallet.
    expect(() => faults.hold("WALLET_A", "checkAccount")).toThrow('no method "checkAccount"');
    // @ts-expect-error: `toString` is no method of the port.
    expect(() => faults.delay("orders", "toString", 1)).toThrow('no method "toString"');
    expect(() => faults.fail("orders", "find", { times: 0 })).toThrow(RangeError);
    await shop.end();
  });

  it("reject a failure that the port never returns", async () => {
    const shop = await aShop();
    const failure = { name: "sms.unknown", detail: "" } as const;
    // @ts-expect-error: a wallet has other failures.
    expect(() => shop.faults.fail("WALLET_A", "query", { failure })).toThrow("only with wallet.rejected or");
    // @ts-expect-error: a store has another failure.
    expect(() => shop.faults.loseAnswer("orders", "find", { failure })).toThrow(
      "only with storage.unavailable or storage.misconfigured",
    );
    await shop.end();
  });

  it("make a store fail until the operator acts", async () => {
    const shop = await aShop();
    const { order } = await shop.placeOrder();
    const failure = { name: "storage.misconfigured", remedy: "Grant select on orders." } as const;
    shop.faults.fail("orders", "find", { failure });
    expect(await expectFailure(shop.ports.orders.find(order))).toEqual(failure);
    await shop.end();
  });

  it("apply to one of several calls at once", async () => {
    const shop = await aShop();
    const { order } = await shop.placeOrder();
    shop.faults.fail("orders", "find");
    const found = await Promise.all(Array.from({ length: 5 }, () => shop.ports.orders.find(order)));
    expect(found.map((result) => result.isOk())).toEqual([false, true, true, true, true]);
    await shop.end();
  });

  it("affect a port whose methods are on a frozen object or on a class", async () => {
    const { payTools, apps, ...rest } = memoryStores();
    const stores: Stores = { ...rest, payTools: Object.freeze(payTools), apps: classOf(apps) };
    const shop = await aShop({ stores });
    shop.faults.fail("payTools", "list");
    shop.faults.fail("apps", "find");
    expect((await expectFailure(shop.ports.apps.find(shop.app.appId))).name).toBe("storage.unavailable");
    expect((await expectOk(shop.ports.apps.find(shop.app.appId)))?.appId).toBe(shop.app.appId);
    await expectFailure(listPayTools(shop.ports, shop.app.appId));
    await expectOk(listPayTools(shop.ports, shop.app.appId));
    await shop.end();
  });

  it("do not affect the controls of a wallet", async () => {
    const shop = await aShop();
    const { order } = await shop.placeOrder();
    shop.faults.fail("orders", "find");
    await expect(shop.wallets.WALLET_A.notify(order)).rejects.toThrow("did not acknowledge");
    await shop.end();
  });
});

/** Returns the store as an object whose methods are on a prototype and need `this`. */
function classOf(apps: Stores["apps"]): Stores["apps"] {
  class Apps {
    readonly #apps = apps;
    insertOnce: Stores["apps"]["insertOnce"] = (...parameters) => this.#apps.insertOnce(...parameters);
    addSecret: Stores["apps"]["addSecret"] = (...parameters) => this.#apps.addSecret(...parameters);
    setDisabled: Stores["apps"]["setDisabled"] = (...parameters) => this.#apps.setDisabled(...parameters);
    setRules: Stores["apps"]["setRules"] = (...parameters) => this.#apps.setRules(...parameters);
    getCached: Stores["apps"]["getCached"] = (...parameters) => this.#apps.getCached(...parameters);
    list: Stores["apps"]["list"] = (...parameters) => this.#apps.list(...parameters);
    find(appId: string) {
      return this.#apps.find(appId);
    }
  }
  return new Apps();
}
