import assert from "node:assert/strict";
import { type CreateOrderInput, TillkitApiError, TillkitClient } from "@tillkit/client";
import { type CheckedPurchases, memoryFulfilmentStore } from "@tillkit/client/fulfil";
import { parseInput, refundOrder, refundOrderInput } from "@tillkit/core";
import { type Backend, backend } from "./backend.js";
import { memoryEntitlements } from "./entitlements.js";
import type { LocalService } from "./local-service.js";
import type { ProductId } from "./products.js";
import { sandboxCustomer } from "./sandbox-customer.js";

const [anna, ben] = ["user-anna", "user-ben"];
/** The time within which the service must show a refund, in milliseconds. */
const REFUND_SHOWS_WITHIN = 15_000;
/** Orders are read every 100 ms, so that this program ends soon. */
const SCHEDULE = Array.from({ length: 1_000 }, (_, nth) => (nth + 1) * 100);

/**
 * Runs through the situations of a merchant's backend and asserts the outcome of each step.
 *
 * @param print - receives one line for each step.
 */
export async function scenario(host: LocalService, print: (step: string) => void): Promise<void> {
  const customer = sandboxCustomer(host);
  // Ends the wallet failure below while the client waits for its next attempt.
  const client = new TillkitClient({ ...host.facts, sleep: () => customer.breakWalletA(null) });
  const entitlements = memoryEntitlements();
  const shop = backend({ client, store: memoryFulfilmentStore(), entitlements, schedule: SCHEDULE });

  const buy = async (who: string, what: ProductId, channel: CreateOrderInput["payChannel"]) =>
    (await shop.createPurchase(who, what, channel)).bizNo;
  const outTradeNoOf = async (customerIdentity: string, bizNo: string) =>
    (await client.orders.get({ bizNo, customerIdentity })).id;
  const payFor = async (who: string, bizNo: string) => customer.pay(await outTradeNoOf(who, bizNo));

  const month = await buy(anna, "month", "WALLET_B");
  const early = await shop.verify(month, anna);
  assert.deepEqual(early, { outcome: "not-paid", paymentStatus: "PENDING" });
  print("an unpaid purchase is not granted");

  await payFor(anna, month);
  const both = await Promise.all([shop.verify(month, anna), shop.verify(month, anna)]);
  assert.equal(both.filter(({ outcome }) => outcome === "granted").length, 1);
  assert.deepEqual(await shop.verify(month, anna), { outcome: "granted-before" });
  assert.equal(entitlements.list(anna).length, 1);
  print("a paid purchase is granted once, however often it is verified");

  assert.deepEqual(await shop.verify(month, ben), { outcome: "unknown-purchase" });
  await assert.rejects(
    client.orders.get({ bizNo: month, customerIdentity: ben }),
    (error) => error instanceof TillkitApiError && error.failure === "order.not-found",
  );
  print("a customer cannot read another customer's order");

  for (const fault of ["reset-after", "500"] as const) {
    await customer.breakWalletA(fault);
    const theme = await buy(anna, "theme", "WALLET_A");
    assert.equal(await customer.prepayCount(await outTradeNoOf(anna, theme)), 1);
    await payFor(anna, theme);
  }
  print("after a lost response, a retry with the same bizNo returns the same payment");

  const inBrowser = await shop.createPurchase(ben, "theme", "WALLET_A", "203.0.113.7");
  assert.ok("h5_url" in inBrowser.payload);
  await payFor(ben, inBrowser.bizNo);
  assert.deepEqual(await shop.verify(inBrowser.bizNo, ben), { outcome: "granted" });
  print("for a payment in a browser, this backend passes the customer's IP address on");

  await buy(anna, "year", "WALLET_A");
  const rebuilt = memoryEntitlements();
  const after = backend({ client, store: memoryFulfilmentStore(), entitlements: rebuilt });
  assert.deepEqual(outcomes(await after.restore(anna)), ["granted", "granted", "granted"]);
  assert.deepEqual(
    rebuilt.list(anna).map(({ productId }) => productId),
    ["theme", "theme", "month"],
  );
  assert.deepEqual(outcomes(await after.restore(anna)), Array(3).fill("granted-before"));
  print("a lost database is restored from the paid orders, and only once");

  const input = parseInput(refundOrderInput(host.ports.policy), {
    bizNo: month,
    refundNo: "case-1",
    reason: "asked within a week",
    operator: "carol",
  });
  const refunded = await input.asyncAndThen((valid) => refundOrder(host.ports, host.facts.appId, valid));
  assert.ok(refunded.isOk(), "the operator's refund was refused");
  assert.ok(await isRevokedInTime(shop, month), "the refund was not found");
  assert.deepEqual(await shop.verify(month, anna), { outcome: "revoked" });
  assert.ok(!entitlements.list(anna).some(({ bizNo }) => bizNo === month));
  print("a query finds the refund; the product is taken back and not granted again");
}

function outcomes(checked: CheckedPurchases): readonly string[] {
  return [...checked.values()].map(({ outcome }) => outcome);
}

/** Checks due purchases repeatedly until this one is revoked or the time is up. */
async function isRevokedInTime(shop: Backend, bizNo: string): Promise<boolean> {
  const giveUpAt = Date.now() + REFUND_SHOWS_WITHIN;
  while (Date.now() < giveUpAt) {
    if ((await shop.checkDue()).get(bizNo)?.outcome === "revoked") return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}
