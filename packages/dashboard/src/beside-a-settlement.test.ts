import { aFoundException, expectFailure, expectOk } from "@tillkit/contract-tests";
import {
  parseInput,
  reconcileOrders,
  refundOrder,
  refundOrderInput,
  settleRefund,
  settleRefundInput,
} from "@tillkit/core";
import {
  adoptBillException,
  adoptRefund,
  adoptRefundInput,
  resolveBillExceptionInput,
} from "@tillkit/core/operators";
import { outRefundNo } from "@tillkit/core/ports";
import { memoryPorts } from "@tillkit/memory";
import { ResultAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { openDashboard } from "./testing/open-dashboard.js";
import { aPaidOrder, anAbnormalRefund, anApp } from "./testing/paid-orders.js";

/**
 * Creates an order of 600 cents with a refund r-1 that waits for funds.
 *
 * `refundInConsole` makes a refund in the wallet's console, which a bill lists.
 */
async function withWaiting(amount: number) {
  const ports = memoryPorts();
  const appId = await anApp(ports);
  const order = await aPaidOrder(ports, appId, "b-1");
  const wallet = ports.wallets.WALLET_A;
  const account = await expectOk(ports.payTools.find(order.payToolId));
  const refund = (cents: number, refundNo: string) =>
    parseInput(refundOrderInput(ports.policy), {
      bizNo: "b-1",
      refundNo,
      amount: cents,
      reason: "returned",
      operator: "han",
    }).asyncAndThen((input) => refundOrder(ports, appId, input));
  const settle = (refundNo: string) =>
    parseInput(settleRefundInput(ports.policy), {
      bizNo: "b-1",
      refundNo,
      reason: "in cash",
      operator: "kim",
    }).asyncAndThen((input) => settleRefund(ports, appId, input));
  const refundInConsole = async (number: string, cents: number) => {
    if (account === undefined) throw new Error("The order has no account.");
    const request = { outTradeNo: order.id, refundNo: number, amount: cents, orderAmount: 600 };
    const asked = { ...request, reason: "", notifyUrl: "" };
    await expectOk(wallet.refund(account, asked, { deadline: 1_000 }));
    const facts = { kind: "REFUND_NOT_HERE", outTradeNo: order.id, refundNo: number, order } as const;
    const found = aFoundException({ ...facts, amountThere: cents });
    await expectOk(ports.billExceptions.report([found]));
    return async () => {
      const asked = { bizNo: "b-1", walletRefundNo: number, reason: "console", operator: "kim" };
      await expectOk(
        parseInput(adoptRefundInput(ports.policy), asked).asyncAndThen((input) =>
          adoptRefund(ports, appId, input),
        ),
      );
      await expectOk(ports.billExceptions.markHealed([found.id], ports.clock.now()));
    };
  };
  wallet.setOutOfFunds(true);
  await expectOk(refund(amount, "r-1"));
  ports.clock.advance(60_000);
  wallet.setOutOfFunds(false);
  return { ports, order, wallet, refund, settle, refundInConsole };
}

describe("a refund beside a settlement", () => {
  it("is refused if the settlement used the amount while Tillkit queried the wallet", async () => {
    const { wallet, refund, settle, refundInConsole } = await withWaiting(200);
    await refundInConsole("5030", 300);
    const query = wallet.queryRefund.bind(wallet);
    let isFirst = true;
    wallet.queryRefund = (...args) => {
      const answer = query(...args);
      if (!isFirst) return answer;
      isFirst = false;
      return answer.andThen((known) =>
        settle("r-1")
          .map(() => known)
          .orElse(() => answer),
      );
    };
    expect(await expectFailure(refund(300, "r-2"))).toMatchObject({
      name: "refund.exceeds-remaining",
      remaining: 100,
    });
    expect(wallet.balance()).toBe(300);
  });

  it("is not sent again while a bill lists a refund that Tillkit has not recorded", async () => {
    const { ports, order, wallet, refund, settle, refundInConsole } = await withWaiting(200);
    wallet.setOutOfFunds(true);
    await expectOk(refund(300, "r-2"));
    ports.clock.advance(60_000);
    await expectOk(settle("r-1"));
    wallet.setOutOfFunds(false);
    await refundInConsole("5030", 300);
    ports.clock.advance(24 * 60 * 60_000);
    await expectOk(reconcileOrders(ports));
    expect(await expectOk(ports.refunds.list(order))).toMatchObject([
      { refundNo: "r-1", status: "SETTLED" },
      { refundNo: "r-2", status: "WAITING_FOR_FUNDS" },
    ]);
    expect(wallet.balance()).toBe(300);
  });

  it.each([
    ["before it is sent again", "before"],
    ["while the exceptions of its bill are read", "meanwhile"],
  ])("is never sent if a console refund of its amount was adopted %s", async (_, when) => {
    const { ports, order, wallet, refund, settle, refundInConsole } = await withWaiting(200);
    wallet.setOutOfFunds(true);
    await expectOk(refund(300, "r-2"));
    ports.clock.advance(60_000);
    await expectOk(settle("r-1"));
    wallet.setOutOfFunds(false);
    const adopt = await refundInConsole("5030", 300);
    if (when === "before") await adopt();
    let isFirst = when === "meanwhile";
    const list: typeof ports.billExceptions.list = (query) => {
      const adopted = ResultAsync.fromSafePromise(isFirst ? adopt() : Promise.resolve());
      isFirst = false;
      return adopted.andThen(() => ports.billExceptions.list(query));
    };
    for (let days = 0; days < 2; days += 1) {
      ports.clock.advance(24 * 60 * 60_000);
      await expectOk(reconcileOrders({ ...ports, billExceptions: { ...ports.billExceptions, list } }));
    }
    expect(await expectOk(ports.refunds.list(order))).toMatchObject([
      { refundNo: "r-1", status: "SETTLED" },
      { refundNo: "r-2", status: "WAITING_FOR_FUNDS" },
      { refundNo: "console:5030", status: "CONFIRMED" },
    ]);
    expect(wallet.balance()).toBe(300);
  });

  it("is CONFIRMED if the wallet has a refund with its number, which the record has lost", async () => {
    const { order, refund, settle, refundInConsole } = await withWaiting(300);
    await expectOk(settle("r-1"));
    await refundInConsole(outRefundNo(order, { refundNo: "lost" }), 300);
    expect(await expectOk(refund(300, "lost"))).toMatchObject({ status: "CONFIRMED" });
  });
});

it("leaves an exception open if the wallet confirms the refund that was settled", async () => {
  const { ports, order, settle, refundInConsole } = await withWaiting(200);
  await expectOk(settle("r-1"));
  await refundInConsole(outRefundNo(order, { refundNo: "r-1" }), 200);
  const exceptions = () => expectOk(ports.billExceptions.list({ state: "OPEN", limit: 2 }));
  const [exception] = (await exceptions()).items;
  const asked = { id: exception?.id, operator: "kim", note: "seen in the console" };
  const adoption = parseInput(resolveBillExceptionInput(), asked).asyncAndThen((input) =>
    adoptBillException(ports, input),
  );
  expect(await expectFailure(adoption)).toEqual({ name: "refund.status-conflict", status: "SETTLED" });
  expect((await exceptions()).items).toEqual([exception]);
  const timeline = await expectOk(ports.orders.timeline(order));
  expect(timeline.at(-1)).toMatchObject({ type: "REFUND_PAID_TWICE", alarm: true });
});

it("subtracts a refund that only a bill lists from what remains, until the exception is closed", async () => {
  const ports = memoryPorts();
  const { create, signIn } = openDashboard(ports);
  const appId = await anApp(ports);
  const order = await aPaidOrder(ports, appId, "b-1");
  await create("han", "admin");
  const han = await signIn("han");
  const path = `/api/orders/${appId}/b-1`;
  const remaining = async () => (await han.get(path)).json["remaining"];
  const tried = async (amount?: number) =>
    (await han.post(`${path}/refunds/dry-run`, { refundNo: "r-1", ...(amount && { amount }) })).json;
  const ofOrder = { outTradeNo: order.id, order } as const;
  const listed = aFoundException({ ...ofOrder, kind: "REFUND_NOT_HERE", refundNo: "5030", amountThere: 200 });
  const other = aFoundException({ ...ofOrder, kind: "PAYMENT_AMOUNT", amountThere: 50 });
  expect(await remaining()).toBe(600);
  await expectOk(ports.billExceptions.report([listed, other]));
  expect(await remaining()).toBe(400);
  expect(await tried()).toMatchObject({ amount: 400, remaining: 400, remainingAfter: 0 });
  expect((await tried(401))["error"]).toMatchObject({ name: "refund.exceeds-remaining" });
  await expectOk(
    ports.billExceptions.resolve(listed.id, { operator: "kim", note: "no", at: 9, remedy: "settle" }),
  );
  expect(await remaining()).toBe(600);
  // The amount of an open refund is subtracted only once, even if the bill lists the refund.
  ports.wallets.WALLET_A.holdNextRefund();
  await han.post(`${path}/refunds`, { refundNo: "r-2", amount: 150, reason: "returned" });
  const sent = outRefundNo(order, { refundNo: "r-2" });
  const own = aFoundException({ ...ofOrder, kind: "REFUND_NOT_HERE", refundNo: sent, amountThere: 150 });
  await expectOk(ports.billExceptions.report([own]));
  expect(await remaining()).toBe(450);
});

it("refuses a second payout that names another receiver", async () => {
  const ports = memoryPorts();
  const dashboard = openDashboard(ports);
  const appId = await anApp(ports);
  const order = await aPaidOrder(ports, appId, "b-1");
  await anAbnormalRefund(ports, order, "r-1");
  await dashboard.create("han", "admin");
  const han = await dashboard.signIn("han");
  const payOut = (payTo: string, card: Record<string, string> = {}) =>
    han.post(`/api/orders/${appId}/b-1/refunds/r-1/pay-out`, { reason: "card closed", payTo, ...card });
  const card = { bankType: "CMB_DEBIT", bankAccount: "6225000000000001", realName: "Li" };
  expect((await payOut("customer", card)).status).toBe(200);
  expect(await payOut("merchant")).toMatchObject({
    status: 409,
    json: { error: { name: "refund.status-conflict" } },
  });
});
