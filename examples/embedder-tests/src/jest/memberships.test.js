import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { reconcileOrders } from "@tillkit/core";
import { aShop } from "@tillkit/memory";
import { memberships } from "../memberships.ts";

const HOUR = 3_600_000;
let shop;
let sold;

beforeEach(async () => {
  shop = await aShop();
  sold = memberships(shop.ports, shop.app.appId, shop.serviceType.serviceTypeNo);
});

// Fails the test if a fault that it set did not occur.
afterEach(() => shop.end());

test("a membership starts when the wallet reports the payment", async () => {
  await sold.buy("mia", "buy-1");
  expect(await sold.isMember("mia")).toBe(false);
  await shop.wallets.WALLET_A.notify({ bizNo: "buy-1" });
  expect(await sold.isMember("mia")).toBe(true);
  shop.advance(30 * 24 * HOUR);
  expect(await sold.isMember("mia")).toBe(false);
});

test("a membership starts if the customer paid after the order was closed", async () => {
  await sold.buy("mia", "buy-1");
  shop.advance(3 * HOUR);
  await reconcileOrders(shop.ports);
  await shop.wallets.WALLET_A.payLate({ bizNo: "buy-1" });
  expect(await sold.isMember("mia")).toBe(true);
  expect(shop.events).toContainEqual(expect.objectContaining({ event: "LATE_PAYMENT" }));
});

test("a forged notification starts no membership", async () => {
  await sold.buy("mia", "buy-1");
  await shop.wallets.WALLET_A.forge({ bizNo: "buy-1" });
  expect(await sold.isMember("mia")).toBe(false);
});

test("a purchase survives lost answers of the wallet", async () => {
  shop.faults.loseAnswer("WALLET_A", "prepare", { times: 2 });
  await sold.buy("mia", "buy-1");
  await shop.wallets.WALLET_A.notify({ bizNo: "buy-1" });
  expect(await sold.isMember("mia")).toBe(true);
});

test("a fault that does not occur fails the test", async () => {
  const other = await aShop();
  other.faults.fail("orders", "insertOnce");
  await expect(other.end()).rejects.toThrow("orders.insertOnce fails: 1 call did not happen");
});
