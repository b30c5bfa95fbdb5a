import { expectFailure, expectOk } from "@tillkit/contract-tests";
import { configurePayTool, createApp, type Order, orThrow, type Ports } from "@tillkit/core";
import { changePayTool, requestShipment, shipmentOf } from "@tillkit/core/operators";
import { notificationsRouter, paymentsRouter } from "@tillkit/express";
import express from "express";
import { errAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import {
  advanceInSteps,
  DAY,
  HOUR,
  MINUTE,
  openFixture,
  order,
  reconcile,
  refund,
  SECOND,
  storedOrder,
  type TestFixture,
} from "../testing/fixture.js";
import { listening } from "../testing/listening.js";
import { postControl } from "../testing/call-control.js";

const OPENID = "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o";
const WANTED = { payChannel: "WALLET_A", paySource: "JSAPI", payerId: OPENID } as const;
/** Longer than the pause before the first report. */
const SOON = 11 * SECOND;
const by = { operator: "li", reason: "corrected", from: "cli", traceId: "" };

/** Switches reports of deliveries on. */
async function switchOn({ ports, sandbox, appId }: TestFixture, shipments = "VIRTUAL"): Promise<string> {
  const { appSecret } = sandbox.merchant.walletA;
  const tool = await expectOk(ports.payTools.current(appId, "WALLET_A"));
  const changed = await expectOk(
    changePayTool(ports, tool?.id ?? "", { credentials: { shipments, appSecret } }),
  );
  return changed.id;
}

async function openShop() {
  const fixture = await openFixture();
  const payToolId = await switchOn(fixture);
  return { ...fixture, payToolId };
}

/** Creates an order and pays it. */
async function paid(fixture: TestFixture, bizNo = "b"): Promise<Order> {
  await expectOk(order(fixture, bizNo, WANTED));
  const { id } = await storedOrder(fixture, bizNo);
  await orThrow(fixture.sandbox.simulatorControls.pay(id));
  return storedOrder(fixture, bizNo);
}

const stateOf = async (fixture: TestFixture, bizNo = "b") => {
  const found = await storedOrder(fixture, bizNo);
  return shipmentOf(found, await expectOk(fixture.ports.orders.timeline(found)))?.state;
};
const typesOf = async ({ ports, appId }: TestFixture, bizNo = "b") =>
  (await expectOk(ports.orders.timeline({ appId, bizNo }))).map(({ type }) => type);
const atWechat = ({ sandbox }: TestFixture) =>
  sandbox.miniProgram.shipments().map(({ state, reports }) => ({ state, reports }));
const reportsOf = ({ serviceEvents }: TestFixture) =>
  serviceEvents.filter((event) => event.type === "wallet.called" && event.call === "reportShipment").length;

describe("the delivery of a paid order of a mini-program", () => {
  it("is reported with what the order contains, and WeChat pays out", async () => {
    const fixture = await openShop();
    const { id } = await paid(fixture);
    expect(atWechat(fixture)).toEqual([{ state: "frozen", reports: 0 }]);
    expect(await stateOf(fixture)).toBe("waiting");
    await advanceInSteps(fixture, SOON);
    expect(fixture.sandbox.miniProgram.shipments()).toEqual([
      {
        outTradeNo: id,
        walletAppId: fixture.sandbox.merchant.walletA.appid,
        state: "reported",
        reports: 1,
        logisticsType: 3,
        itemDesc: "Thirty days",
      },
    ]);
    expect(await stateOf(fixture)).toBe("reported");
    expect(await typesOf(fixture)).toEqual(["CREATED", "PAID", "SHIPMENT_REPORTED"]);
    await advanceInSteps(fixture, DAY);
    expect(reportsOf(fixture)).toBe(1);
  });

  it("is reported once over HTTP, although two processes compete and one of them dies", async () => {
    const fixture = await openShop();
    const { sandbox, appId, appSecret } = fixture;
    const app = express();
    app.use("/pay", paymentsRouter(fixture.ports));
    app.use("/wallets", notificationsRouter(fixture.ports));
    const url = await listening(app);
    const created = await fetch(`${url}/pay/order.json`, {
      method: "POST",
      headers: { "content-type": "application/json", APP_ID: appId, APP_SECRET: appSecret },
      body: JSON.stringify({
        bizNo: "b",
        customerIdentity: "of-b",
        amount: 600,
        goodsTitle: "Thirty days",
        ...WANTED,
      }),
    });
    expect(await created.json()).toMatchObject({ code: 0 });
    const { id } = await storedOrder(fixture, "b");
    fixture.hold(true);
    await orThrow(sandbox.simulatorControls.pay(id));
    const [sent] = fixture.sent;
    const told = await fetch(`${url}/wallets${new URL(sent?.url ?? "").pathname.replace("/wallets", "")}`, {
      method: "POST",
      headers: sent?.headers ?? {},
      body: sent?.body ?? "",
    });
    expect(told.status).toBe(204);
    expect(await storedOrder(fixture, "b")).toMatchObject({ paymentStatus: "PAID" });
    await fixture.advance(SOON);
    // The first process dies after WeChat has the report, and before it records the result.
    const dying = dyingAfterReport(fixture.ports);
    await Promise.all([reconcile(dying), reconcile(dying)]);
    expect(atWechat(fixture)).toEqual([{ state: "reported", reports: 1 }]);
    expect(await stateOf(fixture)).toBe("waiting");
    // Another one continues after the lease, together with a third.
    await fixture.advance(fixture.ports.policy.workLease);
    await Promise.all([reconcile(fixture.ports), reconcile(fixture.ports)]);
    expect(atWechat(fixture)).toEqual([{ state: "reported", reports: 1 }]);
    expect(await typesOf(fixture)).toEqual(["CREATED", "PAID", "SHIPMENT_REPORTED"]);
    const [, , last] = await expectOk(fixture.ports.orders.timeline({ appId, bizNo: "b" }));
    expect(last?.details).toBe('{"before":true}');
  });

  it.each(["timeout", "reset-after", "500-after", "truncated"] as const)(
    "is reported once if the answer is lost: %s",
    async (fault) => {
      const fixture = await openShop();
      await paid(fixture);
      await fixture.faults({ walletA: { shipment: { fault, times: 1 } } });
      await fixture.advance(SOON);
      await reconcile(fault === "timeout" ? fixture.impatient : fixture.ports);
      expect(atWechat(fixture)).toEqual([{ state: "reported", reports: 1 }]);
      // After the reset of a kept-alive connection, the request is repeated at once.
      expect(await stateOf(fixture)).toBe(fault === "reset-after" ? "reported" : "waiting");
      await advanceInSteps(fixture, MINUTE);
      expect(await stateOf(fixture)).toBe("reported");
      expect(atWechat(fixture)).toEqual([{ state: "reported", reports: 1 }]);
    },
  );

  it.each(["PICKUP", "SAME_CITY"] as const)("is reported as %s", async (kind) => {
    const fixture = await openFixture();
    await switchOn(fixture, kind);
    await paid(fixture);
    await advanceInSteps(fixture, SOON);
    const [known] = fixture.sandbox.miniProgram.shipments();
    expect(known?.logisticsType).toBe(kind === "PICKUP" ? 4 : 2);
  });

  it("waits for a payment that WeChat does not list yet, with increasing pauses", async () => {
    const fixture = await openShop();
    await paid(fixture);
    await fixture.faults({ walletA: { shipment: { fault: 10060001, times: 3 } } });
    await advanceInSteps(fixture, SOON, 9 * SECOND);
    expect(reportsOf(fixture)).toBe(1);
    await advanceInSteps(fixture, 3 * SECOND, 24 * SECOND, 48 * SECOND);
    expect(reportsOf(fixture)).toBe(4);
    expect(await typesOf(fixture)).toEqual(["CREATED", "PAID", "SHIPMENT_REPORTED"]);
  });

  it("raises an alarm after an hour without a result, and continues to retry", async () => {
    const fixture = await openShop();
    await paid(fixture);
    await fixture.faults({ walletA: { shipment: -1 } });
    await advanceInSteps(fixture, SOON, HOUR, HOUR, 2 * HOUR);
    expect(await stateOf(fixture)).toBe("retrying");
    expect(await typesOf(fixture)).toEqual(["CREATED", "PAID", "SHIPMENT_OVERDUE"]);
    expect(fixture.serviceEvents.filter(({ type }) => type === "order.alarm")).toHaveLength(1);
    await fixture.faults({ walletA: { shipment: null } });
    await advanceInSteps(fixture, HOUR);
    expect(await stateOf(fixture)).toBe("reported");
  });

  it("ends with an alarm after a refusal that no other report can change, until a person asks again", async () => {
    const fixture = await openShop();
    const { appId, ports } = fixture;
    await paid(fixture);
    await fixture.faults({ walletA: { shipment: 10060031 } });
    await advanceInSteps(fixture, SOON, DAY);
    expect(reportsOf(fixture)).toBe(1);
    expect(await stateOf(fixture)).toBe("failed");
    const timeline = await expectOk(ports.orders.timeline({ appId, bizNo: "b" }));
    expect(timeline.at(-1)).toMatchObject({ type: "SHIPMENT_REFUSED", alarm: true });
    expect(JSON.stringify(timeline)).toContain("10060031");
    // The number of the request differs each time, and the openid is personal.
    expect(JSON.stringify(timeline)).not.toMatch(/rid|oUpF8/);
    await expectOk(requestShipment(ports, { appId, bizNo: "b" }, by));
    await reconcile(ports);
    expect((await typesOf(fixture)).slice(2)).toEqual([
      "SHIPMENT_REFUSED",
      "SHIPMENT_REQUESTED",
      "SHIPMENT_REFUSED",
    ]);
    await fixture.faults({ walletA: { shipment: null } });
    await expectOk(requestShipment(ports, { appId, bizNo: "b" }, by));
    await reconcile(ports);
    expect(await stateOf(fixture)).toBe("reported");
    expect(await expectFailure(requestShipment(ports, { appId, bizNo: "b" }, by))).toEqual({
      name: "shipment.not-reportable",
      because: "reported",
    });
  });

  it("continues after a wrong setting is corrected, and raises one alarm for it", async () => {
    const fixture = await openShop();
    const { ports, payToolId, sandbox } = fixture;
    const { appSecret } = sandbox.merchant.walletA;
    await expectOk(changePayTool(ports, payToolId, { credentials: { appSecret: "0".repeat(32) } }));
    await paid(fixture);
    await advanceInSteps(fixture, SOON, MINUTE, HOUR);
    expect(await stateOf(fixture)).toBe("retrying");
    expect(await typesOf(fixture)).toEqual(["CREATED", "PAID", "SHIPMENT_REFUSED"]);
    await expectOk(changePayTool(ports, payToolId, { credentials: { appSecret } }));
    await advanceInSteps(fixture, 2 * HOUR);
    expect(await stateOf(fixture)).toBe("reported");
  });

  it.each([
    ["accessToken", 40243, "unfreeze the AppSecret"],
    ["accessToken", 61004, "IP whitelist"],
    ["shipment", 48004, "banned"],
    ["shipment", 50002, "frozen or closed"],
  ] as const)("raises one alarm with the remedy, and still retries: %s %i", async (call, code, remedy) => {
    const fixture = await openShop();
    await paid(fixture);
    await fixture.faults({ walletA: { [call]: code } });
    await advanceInSteps(fixture, SOON, MINUTE, HOUR);
    expect(await stateOf(fixture)).toBe("retrying");
    expect(await typesOf(fixture)).toEqual(["CREATED", "PAID", "SHIPMENT_REFUSED"]);
    const alarms = fixture.serviceEvents.filter(({ type }) => type === "order.alarm");
    expect(alarms).toHaveLength(1);
    const { appId, ports } = fixture;
    const timeline = await expectOk(ports.orders.timeline({ appId, bizNo: "b" }));
    expect(timeline.at(-1)?.details).toContain(remedy);
    await fixture.faults({ walletA: { [call]: null } });
    await advanceInSteps(fixture, 2 * HOUR);
    expect(await stateOf(fixture)).toBe("reported");
  });

  it.each(["accessToken", "shipment"] as const)(
    "is repeated without an alarm after the limit of a minute: %s",
    async (call) => {
      const fixture = await openShop();
      await paid(fixture);
      await fixture.faults({ walletA: { [call]: { fault: 45011, times: 3 } } });
      await advanceInSteps(fixture, SOON, MINUTE, 2 * MINUTE);
      expect(await stateOf(fixture)).toBe("waiting");
      await advanceInSteps(fixture, 10 * MINUTE);
      expect(await typesOf(fixture)).toEqual(["CREATED", "PAID", "SHIPMENT_REPORTED"]);
    },
  );

  it("is reported once with the current time, long after the payment, although a process dies", async () => {
    const fixture = await openFixture();
    const { ports, appId } = fixture;
    await paid(fixture);
    await switchOn(fixture);
    // WeChat refuses the time of the payment by now.
    await advanceInSteps(fixture, 3 * DAY);
    await expectOk(requestShipment(ports, { appId, bizNo: "b" }, by));
    await reconcile(dyingAfterReport(ports));
    expect(atWechat(fixture)).toEqual([{ state: "reported", reports: 1 }]);
    expect(await stateOf(fixture)).toBe("waiting");
    await advanceInSteps(fixture, ports.policy.workLease);
    expect(atWechat(fixture)).toEqual([{ state: "reported", reports: 1 }]);
    expect(await stateOf(fixture)).toBe("reported");
  });

  it("is not reported after a full refund, but after a refund of a part", async () => {
    const fixture = await openShop();
    await paid(fixture, "whole");
    await paid(fixture, "part");
    await expectOk(refund(fixture, "whole", "r-1"));
    await expectOk(refund(fixture, "part", "r-2", 1));
    await advanceInSteps(fixture, SOON, MINUTE, HOUR);
    expect(await storedOrder(fixture, "whole")).toMatchObject({ paymentStatus: "REFUND" });
    expect(await stateOf(fixture, "whole")).toBeUndefined();
    expect(await stateOf(fixture, "part")).toBe("reported");
    expect(reportsOf(fixture)).toBe(1);
  });

  it("is not needed if WeChat has refunded the payment before Tillkit knows", async () => {
    const fixture = await openShop();
    const { id } = await paid(fixture);
    await postControl(fixture.sandbox, "/console-refund", { outTradeNo: id, notify: false });
    await fixture.advance(SOON);
    await reconcile(fixture.ports);
    expect(await typesOf(fixture)).toEqual(["CREATED", "PAID", "SHIPMENT_ENDED"]);
    expect(await stateOf(fixture)).toBe("ended");
  });

  it("is not reported for orders that were paid before the option was on, unless an operator asks", async () => {
    const fixture = await openFixture();
    const { ports, appId } = fixture;
    await paid(fixture);
    const key = { appId, bizNo: "b" };
    expect(await expectFailure(requestShipment(ports, key, by))).toMatchObject({ because: "switched-off" });
    await switchOn(fixture);
    await advanceInSteps(fixture, SOON, DAY);
    expect(await stateOf(fixture)).toBeUndefined();
    expect(atWechat(fixture)).toEqual([{ state: "frozen", reports: 0 }]);
    await expectOk(requestShipment(ports, key, by));
    await reconcile(ports);
    expect(await typesOf(fixture)).toEqual(["CREATED", "PAID", "SHIPMENT_REQUESTED", "SHIPMENT_REPORTED"]);
    expect(atWechat(fixture)).toEqual([{ state: "reported", reports: 1 }]);
    const { items } = await expectOk(ports.auditLog.search({ limit: 1 }));
    expect(items).toMatchObject([{ action: "order.report-shipment", subject: `order:${appId}/b` }]);
  });

  it("is not reported if the option was switched off after the payment, even when it is on again", async () => {
    const fixture = await openShop();
    const { ports, payToolId } = fixture;
    await paid(fixture);
    await expectOk(changePayTool(ports, payToolId, { credentials: { shipments: null } }));
    await advanceInSteps(fixture, SOON);
    expect(await typesOf(fixture)).toEqual(["CREATED", "PAID", "SHIPMENT_ENDED"]);
    await switchOn(fixture);
    await advanceInSteps(fixture, DAY);
    expect(reportsOf(fixture)).toBe(0);
  });

  it("is not reported for payments outside a mini-program", async () => {
    const fixture = await openShop();
    const { ports, appId } = fixture;
    await expectOk(order(fixture, "app", { payChannel: "WALLET_A", paySource: "APP" }));
    const { id } = await storedOrder(fixture, "app");
    await orThrow(fixture.sandbox.simulatorControls.pay(id));
    await advanceInSteps(fixture, SOON);
    expect(await stateOf(fixture, "app")).toBeUndefined();
    expect(await expectFailure(requestShipment(ports, { appId, bizNo: "app" }, by))).toMatchObject({
      because: "other-source",
    });
  });

  it("is reported for a late payment too", async () => {
    const fixture = await openShop();
    await expectOk(order(fixture, "b", WANTED));
    const { id, expiresAt } = await storedOrder(fixture, "b");
    await advanceInSteps(fixture, expiresAt - fixture.ports.clock.now() + MINUTE, HOUR);
    expect(await storedOrder(fixture, "b")).toMatchObject({ paymentStatus: "CLOSE" });
    await orThrow(fixture.sandbox.simulatorControls.pay(id, { late: true }));
    await advanceInSteps(fixture, SOON);
    expect(await stateOf(fixture)).toBe("reported");
  });
});

describe("the access token", () => {
  it("is requested once for all orders and processes, and stored until it expires", async () => {
    const fixture = await openShop();
    await Promise.all(["1", "2", "3", "4", "5"].map((bizNo) => paid(fixture, bizNo)));
    await advanceInSteps(fixture, SOON);
    expect(fixture.sandbox.miniProgram.tokensCreated()).toBe(1);
    expect(tokenRequests(fixture)).toBe(1);
    await paid(fixture, "6");
    await advanceInSteps(fixture, HOUR);
    expect(tokenRequests(fixture)).toBe(1);
    await paid(fixture, "7");
    await advanceInSteps(fixture, HOUR);
    expect(tokenRequests(fixture)).toBe(2);
    expect(atWechat(fixture)).toEqual(Array.from({ length: 7 }, () => ({ state: "reported", reports: 1 })));
  });

  it("is replaced once if WeChat refuses it", async () => {
    const fixture = await openShop();
    await paid(fixture, "first");
    await advanceInSteps(fixture, SOON);
    await postControl(fixture.sandbox, "/revoke-tokens", {});
    await Promise.all(["1", "2", "3", "4", "5"].map((bizNo) => paid(fixture, bizNo)));
    await advanceInSteps(fixture, SOON);
    expect(fixture.sandbox.miniProgram.tokensCreated()).toBe(2);
    expect(atWechat(fixture)).toEqual(Array.from({ length: 6 }, () => ({ state: "reported", reports: 1 })));
  });

  it("is not requested again and again if WeChat refuses every token", async () => {
    const fixture = await openShop();
    await paid(fixture);
    await fixture.faults({ walletA: { shipment: 42001 } });
    await fixture.advance(SOON);
    await reconcile(fixture.ports);
    expect(reportsOf(fixture)).toBe(2);
    expect(tokenRequests(fixture)).toBe(2);
    expect(await stateOf(fixture)).toBe("waiting");
  });

  it("and the secret appear in no event, timeline, audit entry or answer of the control", async () => {
    const fixture = await openShop();
    const { ports, appId, sandbox } = fixture;
    await paid(fixture);
    await fixture.faults({ walletA: { shipment: 48001 } });
    await advanceInSteps(fixture, SOON);
    const claim = { id: "test", now: ports.clock.now(), until: ports.clock.now() + 1 };
    const held = await expectOk(ports.accessTokens.claim(fixture.payToolId, claim));
    const token = held.kind === "token" ? held.token.token : "";
    expect(token).toMatch(/^80_/);
    const seen = JSON.stringify([
      fixture.serviceEvents,
      await expectOk(ports.orders.timeline({ appId, bizNo: "b" })),
      (await expectOk(ports.auditLog.search({ limit: 100 }))).items,
      sandbox.miniProgram.shipments(),
    ]);
    expect(seen).toContain("48001");
    for (const secret of [token, sandbox.merchant.walletA.appSecret, OPENID])
      expect(seen).not.toContain(secret);
  });
});

describe("a merchant with a service provider", () => {
  it("reports with its own mini-program, or with that of its provider", async () => {
    const fixture = await openFixture();
    const { ports, sandbox } = fixture;
    const provider = (await expectOk(ports.payTools.current(fixture.appId, "WALLET_A")))?.id ?? "";
    const [own, other] = sandbox.subMerchants;
    if (own === undefined || other === undefined) throw new Error("The sandbox has two sub-merchants.");
    await switchOn(fixture);
    for (const [input, walletAppId, secret] of [
      [own, own.WALLET_A.walletAppId, { appSecret: "5a8d1e0f4c7b2a9363f1d0e8b7c4a521" }],
      [other, sandbox.merchant.walletA.appid, {}],
    ] as const) {
      const { app } = await expectOk(createApp(ports, { name: "Shop" }));
      const credentials = { provider, shipments: "VIRTUAL", ...secret };
      const { problems } = await expectOk(
        configurePayTool(ports, app.appId, { ...input.WALLET_A, walletAppId, credentials }),
      );
      expect(problems).toEqual([]);
      const shop = { ...fixture, appId: app.appId };
      await paid(shop);
      await advanceInSteps(shop, SOON);
      expect(await stateOf(shop)).toBe("reported");
    }
    expect(atWechat(fixture).map(({ state }) => state)).toEqual(["reported", "reported"]);
  });
});

describe("the option of Alipay", () => {
  it("is refused with a text that says what to do", async () => {
    const { ports, appId, sandbox } = await openFixture();
    const { credentials } = sandbox.payTools.WALLET_B;
    const set = { ...sandbox.payTools.WALLET_B, credentials: { ...credentials, shipments: "VIRTUAL" } };
    const { problems, payTool } = await expectOk(configurePayTool(ports, appId, set));
    expect(problems).toEqual([
      expect.stringMatching(/^shipments is an option of WeChat Pay \(WALLET_A\) only/),
    ]);
    expect(payTool.signStatus).toBe("NO");
  });
});

const tokenRequests = ({ serviceEvents }: TestFixture) =>
  serviceEvents.filter((event) => event.type === "wallet.called" && event.call === "requestAccessToken")
    .length;

/** Returns the ports of a process that dies before it records the result of a report. */
function dyingAfterReport(ports: Ports): Ports {
  const recordShipment = () => errAsync({ name: "storage.unavailable" } as const);
  return { ...ports, orders: { ...ports.orders, recordShipment, scheduleShipment: recordShipment } };
}
