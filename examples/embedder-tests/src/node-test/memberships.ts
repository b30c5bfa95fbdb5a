import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { reconcileOrders } from "@tillkit/core";
import { aShop } from "@tillkit/memory";
import { memberships } from "../memberships.js";

const HOUR = 3_600_000;

/** Opens a shop that ends with the test, and the program under test. */
async function open(context: TestContext) {
  const shop = await aShop();
  // Fails the test if a fault that it set did not occur.
  context.after(() => shop.end());
  const sold = memberships(shop.ports, shop.app.appId, shop.serviceType.serviceTypeNo);
  return { shop, sold, wallet: shop.wallets.WALLET_A };
}

void test("a membership starts when the wallet reports the payment", async (context) => {
  const { shop, sold, wallet } = await open(context);
  await sold.buy("mia", "buy-1");
  assert.equal(await sold.isMember("mia"), false);
  await wallet.notify({ bizNo: "buy-1" });
  assert.equal(await sold.isMember("mia"), true);
  shop.advance(30 * 24 * HOUR);
  assert.equal(await sold.isMember("mia"), false);
});

void test("a membership starts if the customer paid after the order was closed", async (context) => {
  const { shop, sold, wallet } = await open(context);
  await sold.buy("mia", "buy-1");
  shop.advance(3 * HOUR);
  await reconcileOrders(shop.ports);
  await wallet.payLate({ bizNo: "buy-1" });
  assert.equal(await sold.isMember("mia"), true);
  assert(shop.events.some((event) => event.type === "order.alarm" && event.event === "LATE_PAYMENT"));
});

void test("a forged notification starts no membership", async (context) => {
  const { sold, wallet } = await open(context);
  await sold.buy("mia", "buy-1");
  await wallet.forge({ bizNo: "buy-1" });
  assert.equal(await sold.isMember("mia"), false);
});

void test("a purchase survives lost answers of the wallet", async (context) => {
  const { shop, sold, wallet } = await open(context);
  shop.faults.loseAnswer("WALLET_A", "prepare", { times: 2 });
  await sold.buy("mia", "buy-1");
  await wallet.notify({ bizNo: "buy-1" });
  assert.equal(await sold.isMember("mia"), true);
});

void test("a fault that does not occur fails the test", async () => {
  const shop = await aShop();
  shop.faults.fail("orders", "insertOnce");
  await assert.rejects(shop.end(), /orders\.insertOnce fails: 1 call did not happen/);
});
