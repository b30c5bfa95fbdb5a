import { expectOk } from "@tillkit/contract-tests";
import { createApp } from "@tillkit/core";
import { aShop } from "@tillkit/memory";
import { expect, it, describe, onTestFinished } from "vitest";
import { openDashboard, sendForText } from "./testing/open-dashboard.js";

async function aBusyShop() {
  const shop = await aShop();
  onTestFinished(() => shop.end());
  const dashboard = openDashboard(shop.ports);
  await dashboard.create("li", "support");
  const li = await dashboard.signIn("li");
  const { appId } = shop.app;
  /** Places orders a minute apart, from the oldest to the newest. */
  const place = async (...bizNos: readonly string[]) => {
    const orders = [];
    for (const bizNo of bizNos) {
      orders.push((await shop.placeOrder({ bizNo })).order);
      shop.advance(60_000);
    }
    return orders;
  };
  const listed = async (query = "", by = li) => {
    const { status, json } = await by.get("/api/orders", query);
    expect(status).toBe(200);
    return json;
  };
  /** Lets the wallet report a wrong amount, which raises an alarm. */
  const raiseAlarm = (order: { readonly appId: string; readonly bizNo: string }) =>
    expectOk(
      shop.ports.orders.record(order, {
        type: "MISMATCH",
        at: shop.ports.clock.now(),
        actor: "wallet",
        reason: "the amount differs",
        alarm: true,
      }),
    );
  return { ...dashboard, shop, li, appId, place, listed, raiseAlarm };
}

const bizNosOf = (json: Readonly<Record<string, unknown>>) =>
  (Array.isArray(json["items"]) ? json["items"] : []).map((item: { bizNo: string }) => item.bizNo);

describe("the list of orders", () => {
  it("is sorted newest first, with the facts of each order, and counted", async () => {
    const { place, shop, listed, appId } = await aBusyShop();
    const [order] = await place("b-1", "b-2");
    if (order === undefined) throw new Error("No order was placed.");
    await shop.wallets[order.payChannel].notify(order);
    const json = await listed();
    expect(json).toMatchObject({
      items: [
        { bizNo: "b-2", paymentStatus: "PENDING", alarm: false },
        { bizNo: "b-1", appId, id: order.id, amount: order.amount, paymentStatus: "PAID" },
      ],
      total: { count: 2, isLeast: false },
    });
    expect(json).not.toHaveProperty("older");
  });

  it("is read page by page, without the total after the first page", async () => {
    const { place, listed } = await aBusyShop();
    await place("b-1", "b-2", "b-3");
    const first = await listed("limit=2");
    expect(bizNosOf(first)).toEqual(["b-3", "b-2"]);
    const second = await listed(`limit=2&before=${encodeURIComponent(String(first["older"]))}`);
    expect(bizNosOf(second)).toEqual(["b-1"]);
    expect(second).not.toHaveProperty("total");
    expect(second).not.toHaveProperty("older");
  });

  it("is filtered by every criterion of the query", async () => {
    const { place, shop, listed, appId, raiseAlarm } = await aBusyShop();
    const [first, second, third] = await place("b-1", "b-2", "b-3");
    if (first === undefined || second === undefined || third === undefined) throw new Error("No orders.");
    await shop.wallets[first.payChannel].notify(first);
    await raiseAlarm(second);
    const { gmtCreate, customerIdentity, amount, payChannel } = second;
    const other = payChannel === "WALLET_A" ? "WALLET_B" : "WALLET_A";
    for (const [query, expected] of [
      ["status=PAID", ["b-1"]],
      ["alarm=true", ["b-2"]],
      [`from=${gmtCreate}&until=${gmtCreate + 1}`, ["b-2"]],
      [`channel=${other}`, []],
      [`customer=${encodeURIComponent(customerIdentity)}&status=PENDING`, ["b-3", "b-2"]],
      [`min=${amount + 1}`, []],
      [`max=${amount}&appId=${appId}`, ["b-3", "b-2", "b-1"]],
      ["appId=app_none", []],
    ] as const)
      expect({ query, found: bizNosOf(await listed(query)) }).toEqual({ query, found: expected });
  });

  it.each([
    "status=paid",
    "paidFrom=6&paidUntil=5",
    "paidFrom=5&paidUntil=5",
    "before=x",
    "before=1_%00",
    "limit=0",
    "limit=101",
    "alarm=1",
    "from=-1",
    "q=1&q=2",
  ])("answers 400 to %s, or ignores what it does not know", async (query) => {
    const { li } = await aBusyShop();
    expect((await li.get("/api/orders", query)).status).toBe(400);
  });

  it("contains only the apps of the operator, even if the query names another app", async () => {
    const { place, shop, create, signIn, listed, appId } = await aBusyShop();
    await place("b-1");
    const { app } = await expectOk(createApp(shop.ports, { name: "Other" }));
    await create("an", "support", [app.appId]);
    await create("bo", "support", [appId]);
    const [an, bo] = [await signIn("an"), await signIn("bo")];
    expect(bizNosOf(await listed("", an))).toEqual([]);
    expect(bizNosOf(await listed(`appId=${appId}`, an))).toEqual([]);
    expect(bizNosOf(await listed("", bo))).toEqual(["b-1"]);
    const searched = await an.get("/api/orders/search", "q=b-1");
    expect(searched.json).toMatchObject({ items: [], more: false });
  });
});

describe("the search", () => {
  it("finds an order by each of its numbers, pasted with spaces around it", async () => {
    const { place, shop, li } = await aBusyShop();
    const [order] = await place("b-1");
    if (order === undefined) throw new Error("No order was placed.");
    await shop.wallets[order.payChannel].notify(order);
    const paid = await expectOk(shop.ports.orders.find(order));
    for (const text of ["b-1", order.id, paid?.walletTradeNo ?? "", order.customerIdentity]) {
      const { json } = await li.get("/api/orders/search", `q=${encodeURIComponent(`  ${text}\t`)}`);
      expect(json).toMatchObject({ q: text, items: [{ bizNo: "b-1" }], more: false });
    }
  });

  it("returns the searched text if it finds nothing", async () => {
    const { li } = await aBusyShop();
    const { json } = await li.get("/api/orders/search", "q=none");
    expect(json).toEqual({
      q: "none",
      items: [],
      refunds: [],
      more: false,
      searched: ["bizNo", "id", "walletTradeNo", "customerIdentity", "refundNo", "walletRefundNo"],
    });
  });

  it.each(["", "q=", "q=%20", `q=${"x".repeat(201)}`, "q=a%00b"])("answers 400 to %s", async (query) => {
    const { li } = await aBusyShop();
    expect((await li.get("/api/orders/search", query)).status).toBe(400);
  });
});

describe("the export", () => {
  it("has exactly what the list shows, and an entry in the audit log", async () => {
    const { place, shop, surface, li, appId } = await aBusyShop();
    const [order] = await place("b-1", "b-2");
    if (order === undefined) throw new Error("No order was placed.");
    await shop.wallets[order.payChannel].notify(order);
    const request = { path: "/api/orders.csv", query: "status=PAID", headers: { cookie: li.cookie } };
    const { status, headers, text } = await sendForText(surface, request);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="orders.csv"',
    });
    const [header, line, ...rest] = text.split("\r\n");
    expect(header).toMatch(/^\uFEFFcreated,appId,bizNo,/);
    expect(line).toContain(`,${appId},b-1,${order.id},`);
    expect(rest).toEqual([""]);
    const [entry] = (await expectOk(shop.ports.auditLog.search({ action: "orders.export", limit: 1 }))).items;
    expect(entry).toMatchObject({
      operator: "li",
      detail: JSON.stringify({ status: "PAID" }),
      outcome: "done",
    });
  });

  it("escapes texts that a spreadsheet would read as a formula", async () => {
    const { shop, surface, li } = await aBusyShop();
    await shop.placeOrder({ bizNo: "b-1", goodsTitle: '=HYPERLINK("http://x.example","y")' });
    const request = { path: "/api/orders.csv", headers: { cookie: li.cookie } };
    const { text } = await sendForText(surface, request);
    expect(text).toContain(`,"'=HYPERLINK(""http://x.example"",""y"")",`);
  });

  it("does not write the customer to the audit log", async () => {
    const { place, shop, surface, li } = await aBusyShop();
    const [order] = await place("b-1");
    const customer = order?.customerIdentity ?? "";
    const query = `customer=${encodeURIComponent(customer)}`;
    const { text } = await sendForText(surface, {
      path: "/api/orders.csv",
      query,
      headers: { cookie: li.cookie },
    });
    expect(text).toContain(customer);
    const log = (await expectOk(shop.ports.auditLog.search({ limit: 10 }))).items;
    expect(JSON.stringify(log)).not.toContain(customer);
  });

  it("breaks off if the storage fails, so that an incomplete file does not look complete", async () => {
    const { place, shop, surface, li } = await aBusyShop();
    await place("b-1");
    shop.faults.fail("orderSearch", "list");
    const request = { path: "/api/orders.csv", headers: { cookie: li.cookie } };
    await expect(sendForText(surface, request)).rejects.toThrow("ended early");
  });
});

describe("an alarm", () => {
  it("is acknowledged once, with the operator on the timeline and in the audit log", async () => {
    const { place, shop, li, listed, raiseAlarm, appId } = await aBusyShop();
    const [order] = await place("b-1");
    if (order === undefined) throw new Error("No order was placed.");
    await raiseAlarm(order);
    expect(await listed("alarm=true")).toMatchObject({ items: [{ bizNo: "b-1", alarm: true }] });
    const path = `/api/orders/${appId}/b-1/acknowledge`;
    const done = await li.post(path, { reason: "called the customer" });
    expect(done).toMatchObject({ status: 200, json: { openAlarms: 0 } });
    expect(JSON.stringify(done.json["timeline"])).toContain("Alarm acknowledged by li: called the customer");
    expect(bizNosOf(await listed("alarm=true"))).toEqual([]);
    const again = await li.post(path, { reason: "again" });
    expect(again).toMatchObject({ status: 409, json: { error: { name: "alarm.not-open" } } });
    const log = (await expectOk(shop.ports.auditLog.search({ action: "order.acknowledge", limit: 5 }))).items;
    expect(log).toMatchObject([
      { operator: "li", reason: "again", appId, outcome: "failed" },
      { operator: "li", reason: "called the customer", appId, outcome: "done" },
    ]);
  });

  it("that the operator has not seen stays open", async () => {
    const { place, shop, li, raiseAlarm, appId } = await aBusyShop();
    const [order] = await place("b-1");
    if (order === undefined) throw new Error("No order was placed.");
    await raiseAlarm(order);
    const seen = (await expectOk(shop.ports.orders.timeline(order))).at(-1)?.seq;
    await raiseAlarm(order);
    const path = `/api/orders/${appId}/b-1/acknowledge`;
    const done = await li.post(path, { reason: "called the customer", seen });
    expect(done).toMatchObject({ status: 200, json: { openAlarms: 1 } });
    const again = await li.post(path, { reason: "called the customer", seen });
    expect(again).toMatchObject({ status: 409, json: { error: { name: "alarm.not-open" } } });
    expect((await li.post(path, { reason: "called again" })).json).toMatchObject({ openAlarms: 0 });
  });

  it("cannot be acknowledged by a viewer, or in an app that the operator does not see", async () => {
    const { place, create, signIn, raiseAlarm, appId } = await aBusyShop();
    const [order] = await place("b-1");
    if (order === undefined) throw new Error("No order was placed.");
    await raiseAlarm(order);
    await create("vi", "viewer");
    await create("an", "admin", ["app_other"]);
    const path = `/api/orders/${appId}/b-1/acknowledge`;
    expect((await (await signIn("vi")).post(path, { reason: "x" })).status).toBe(403);
    expect((await (await signIn("an")).post(path, { reason: "x" })).status).toBe(404);
  });
});
