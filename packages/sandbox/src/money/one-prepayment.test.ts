import { expectFailure, expectOk, race, RACERS } from "@tillkit/contract-tests";
import type { PayChannel, PaySource, Ports } from "@tillkit/core";
import { paymentsRouter } from "@tillkit/express";
import express from "express";
import { describe, expect, it } from "vitest";
import { payload } from "../cashier.js";
import { members } from "../testing/json.js";
import { listening } from "../testing/listening.js";
import { codeOf, faultyWallet, held, openWorld, order, type World } from "../testing/world.js";

/** The ways to pay that need a call to the wallet. */
const CALLING = [
  ["WALLET_A", "APP"],
  ["WALLET_A", "NATIVE"],
  ["WALLET_A", "H5"],
  ["WALLET_B", "NATIVE"],
] as const satisfies readonly (readonly [PayChannel, PaySource])[];

describe.each(CALLING)("when %s takes an order (%s) and its answer is lost", (payChannel, paySource) => {
  const wanted = { payChannel, paySource };
  const wallet = faultyWallet(payChannel);
  /**
   * Repeats the request until the wallet has the order, without a response.
   *
   * On a busy machine the deadline may pass before the request arrives.
   */
  const lose = async (world: World, ask: () => Promise<void>) => {
    await world.faults({ [wallet]: { prepay: "timeout" } });
    do await ask();
    while (world.sandbox.desk.order((await held(world, "b")).id).isErr());
    await world.faults({ [wallet]: { prepay: null } });
  };

  it("fifty retries at once open one order with one payload", async () => {
    const world = await openWorld();
    await lose(world, async () => {
      const lost = await expectFailure(order({ ...world, ports: world.impatient }, "b", wanted));
      expect(codeOf(lost)).toBe(payChannel === "WALLET_A" ? 30002 : 40001);
    });
    const checkouts = await race(RACERS, () => order(world, "b", wanted));
    await expectOne(
      world,
      checkouts.map((checkout) => checkout.payload),
    );
  });

  it("fifty callers at once, of whom one asked and could believe nothing, open one order with one payload", async () => {
    const world = await openWorld();
    await world.faults({ [wallet]: { prepay: { fault: "unsigned", times: 1 } } });
    const calls = Array.from({ length: RACERS }, () => order(world, "b", wanted));
    const outcomes = await Promise.all(calls);
    const codes = outcomes.flatMap((outcome) => (outcome.isErr() ? [codeOf(outcome.error)] : []));
    expect(codes).toEqual([payChannel === "WALLET_A" ? 30003 : 40001]);
    const payloads = outcomes.flatMap((outcome) => (outcome.isOk() ? [outcome.value.payload] : []));
    await expectOne(world, payloads);
  });

  it("fifty retries at once over HTTP open one order with one payload", async () => {
    const world = await openWorld();
    const post = await serve(world, world.impatient);
    const purchase = {
      bizNo: "b",
      customerIdentity: "of-b",
      amount: 600,
      goodsTitle: "Thirty days",
      ...wanted,
    };
    await lose(world, async () =>
      expect(await post(purchase)).toMatchObject({ code: payChannel === "WALLET_A" ? 30002 : 40001 }),
    );
    const again = await serve(world, world.ports);
    const answers = await Promise.all(Array.from({ length: RACERS }, () => again(purchase)));
    for (const answer of answers) expect(answer).toMatchObject({ code: 0 });
    await expectOne(
      world,
      answers.map(({ data }) => data),
    );
  });
});

/** Expects one stored order, one prepayment at the wallet, and one payload that can be paid. */
async function expectOne(world: World, payloads: readonly unknown[]): Promise<void> {
  const { ports, appId, sandbox, notices } = world;
  expect(payloads.length).toBeGreaterThanOrEqual(RACERS - 1);
  expect(new Set(payloads.map((one) => JSON.stringify(one))).size).toBe(1);
  const list = { appId, customerIdentity: "of-b", offset: 0, limit: 10 };
  expect(await expectOk(ports.orders.list(list))).toMatchObject({ totalCount: 1 });
  const asked = notices.flatMap((notice) =>
    notice.type === "wallet.called" && notice.call === "prepare" ? [notice.outcome] : [],
  );
  expect(asked.at(-1)).toBe("ok");
  expect(new Set(asked.slice(0, -1))).toEqual(new Set(["unknown"]));
  const { id } = await held(world, "b");
  expect(sandbox.desk.order(id)._unsafeUnwrap()).toMatchObject({ state: "NOTPAY", prepayCount: 1 });
  const paid = await sandbox.desk.pay(payload.parse(payloads[0]));
  expect(paid._unsafeUnwrap()).toEqual({ outTradeNo: id, state: "PAID", notified: true });
  expect(await held(world, "b")).toMatchObject({ paymentStatus: "PAID" });
}

/** Serves the payments endpoints and returns a function that posts an order. */
async function serve({ appId, appSecret }: World, ports: Ports) {
  const baseUrl = await listening(express().use("/pay", paymentsRouter(ports)));
  return async (body: object) => {
    const headers = { APP_ID: appId, APP_SECRET: appSecret, "content-type": "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    return members(await (await fetch(`${baseUrl}/pay/order.json`, request)).text());
  };
}
