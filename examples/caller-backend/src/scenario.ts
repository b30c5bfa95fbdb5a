import assert from "node:assert/strict";
import { parseInput, refundOrder, refundOrderInput } from "@tillkit/core";
import { type Backend, backend } from "./backend.js";
import type { LocalService } from "./local-service.js";
import type { ProductId } from "./products.js";
import { memoryRecords, type Purchase } from "./records.js";
import { sandboxCustomer } from "./sandbox-customer.js";
import { type ServiceClient, serviceClient } from "./service-client.js";

const [anna, ben] = ["user-anna", "user-ben"];
/** The time within which the service must show a refund, in milliseconds. */
const REFUND_SHOWS_WITHIN = 15_000;

/**
 * Runs through the situations of a merchant's backend and asserts the outcome of each step.
 *
 * @param print - receives one line for each step.
 */
export async function scenario(host: LocalService, print: (step: string) => void): Promise<void> {
  const customer = sandboxCustomer(host);
  const { baseUrl, appId, appSecret } = host.facts;
  // Ends the wallet failure below while the client waits for its next attempt.
  const pause = () => customer.breakWalletA(null);
  const service = serviceClient({ baseUrl, appId, appSecret, pause });
  const records = memoryRecords();
  const shop = backend(service, records);

  const buy = async (who: string, what: ProductId, channel: Purchase["payChannel"]) =>
    checkedOut(await shop.createPurchase(who, what, channel)).bizNo;
  const payFor = async (who: string, bizNo: string) => customer.pay(await outTradeNoOf(service, who, bizNo));

  const month = await buy(anna, "month", "WALLET_B");
  const early = await shop.verifyPurchase(anna, month);
  assert.deepEqual(early, { outcome: "not-paid", paymentStatus: "PENDING" });
  print("an unpaid purchase is not granted");

  await payFor(anna, month);
  const both = await Promise.all([shop.verifyPurchase(anna, month), shop.verifyPurchase(anna, month)]);
  assert.deepEqual(both.map(({ outcome }) => outcome).sort(), ["granted", "granted-before"]);
  assert.deepEqual(await shop.verifyPurchase(anna, month), { outcome: "granted-before" });
  assert.equal((await records.listGranted(anna)).length, 1);
  print("a paid purchase is granted once, however often it is verified");

  assert.deepEqual(await shop.verifyPurchase(ben, month), { outcome: "unknown-purchase" });
  assert.deepEqual(await service.getOrder(month, ben), { ok: false, code: 50001, msg: "Order not found" });
  print("a customer cannot read another customer's order");

  for (const fault of ["reset-after", "500"] as const) {
    await customer.breakWalletA(fault);
    const theme = await buy(anna, "theme", "WALLET_A");
    assert.equal(await customer.prepayCount(await outTradeNoOf(service, anna, theme)), 1);
    await payFor(anna, theme);
  }
  print("after a lost response, a retry with the same bizNo returns the same payment");

  const inBrowser = checkedOut(await shop.createPurchase(ben, "theme", "WALLET_A", "203.0.113.7"));
  assert.ok("h5_url" in inBrowser.payload);
  await payFor(ben, inBrowser.bizNo);
  assert.deepEqual(await shop.verifyPurchase(ben, inBrowser.bizNo), { outcome: "granted" });
  print("for a payment in a browser, this backend passes the customer's IP address on");

  await buy(anna, "year", "WALLET_A");
  const rebuilt = memoryRecords();
  const restored = await backend(service, rebuilt, 2).restore(anna);
  assert.deepEqual(restored, { ok: true, data: ["theme", "theme", "month"] });
  assert.deepEqual(await backend(service, rebuilt, 2).restore(anna), { ok: true, data: [] });
  print("a lost database is restored from the paid orders, page by page, and only once");

  const input = parseInput(refundOrderInput(host.ports.policy), {
    bizNo: month,
    refundNo: "case-1",
    reason: "asked within a week",
    operator: "carol",
  });
  const refunded = await input.asyncAndThen((valid) => refundOrder(host.ports, appId, valid));
  assert.ok(refunded.isOk(), "the operator's refund was refused");
  assert.deepEqual(await revokedInTime(shop), [month]);
  assert.deepEqual(await shop.verifyPurchase(anna, month), { outcome: "not-paid", paymentStatus: "REFUND" });
  assert.deepEqual(await records.listGranted(anna), []);
  print("a query finds the refund; the product is taken back and not granted again");
}

function checkedOut(answer: Awaited<ReturnType<Backend["createPurchase"]>>) {
  assert.ok(answer.ok, answer.ok ? "" : `no order: ${String(answer.code)} ${answer.msg}`);
  return answer.data;
}

async function outTradeNoOf(service: ServiceClient, who: string, bizNo: string): Promise<string> {
  const answer = await service.getOrder(bizNo, who);
  assert.ok(answer.ok, answer.ok ? "" : `no order: ${String(answer.code)} ${answer.msg}`);
  return answer.data.id;
}

/** Revokes refunded purchases repeatedly until one is found or the time is up. */
async function revokedInTime(shop: Backend): Promise<readonly string[]> {
  const giveUpAt = Date.now() + REFUND_SHOWS_WITHIN;
  for (;;) {
    const revoked = await shop.revokeRefunded();
    if (revoked.length > 0 || Date.now() > giveUpAt) return revoked;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
