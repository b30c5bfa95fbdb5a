import { expectOk } from "@tillkit/contract-tests";
import { createApp, type Order, orThrow, parseInput, refundOrder, refundOrderInput } from "@tillkit/core";
import { aShop } from "@tillkit/memory";
import { expect, it, onTestFinished } from "vitest";
import { openDashboard } from "./testing/open-dashboard.js";
import { walletCallFigures } from "./wallet-call-figures.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The counts of an hour without orders. */
const none = { created: 0, paid: 0 };
/** Noon in China. */
const NOON = Date.UTC(2026, 0, 15, 4);

async function aShopAtNoon() {
  const shop = await aShop({ startAt: NOON - 7 * DAY });
  onTestFinished(() => shop.end());
  const walletCalls = walletCallFigures(shop.ports.clock);
  const dashboard = openDashboard(shop.ports, { walletCalls });
  await dashboard.create("li", "support");
  const sale = async (bizNo: string) => {
    const { order } = await shop.placeOrder({ bizNo });
    await shop.wallets[order.payChannel].notify(order);
    return order;
  };
  return { ...dashboard, shop, walletCalls, sale, appId: shop.app.appId };
}

it("Today has the money of the day and of the same weekday a week ago, and what waits", async () => {
  const { shop, sale, signIn, appId, walletCalls } = await aShopAtNoon();
  const before = await sale("last-week");
  shop.advance(DAY);
  await sale("in-between");
  shop.advance(6 * DAY - 3_600_000);
  await sale("today-1");
  const { amount, payChannel } = await sale("today-2");
  const { order: waiting } = await shop.placeOrder({ bizNo: "waiting" });
  shop.advance(3_600_000);
  walletCalls.onEvent({
    type: "wallet.called",
    payChannel,
    call: "query",
    outcome: "unknown",
    durationMs: 70,
  });
  const li = await signIn("li");
  const { status, json } = await li.get("/api/today");
  expect(status).toBe(200);
  expect(json).toMatchObject({
    day: "2026-01-15",
    money: [
      {
        appId,
        payChannel,
        paid: 2,
        taken: 2 * amount,
        refunds: 0,
        refunded: 0,
        takenBefore: before.amount,
        refundedBefore: 0,
      },
    ],
    hours: [
      ...Array.from({ length: 11 }, (_, nth) => ({ ...none, start: NOON - (12 - nth) * HOUR })),
      { start: NOON - HOUR, created: 3, paid: 2 },
      { ...none, start: NOON },
    ],
    pending: {
      total: { count: 1, isLeast: false },
      oldest: { appId, bizNo: "waiting", gmtCreate: waiting.gmtCreate },
    },
    alarms: { count: 0, isLeast: false },
    approvals: { count: 0, isLeast: false },
    walletCalls: [{ payChannel, call: "query", ok: 0, rejected: 0, unknown: 1, p95: 100 }],
    credentials: [],
  });
  expect(json["queues"]).toMatchObject([{ name: "orders" }, { name: "refunds" }, {}, {}, {}]);
});

it("Today compares payments and refunds with the same weekday until the same time of day", async () => {
  const { shop, sale, signIn, appId } = await aShopAtNoon();
  const before = await sale("last-week");
  const refund = ({ bizNo }: Order) => {
    const asked = { bizNo, refundNo: "r-1", amount: 100, operator: "li", reason: "bought twice" };
    const input = orThrow(parseInput(refundOrderInput(shop.ports.policy), asked));
    return expectOk(refundOrder(shop.ports, appId, input));
  };
  await refund(before);
  shop.advance(1);
  // This sale of last week has a later time of day than now, so it does not count yet.
  const later = await sale("last-week-later");
  await refund(later);
  shop.advance(7 * DAY - 1);
  const li = await signIn("li");
  const ofToday = async () => (await li.get("/api/today")).json["money"];
  const { payChannel, amount } = before;
  const row = { appId, payChannel, paid: 0, taken: 0, refunds: 0, refunded: 0 };
  expect(await ofToday()).toEqual([{ ...row, takenBefore: amount, refundedBefore: 100 }]);
  shop.advance(5_000);
  expect(await ofToday()).toEqual([{ ...row, takenBefore: amount + later.amount, refundedBefore: 200 }]);
});

it("Today shows a channel that took money only a week ago", async () => {
  const { shop, sale, signIn, appId } = await aShopAtNoon();
  const { amount, payChannel } = await sale("last-week");
  shop.advance(7 * DAY);
  const li = await signIn("li");
  expect((await li.get("/api/today")).json["money"]).toEqual([
    {
      appId,
      payChannel,
      paid: 0,
      taken: 0,
      refunds: 0,
      refunded: 0,
      takenBefore: amount,
      refundedBefore: 0,
    },
  ]);
});

it("Today is limited to the apps of the operator, without the queues and wallet calls of all apps", async () => {
  const { shop, sale, create, signIn, appId } = await aShopAtNoon();
  await sale("last-week");
  const { app } = await expectOk(createApp(shop.ports, { name: "Other" }));
  await create("an", "viewer", [app.appId]);
  const an = await signIn("an");
  for (const query of ["", `appId=${appId}`]) {
    const { json } = await an.get("/api/today", query);
    expect(json).toMatchObject({ money: [], pending: { total: { count: 0 } } });
    expect(json["hours"]).toEqual(expect.not.arrayContaining([expect.objectContaining({ created: 1 })]));
    expect(json).not.toHaveProperty("queues");
    expect(json).not.toHaveProperty("walletCalls");
  }
});

it("the server caches the figures for a few seconds, and never caches a failure", async () => {
  const { shop, sale, signIn } = await aShopAtNoon();
  const li = await signIn("li");
  const paid = async () => (await li.get("/api/today")).json["money"];
  shop.faults.fail("orderSearch", "sales");
  expect((await li.get("/api/today")).status).toBe(503);
  expect(await paid()).toEqual([]);
  await sale("b-1");
  expect(await paid()).toEqual([]);
  shop.advance(5_000);
  expect(await paid()).toMatchObject([{ paid: 1 }]);
});
