import {
  createOrder,
  createOrderInput,
  type Order,
  orThrow,
  parseInput,
  refundOrder,
  refundOrderInput,
} from "@tillkit/core";
import { expectOk } from "@tillkit/contract-tests";
import { aShop } from "@tillkit/memory";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDashboard, send } from "./testing/open-dashboard.js";

const MARKUP = '<img src=x onerror="alert(1)">';

/** Opens a dashboard over a shop, with an operator of the role `support`. */
async function aSupportDesk() {
  const shop = await aShop();
  onTestFinished(() => shop.end());
  const dashboard = openDashboard(shop.ports);
  const { ports } = shop;
  const { appId } = shop.app;
  const order = async (bizNo: string, more: Parameters<typeof shop.placeOrder>[0] = {}) =>
    (await shop.placeOrder({ bizNo, ...more })).order;
  const pay = (paid: Order) => shop.wallets.WALLET_A.notify(paid);
  await dashboard.create("li", "support");
  const li = await dashboard.signIn("li");
  const path = (bizNo: string, action = "") => `/api/orders/${appId}/${bizNo}${action}`;
  return { ...dashboard, ports, appId, order, pay, li, path };
}

describe("the page of an order", () => {
  it("has the facts, the events in sentences, and what happens next", async () => {
    const { order, li, path, appId } = await aSupportDesk();
    await order("b-1", { attachData: MARKUP, goodsTitle: MARKUP });
    const { status, json } = await li.get(path("b-1"));
    expect(status).toBe(200);
    expect(json).toMatchObject({
      order: { appId, bizNo: "b-1", amount: 600, paymentStatus: "PENDING", attachData: MARKUP },
      timeline: [
        {
          seq: 1,
          type: "CREATED",
          actor: "caller",
          sentence: "Created by the app's server",
          alarm: false,
        },
      ],
      chainHolds: true,
      refunds: [],
      remaining: 600,
    });
    expect(JSON.stringify(json["next"])).toContain("The next query of WeChat Pay");
  });

  it("has the options that the wallet received", async () => {
    const { li, path, ports, appId } = await aSupportDesk();
    const input = orThrow(
      parseInput(createOrderInput(ports.policy), {
        bizNo: "b-1",
        customerIdentity: "user-1",
        amount: 600,
        goodsTitle: "Month",
        payChannel: "WALLET_A",
        walletOptions: { attach: MARKUP, limit_pay: ["no_credit"] },
      }),
    );
    await expectOk(createOrder(ports, appId, input));
    const { json } = await li.get(path("b-1"));
    expect(json["order"]).toMatchObject({ walletOptions: { attach: MARKUP, limit_pay: ["no_credit"] } });
    expect(json["summary"]).toContain("WeChat Pay gets these options with it: attach, limit_pay.");
    expect(JSON.stringify([json["summary"], json["state"], json["timeline"]])).not.toContain("img");
  });

  it("has the refunds and the remaining amount", async () => {
    const { order, pay, li, path, ports, appId } = await aSupportDesk();
    await pay(await order("b-1"));
    const refund = { bizNo: "b-1", refundNo: "r-1", amount: 250, reason: "half", operator: "han" };
    const input = orThrow(parseInput(refundOrderInput(ports.policy), refund));
    await expectOk(refundOrder(ports, appId, input));
    const { json } = await li.get(path("b-1"));
    expect(json).toMatchObject({
      refunds: [{ refundNo: "r-1", amount: 250, operator: "han" }],
      remaining: 350,
    });
  });

  it("is written in Chinese if the browser prefers it", async () => {
    const { surface, order, li, path } = await aSupportDesk();
    await order("b-1");
    const headers = { cookie: li.cookie, "accept-language": "zh-CN" };
    const { json } = await send(surface, { path: path("b-1"), headers });
    expect(String(json["summary"])).toContain("订单 b-1");
  });

  it("is not found for another number, and for an operator of other apps", async () => {
    const { create, signIn, order, li, path } = await aSupportDesk();
    await order("b-1");
    expect((await li.get(path("b-2"))).status).toBe(404);
    await create("an", "admin", ["app_other"]);
    const an = await signIn("an");
    const none = await an.get(path("b-1"));
    expect(none).toMatchObject({ status: 404, json: { error: { name: "order.not-found" } } });
    expect((await an.post(path("b-1", "/close"), { reason: "test" })).status).toBe(404);
    expect((await li.get(path("b-1"))).json).toMatchObject({ order: { paymentStatus: "PENDING" } });
  });
});

describe("actions", () => {
  it("query the wallet, and record who asked and why", async () => {
    const { order, li, path, ports, appId } = await aSupportDesk();
    const { id } = await order("b-1");
    ports.wallets.WALLET_A.pay(id);
    const synced = await li.post(path("b-1", "/sync"), { reason: "the customer calls" });
    expect(synced.json).toMatchObject({ order: { paymentStatus: "PAID" } });
    const log = (await expectOk(ports.auditLog.search({ subject: `order:${appId}/b-1`, limit: 10 }))).items;
    expect(log).toMatchObject([
      { action: "order.sync", outcome: "done", operator: "li", reason: "the customer calls", appId },
    ]);
  });

  it("close an order, with the operator on its timeline", async () => {
    const { order, li, path } = await aSupportDesk();
    await order("b-1");
    const closed = await li.post(path("b-1", "/close"), { reason: "ordered twice" });
    expect(closed.json).toMatchObject({ order: { paymentStatus: "CLOSE" } });
    expect(JSON.stringify(closed.json["timeline"])).toContain("operator:li");
  });

  it("record what failed", async () => {
    const { order, pay, li, path, ports, appId } = await aSupportDesk();
    await pay(await order("b-1"));
    const refused = await li.post(path("b-1", "/close"), { reason: "ordered twice" });
    expect(refused).toMatchObject({ json: { error: { name: "order.already-paid" } } });
    const log = (await expectOk(ports.auditLog.search({ subject: `order:${appId}/b-1`, limit: 10 }))).items;
    expect(log.map(({ outcome, detail }) => [outcome, detail])).toEqual([
      ["failed", JSON.stringify({ failure: "order.already-paid" })],
    ]);
  });

  it("record one failure for an order that does not exist", async () => {
    const { li, path, ports, appId } = await aSupportDesk();
    expect((await li.post(path("none", "/sync"), { reason: "test" })).status).toBe(404);
    const log = await expectOk(ports.auditLog.search({ subject: `order:${appId}/none`, limit: 10 }));
    const detail = JSON.stringify({ failure: "order.not-found" });
    expect(log.items).toMatchObject([{ action: "order.sync", outcome: "failed", detail }]);
  });
});

describe("the audit log", () => {
  it("is searched by operator, and read in pages", async () => {
    const { order, li, path, create, signIn } = await aSupportDesk();
    await order("b-1");
    for (const reason of ["first", "second", "third"]) await li.post(path("b-1", "/sync"), { reason });
    await create("fin", "finance");
    const fin = await signIn("fin");
    const page = await fin.get("/api/audit", "operator=li&action=order.sync&limit=2");
    expect(page.json["items"]).toMatchObject([{ reason: "third" }, { reason: "second" }]);
    const next = await fin.get(
      "/api/audit",
      `operator=li&action=order.sync&limit=2&before=${String(page.json["older"])}`,
    );
    expect(next.json["items"]).toMatchObject([{ reason: "first" }]);
    expect(next.json).not.toHaveProperty("older");
  });

  it("shows an operator of some apps only their entries", async () => {
    const { order, li, path, create, signIn, appId } = await aSupportDesk();
    await order("b-1");
    await li.post(path("b-1", "/sync"), { reason: "first" });
    await create("mine", "finance", [appId]);
    await create("other", "finance", ["app_other"]);
    const mine = await (await signIn("mine")).get("/api/audit");
    expect(mine.json["items"]).toMatchObject([{ action: "order.sync" }]);
    const other = await signIn("other");
    expect((await other.get("/api/audit")).json["items"]).toEqual([]);
    expect((await other.get("/api/audit", `app=${appId}`)).json["items"]).toEqual([]);
  });

  it.each(["limit=0", "limit=101", "before=x", "action=none", "from=-1", "limit=1&limit=2"])(
    "answers 400 to %s",
    async (query) => {
      const { create, signIn } = await aSupportDesk();
      await create("fin", "finance");
      expect((await (await signIn("fin")).get("/api/audit", query)).status).toBe(400);
    },
  );
});
