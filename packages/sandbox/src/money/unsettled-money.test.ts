import { expectOk } from "@tillkit/contract-tests";
import { orThrow } from "@tillkit/core";
import { eventSentence } from "@tillkit/core/operators";
import { expect, it } from "vitest";
import { postControl } from "../testing/call-control.js";
import { advanceInSteps, MINUTE, openFixture, order, refund, storedOrder } from "../testing/fixture.js";

it("a refund of unsettled money is paid from the available balance at the next retry, with one call a minute", async () => {
  const fixture = await openFixture();
  const { ports, appId, sandbox } = fixture;
  const rules = { walletA: { unsettled: true, oneAMinute: true, takes: 0 } };
  expect((await postControl(sandbox, "/refunds", rules)).status).toBe(200);
  await expectOk(order(fixture, "b-1", { payChannel: "WALLET_A", paySource: "APP" }));
  const { id } = await storedOrder(fixture, "b-1");
  await orThrow(sandbox.simulatorControls.pay(id));
  await advanceInSteps(fixture, MINUTE);

  expect((await expectOk(refund(fixture, "b-1", "r-1"))).status).toBe("WAITING_FOR_FUNDS");
  const timeline = await expectOk(ports.orders.timeline({ appId, bizNo: "b-1" }));
  const alarm = timeline.find(({ type }) => type === "REFUND_WAITING_FOR_FUNDS");
  expect(alarm && eventSentence(alarm, "WALLET_A", "en")).toContain(
    "Tillkit tries the available balance next",
  );

  await advanceInSteps(fixture, MINUTE, 10 * MINUTE);
  const refunds = await expectOk(ports.refunds.list({ appId, bizNo: "b-1" }));
  expect(refunds).toMatchObject([{ refundNo: "r-1", amount: 600, status: "CONFIRMED" }]);
  expect(await storedOrder(fixture, "b-1")).toMatchObject({ paymentStatus: "REFUND", refundedAmount: 600 });
});
