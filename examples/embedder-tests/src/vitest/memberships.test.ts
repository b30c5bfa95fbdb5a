import { reconcileOrders } from "@tillkit/core";
import { aShop, type Shop } from "@tillkit/memory";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Memberships, memberships } from "../memberships.js";

const HOUR = 3_600_000;

describe("memberships", () => {
  let shop: Shop;
  let sold: Memberships;

  beforeEach(async () => {
    shop = await aShop();
    sold = memberships(shop.ports, shop.app.appId, shop.serviceType.serviceTypeNo);
  });

  // Fails the test if a fault that it set did not occur.
  afterEach(() => shop.end());

  it("starts when the wallet reports the payment, and ends after 30 days", async () => {
    await sold.buy("mia", "buy-1");
    expect(await sold.isMember("mia")).toBe(false);
    await shop.wallets.WALLET_A.notify({ bizNo: "buy-1" });
    expect(await sold.isMember("mia")).toBe(true);
    shop.advance(30 * 24 * HOUR);
    expect(await sold.isMember("mia")).toBe(false);
  });

  it("counts a repeated notification once", async () => {
    await sold.buy("mia", "buy-1");
    await shop.wallets.WALLET_A.notify({ bizNo: "buy-1" });
    await shop.wallets.WALLET_A.notify({ bizNo: "buy-1" });
    shop.advance(30 * 24 * HOUR);
    expect(await sold.isMember("mia")).toBe(false);
  });

  it("starts if the customer paid after the order was closed", async () => {
    await sold.buy("mia", "buy-1");
    shop.advance(3 * HOUR);
    await reconcileOrders(shop.ports);
    await shop.wallets.WALLET_A.payLate({ bizNo: "buy-1" });
    expect(await sold.isMember("mia")).toBe(true);
    expect(shop.events).toContainEqual(expect.objectContaining({ event: "LATE_PAYMENT" }));
  });

  it("does not start by a forged notification", async () => {
    await sold.buy("mia", "buy-1");
    await shop.wallets.WALLET_A.forge({ bizNo: "buy-1" });
    expect(await sold.isMember("mia")).toBe(false);
  });

  it("is sold once if the answers of the wallet are lost", async () => {
    shop.faults.loseAnswer("WALLET_A", "prepare", { times: 2 });
    await sold.buy("mia", "buy-1");
    await shop.wallets.WALLET_A.notify({ bizNo: "buy-1" });
    expect(await sold.isMember("mia")).toBe(true);
    expect(shop.wallets.WALLET_A.balance()).toBe(600);
  });

  it("is not sold while the storage fails", async () => {
    shop.faults.fail("orders", "insertOnce", { times: 3 });
    await expect(sold.buy("mia", "buy-1")).rejects.toThrow("storage.unavailable");
  });
});
