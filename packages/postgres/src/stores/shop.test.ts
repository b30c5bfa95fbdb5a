import { DAY, expectOk } from "@tillkit/contract-tests";
import { aShop } from "@tillkit/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serverClient, type TestSchema, testSchema } from "../testing/databases.js";

describe("aShop on PostgreSQL", () => {
  let database: TestSchema;
  beforeAll(async () => {
    database = await testSchema(serverClient());
  });
  afterAll(() => database.close());

  it("sells once, although the answer of the storage was lost", async () => {
    const { port: stores } = await database.open();
    const shop = await aShop({ stores });
    const { order } = await shop.placeOrder({ serviceTypeNo: shop.serviceType.serviceTypeNo });
    shop.faults.loseAnswer("orders", "transition");
    await expect(shop.wallets.WALLET_A.notify(order)).rejects.toThrow("did not acknowledge");
    await shop.wallets.WALLET_A.notify(order);
    expect(await expectOk(stores.services.list(shop.app.appId, order.customerIdentity))).toMatchObject([
      { expireTime: shop.ports.clock.now() + 30 * DAY },
    ]);
    await shop.end();
  });

  it("can make one of several calls that share a statement fail", async () => {
    const { port: stores } = await database.open();
    const shop = await aShop({ stores });
    const { order } = await shop.placeOrder();
    shop.faults.fail("orders", "find");
    const found = await Promise.all(Array.from({ length: 8 }, () => shop.ports.orders.find(order)));
    expect(found.filter((result) => result.isErr())).toHaveLength(1);
    await shop.end();
  });

  it("shares a database with another shop under another seed", async () => {
    const { port: stores } = await database.open();
    const shops = await Promise.all([aShop({ stores, seed: "left" }), aShop({ stores, seed: "right" })]);
    for (const shop of shops) await shop.wallets.WALLET_A.notify((await shop.placeOrder()).order);
    await expect(aShop({ stores, seed: "left" })).rejects.toThrow('a shop with the seed "left"');
    for (const shop of shops) await shop.end();
  });
});
