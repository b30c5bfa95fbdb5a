import { expectFailure, expectOk, race, CONCURRENT_CALLERS } from "@tillkit/contract-tests";
import { orThrow, type PayChannel, type PaySource, type Ports } from "@tillkit/core";
import { paymentsRouter } from "@tillkit/express";
import express from "express";
import { describe, expect, it } from "vitest";
import { payload } from "../payload-verifier.js";
import { members } from "../testing/json.js";
import { listening } from "../testing/listening.js";
import { faultyWallet } from "../faults.js";
import { codeOf, storedOrder, openFixture, order, type TestFixture } from "../testing/fixture.js";

/** Ways to pay that need a call to the wallet, and no payer's id. */
const CALLING = [
  ["WALLET_A", "APP"],
  ["WALLET_A", "NATIVE"],
  ["WALLET_A", "H5"],
  ["WALLET_B", "NATIVE"],
] as const satisfies readonly (readonly [PayChannel, PaySource])[];

describe.each(CALLING)("when %s accepts an order (%s) and its response is lost", (payChannel, paySource) => {
  const wanted = { payChannel, paySource };
  const wallet = faultyWallet(payChannel);
  /**
   * Sends the request, whose response is lost, until one has reached the wallet.
   *
   * On a busy machine the deadline may pass before the request arrives.
   */
  const lose = async (fixture: TestFixture, ask: () => Promise<void>) => {
    await fixture.faults({ [wallet]: { prepay: "timeout" } });
    do await ask();
    while (fixture.sandbox.simulatorControls.order((await storedOrder(fixture, "b")).id).isErr());
    await fixture.faults({ [wallet]: { prepay: null } });
  };

  it("concurrent retries open one order with one payload", async () => {
    const fixture = await openFixture();
    await lose(fixture, async () => {
      const lost = await expectFailure(order({ ...fixture, ports: fixture.impatient }, "b", wanted));
      expect(codeOf(lost)).toBe(payChannel === "WALLET_A" ? 30002 : 40001);
    });
    const checkouts = await race(CONCURRENT_CALLERS, () => order(fixture, "b", wanted));
    await expectOne(
      fixture,
      checkouts.map((checkout) => checkout.payload),
    );
  });

  it("concurrent callers, one without a valid response, open one order with one payload", async () => {
    const fixture = await openFixture();
    await fixture.faults({ [wallet]: { prepay: { fault: "unsigned", times: 1 } } });
    const calls = Array.from({ length: CONCURRENT_CALLERS }, () => order(fixture, "b", wanted));
    const outcomes = await Promise.all(calls);
    const codes = outcomes.flatMap((outcome) => (outcome.isErr() ? [codeOf(outcome.error)] : []));
    expect(codes).toEqual([payChannel === "WALLET_A" ? 30003 : 40001]);
    const payloads = outcomes.flatMap((outcome) => (outcome.isOk() ? [outcome.value.payload] : []));
    await expectOne(fixture, payloads);
  });

  it("concurrent retries over HTTP open one order with one payload", async () => {
    const fixture = await openFixture();
    const post = await serve(fixture, fixture.impatient);
    const purchase = {
      bizNo: "b",
      customerIdentity: "of-b",
      amount: 600,
      goodsTitle: "Thirty days",
      ...wanted,
    };
    await lose(fixture, async () =>
      expect(await post(purchase)).toMatchObject({ code: payChannel === "WALLET_A" ? 30002 : 40001 }),
    );
    const again = await serve(fixture, fixture.ports);
    const answers = await Promise.all(Array.from({ length: CONCURRENT_CALLERS }, () => again(purchase)));
    for (const answer of answers) expect(answer).toMatchObject({ code: 0 });
    await expectOne(
      fixture,
      answers.map(({ data }) => data),
    );
  });
});

/** Expects one stored order, one prepayment at the wallet, and one payload that can be paid. */
async function expectOne(fixture: TestFixture, payloads: readonly unknown[]): Promise<void> {
  const { ports, appId, sandbox, serviceEvents } = fixture;
  expect(payloads.length).toBeGreaterThanOrEqual(CONCURRENT_CALLERS - 1);
  expect(new Set(payloads.map((one) => JSON.stringify(one))).size).toBe(1);
  const list = { appId, customerIdentity: "of-b", offset: 0, limit: 10 };
  expect(await expectOk(ports.orders.list(list))).toMatchObject({ totalCount: 1 });
  const requests = serviceEvents.flatMap((event) =>
    event.type === "wallet.called" && event.call === "prepare" ? [event.outcome] : [],
  );
  expect(requests.at(-1)).toBe("ok");
  expect(new Set(requests.slice(0, -1))).toEqual(new Set(["unknown"]));
  const { id } = await storedOrder(fixture, "b");
  expect(orThrow(sandbox.simulatorControls.order(id))).toMatchObject({
    state: "NOTPAY",
    prepayCount: 1,
  });
  const paid = await sandbox.simulatorControls.pay(payload.parse(payloads[0]));
  expect(orThrow(paid)).toEqual({ outTradeNo: id, state: "PAID", notified: true });
  expect(await storedOrder(fixture, "b")).toMatchObject({ paymentStatus: "PAID" });
}

/** Serves the payments endpoints and returns a function that posts an order. */
async function serve({ appId, appSecret }: TestFixture, ports: Ports) {
  const baseUrl = await listening(express().use("/pay", paymentsRouter(ports)));
  return async (body: object) => {
    const headers = { APP_ID: appId, APP_SECRET: appSecret, "content-type": "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    return members(await (await fetch(`${baseUrl}/pay/order.json`, request)).text());
  };
}
