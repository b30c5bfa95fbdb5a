import { expectOk } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import { ResultAsync } from "neverthrow";
import { expect, it } from "vitest";
import { openDashboard } from "./testing/open-dashboard.js";
import { aPaidOrder, anApp } from "./testing/paid-orders.js";

/** Requests a refund while the order changes during each of the first `changes` queries. */
async function refundDuring(changes: number) {
  const ports = memoryPorts();
  const { create, signIn } = openDashboard(ports);
  const appId = await anApp(ports);
  const order = await aPaidOrder(ports, appId, "b-1");
  const wallet = ports.wallets.WALLET_A;
  const query = wallet.queryRefund.bind(wallet);
  let left = changes;
  wallet.queryRefund = (...args) => {
    if (left === 0) return query(...args);
    left -= 1;
    const entry = {
      type: "ALARM_ACKNOWLEDGED",
      at: ports.clock.now(),
      actor: "operator:kim",
      reason: "seen",
      evidence: String(left + 2),
      alarm: false,
    } as const;
    return new ResultAsync(expectOk(ports.orders.record(order, entry)).then(() => query(...args)));
  };
  await create("han", "admin");
  const han = await signIn("han");
  const body = { refundNo: "r-1", amount: 150, reason: "returned" };
  const reply = await han.post(`/api/orders/${appId}/b-1/refunds`, body);
  const found = await expectOk(ports.auditLog.search({ action: "refund.request", limit: 10 }));
  const refunds = await expectOk(ports.refunds.list(order));
  return { reply, outcomes: found.items.map(({ outcome }) => outcome), refunds };
}

it("records a refund once, as done, if the order changed while the wallet was queried", async () => {
  const { reply, outcomes, refunds } = await refundDuring(1);
  expect(refunds).toMatchObject([{ refundNo: "r-1", status: "CONFIRMED" }]);
  expect(reply).toMatchObject({ status: 200, json: { outcome: "refunded" } });
  expect(outcomes).toEqual(["done"]);
});

it("records one failure if the order keeps changing", async () => {
  const { reply, outcomes, refunds } = await refundDuring(9);
  expect(refunds).toEqual([]);
  expect(reply).toMatchObject({ status: 409, json: { error: { name: "refund.in-progress" } } });
  expect(outcomes).toEqual(["failed"]);
});
