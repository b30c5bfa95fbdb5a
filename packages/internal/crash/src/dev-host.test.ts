import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseInput, refundOrder, refundOrderInput } from "@tillkit/core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { serverLimits } from "@tillkit/runtime";
import { Secret, TOTP } from "otpauth";
import { type DevHost, startDevHost } from "../../../cli/src/dev/start-dev-host.js";
import { type Caller, callerOf } from "./testing/caller.js";
import { type FirstStart, firstStart } from "./testing/first-start.js";
import { at, listAt, textAt } from "./testing/json.js";
import { operatorBrowser } from "./testing/operator-browser.js";
import {
  proveWalletA,
  proveWalletB,
  shownKeys,
  walletAPayload,
  walletBPayload,
} from "./testing/payload-proofs.js";

const DAY = 86_400_000;

/** A host with a separate folder and database. */
interface Started {
  readonly host: DevHost;
  readonly dataDir: string;
  stop(): Promise<void>;
}

let first: FirstStart;
let shared: Started;
beforeAll(async () => {
  first = await firstStart(inject("databaseUrl"));
  shared = await start();
  ({ host, dataDir } = shared);
});
afterAll(async () => {
  await shared.stop();
  await first.clean();
});

async function start(): Promise<Started> {
  const dataDir = await mkdtemp(join(tmpdir(), "dev-host-"));
  const databaseUrl = await first.copyTo(dataDir);
  const host = await startDevHost({ port: 0, dataDir, databaseUrl, print: () => undefined });
  const stop = async () => {
    await host.close();
    await rm(dataDir, { recursive: true });
  };
  return { host, dataDir, stop };
}

// All tests use one host. Each test has its own orders and its own customer, and ends its faults.
let dataDir: string;
let host: DevHost;
let caller: Caller;
let tests = 0;
/** Returns a name that no other test uses. */
const own = (name: string) => `${name}-${String(tests)}`;
beforeEach(() => {
  tests += 1;
  const { facts } = host;
  caller = callerOf(facts, facts.appId, facts.appSecret, own("user"));
});
afterEach(async () => {
  const none = { prepay: null, notify: null };
  await caller.control("faults", { walletA: none, walletB: none });
});

const outTradeNoOf = async (bizNo: string) => textAt(await caller.detail(bizNo), "data", "id");
const statusOf = async (bizNo: string) => at(await caller.detail(bizNo), "data", "paymentStatus");
const history = (of = caller) => of.get(`/history.json?customerIdentity=${own("user")}`);
const services = async () =>
  listAt(await caller.get(`/customerServiceMgmt/${own("user")}.json`), "data", "customerServiceList");

async function downloads(id: string, start: string, end: string, { facts } = host) {
  const response = await fetch(
    `${facts.metricsBaseUrl}/misc/v2/downloads-api?id=${id}&start=${start}&end=${end}`,
  );
  const body: unknown = await response.json();
  return { status: response.status, body };
}

it("the host limits how slow a client may be", async () => {
  const servers: unknown[] = [];
  // The simulated wallets serve in this process, too.
  const receive = (message: unknown) => {
    if (at(message, "request", "url") === "/pay/payTools.json") servers.push(at(message, "server"));
  };
  subscribe("http.server.request.start", receive);
  try {
    await caller.get("/payTools.json");
  } finally {
    unsubscribe("http.server.request.start", receive);
  }
  expect(servers).toMatchObject([serverLimits]);
});

describe("the operators' page", () => {
  const page = () => host.facts.dashboard ?? { url: "", user: "", password: "", second: undefined };

  it("lets the two printed operators refund an order of the tour together", async () => {
    const bizNo = own("refund");
    await caller.order({ bizNo });
    await caller.control("pay", { outTradeNo: await outTradeNoOf(bizNo) });
    const { url, second } = page();
    const [admin, finance] = [await operatorBrowser(url, page()), await operatorBrowser(url, second)];
    const asked = { refundNo: own("r"), amount: 600, reason: "customer asked" };
    const requested = await admin.post(`/orders/${host.facts.appId}/${bizNo}/refunds`, asked);
    expect(requested).toMatchObject({ approval: { state: "WAITING", requestedBy: "admin" } });
    const decision = `/refund-approvals/${textAt(requested, "approval", "id")}/approve`;
    expect(await admin.post(decision, { reason: "checked" })).toMatchObject({
      error: { name: "refund-approval.own" },
    });
    expect(await statusOf(bizNo)).toBe("PAID");
    expect(await finance.post(decision, { reason: "checked" })).not.toHaveProperty("error");
    expect(await statusOf(bizNo)).toBe("REFUND");
  });

  it("lets an operator set up a second factor, which the next sign-in needs", async () => {
    const { url, second } = page();
    const finance = await operatorBrowser(url, second);
    expect(finance.session).toMatchObject({ secondFactor: "none", mustChangePassword: false });
    // The session is complete already, and needs the password again.
    const { password = "" } = second ?? {};
    const key = textAt(await finance.post("/session/enrolment", { password }), "key");
    const totp = new TOTP({ secret: Secret.fromBase32(key) });
    const codeAt = (steps: number) => totp.generate({ timestamp: host.ports.clock.now() + 30_000 * steps });
    const confirmed = await finance.post("/session/enrolment/confirm", { password, code: codeAt(0) });
    expect(confirmed).toMatchObject({ secondFactor: "none", operator: { name: "finance" } });
    const again = await operatorBrowser(url, second);
    expect(again.session).toMatchObject({ secondFactor: "required", permissions: [] });
    expect(await again.post("/session/code", { code: codeAt(1) })).toMatchObject({ secondFactor: "none" });
  });
});

describe("the seeded data", () => {
  it("lets each of the three apps pay on both channels", async () => {
    const { facts } = host;
    const apps = [
      caller,
      callerOf(facts, facts.secondAppId, facts.secondAppSecret),
      callerOf(facts, facts.deviceAppId, facts.deviceAppSecret),
    ];
    for (const app of apps) {
      const data = [
        { payChannel: "WALLET_A", signStatus: "OK" },
        { payChannel: "WALLET_B", signStatus: "OK" },
      ];
      expect(await app.get("/payTools.json")).toMatchObject({ code: 0, data });
    }
  });

  it("separates the apps, and has an app without accounts", async () => {
    const { facts } = host;
    await caller.order({ bizNo: own("mine") });
    const second = callerOf(facts, facts.secondAppId, facts.secondAppSecret);
    expect(await second.detail(own("mine"))).toMatchObject({ code: 50001 });
    const device = callerOf(facts, facts.deviceAppId, facts.deviceAppSecret);
    expect(await device.order({ bizNo: own("mine"), customerIdentity: null })).toMatchObject({ code: 0 });
    expect(await caller.order({ bizNo: own("other"), customerIdentity: null })).toMatchObject({
      code: 10007,
    });
  });

  it("has counts for 400 days that end today", async () => {
    const { downloadsClientId, appId } = host.facts;
    const today = new Date(host.ports.clock.now() + 8 * 3_600_000).toISOString().slice(0, 10);
    const before = (days: number) => new Date(Date.parse(today) - days * DAY).toISOString().slice(0, 10);
    const stored = (await host.ports.downloads.read(appId, before(800), before(-800))).unwrapOr([]);
    const days = stored.find(({ store }) => store === "store_01")?.days ?? [];
    expect([days.length, Math.min(...days), Math.max(...days)]).toEqual([400, 800 - 399, 800]);
    const { body } = await downloads(downloadsClientId, before(365), today);
    const stores = listAt(body, "data", "downloadsData", "downloads").map((entry) => at(entry, "store"));
    expect(stores).toEqual(["All Stores", "store_01", "store_02", "store_03", "store_04", "store_05"]);
  });

  it("has a client with a small allowance and a client without an app", async () => {
    const { limitedDownloadsClientId: limited, orphanDownloadsClientId: orphan } = host.facts;
    const all = [];
    for (let requestCount = 0; requestCount < 4; requestCount += 1)
      all.push(await downloads(limited, "2026-01-01", "2026-01-02"));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(all.at(-1)?.body).toMatchObject({
      data: { errorCode: "DAILY_LIMIT_REACHED", dailyLimit: 3, remainingToday: 0 },
    });
    const { status, body } = await downloads(orphan, "2026-01-01", "2026-01-02");
    expect([status, at(body, "data", "errorCode")]).toEqual([404, "ID_NOT_FOUND"]);
  });
});

describe("a refund through the control interface", () => {
  const send = async (body: object) => {
    const url = `${host.facts.sandbox.control}/refund`;
    const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
    const answer: unknown = await response.json();
    return { status: response.status, answer };
  };

  it("rejects invalid and unknown requests, with a name, a code and a text", async () => {
    expect(await send({})).toMatchObject({ status: 400 });
    expect(await send({ bizNo: "none", amount: "1" })).toMatchObject({ status: 400 });
    expect(await send({ bizNo: "none" })).toEqual({
      status: 404,
      answer: { error: "Order not found", name: "order.not-found", code: 50001 },
    });
    expect(await send({ bizNo: "no such\nnumber" })).toMatchObject({
      status: 400,
      answer: { name: "parameter.invalid", code: 10003 },
    });
  });

  it("finds the orders of every app", async () => {
    const { facts } = host;
    const second = callerOf(facts, facts.secondAppId, facts.secondAppSecret);
    await second.order({ bizNo: own("second") });
    await second.control("pay", { outTradeNo: textAt(await second.detail(own("second")), "data", "id") });
    expect(await send({ bizNo: own("second") })).toMatchObject({ status: 200, answer: { amount: 600 } });
  });
});

describe.each(["WALLET_A", "WALLET_B"])("orders on %s", (payChannel) => {
  it("exist once, with one prepayment, after 25 concurrent creations of the same bizNo", async () => {
    const create = () => caller.order({ bizNo: own("rush"), payChannel });
    const all = await Promise.all(Array.from({ length: 25 }, create));
    expect(new Set(all.map((answer) => at(answer, "code")))).toEqual(new Set([0]));
    expect(new Set(all.map((answer) => JSON.stringify(at(answer, "data")))).size).toBe(1);
    const outTradeNo = await outTradeNoOf(own("rush"));
    const known = { outTradeNo, amount: 600, prepayCount: 1, state: "NOTPAY" };
    expect(await caller.control(`orders/${outTradeNo}`)).toEqual(known);
    expect(at(await history(), "data", "totalCount")).toBe(1);
  });

  it("are paid once, despite repeated notifications", async () => {
    await caller.order({ bizNo: own("month"), payChannel, serviceTypeNo: host.facts.serviceTypeNo });
    const outTradeNo = await outTradeNoOf(own("month"));
    const paid = await caller.control("pay", { outTradeNo });
    expect(paid).toEqual({ outTradeNo, state: "PAID", notified: true });
    const bought = await services();
    const repeated = await caller.control("notify", { outTradeNo, times: 3 });
    expect(repeated).toEqual({ outTradeNo, delivered: 3, acknowledged: 3 });
    expect(await statusOf(own("month"))).toBe("PAID");
    expect(await services()).toEqual(bought);
    expect(bought).toHaveLength(1);
  });

  it("stay PAID after a partial refund, and become REFUND with the rest", async () => {
    const terms = { bizNo: own("part"), reason: "asked", operator: "carol" };
    const refund = async (refundNo: string, amount: number) => {
      const input = parseInput(refundOrderInput(host.ports.policy), { ...terms, refundNo, amount });
      const made = await input.asyncAndThen((valid) => refundOrder(host.ports, host.facts.appId, valid));
      expect(made.isOk()).toBe(true);
      await caller.control("clock", { advanceMs: 60_000 });
      return at(await caller.detail(own("part")), "data");
    };
    await caller.order({ bizNo: own("part"), payChannel });
    await caller.control("pay", { outTradeNo: await outTradeNoOf(own("part")) });
    expect(await refund("case-1", 100)).toMatchObject({
      paymentStatus: "PAID",
      extInfo: { refundedAmount: 100 },
    });
    expect(await refund("case-2", 500)).toMatchObject({ paymentStatus: "REFUND" });
  });

  it("are refunded through the control interface, partially and then fully", async () => {
    await caller.order({ bizNo: own("back"), payChannel });
    const refund = (requested: object) => caller.control("refund", { bizNo: own("back"), ...requested });
    expect(await refund({})).toMatchObject({ name: "order.not-paid", code: 50006 });
    await caller.control("pay", { outTradeNo: await outTradeNoOf(own("back")) });
    expect(await refund({ amount: 601 })).toMatchObject({ name: "refund.exceeds-remaining" });
    expect(await refund({ amount: 100 })).toMatchObject({ bizNo: own("back"), amount: 100 });
    await caller.control("clock", { advanceMs: 60_000 });
    expect(await statusOf(own("back"))).toBe("PAID");
    expect(await refund({})).toMatchObject({ amount: 500 });
    await caller.control("clock", { advanceMs: 60_000 });
    expect(await statusOf(own("back"))).toBe("REFUND");
    expect(await refund({})).toMatchObject({ name: "order.refunded", code: 50005 });
  });

  it("become PAID by the query of a read if the notification is lost", async () => {
    const wallet = payChannel === "WALLET_A" ? "walletA" : "walletB";
    await caller.control("faults", { [wallet]: { notify: "drop" } });
    await caller.order({ bizNo: own("lost"), payChannel });
    const outTradeNo = await outTradeNoOf(own("lost"));
    expect(await caller.control("pay", { outTradeNo })).toMatchObject({ notified: false });
    // The first read queried the wallet; the next query is due after ten seconds.
    expect(await statusOf(own("lost"))).toBe("PENDING");
    await caller.control("clock", { advanceMs: 11_000 });
    expect(await statusOf(own("lost"))).toBe("PAID");
  });

  it("become PAID by the reconciler if the notification is lost and no caller reads them", async () => {
    const wallet = payChannel === "WALLET_A" ? "walletA" : "walletB";
    await caller.control("faults", { [wallet]: { notify: "drop" } });
    await caller.order({ bizNo: own("lost"), payChannel });
    await caller.control("pay", { outTradeNo: await outTradeNoOf(own("lost")) });
    await caller.control("clock", { advanceMs: 31_000 });
    expect(at(await history(), "data", "payOrderList", 0, "paymentStatus")).toBe("PAID");
  });
});

describe("the payload for the customer's app", () => {
  const BOTH = { node: true, sdk: true };
  const NEITHER = { node: false, sdk: false };
  const payloadOf = async (payChannel: string) =>
    at(await caller.order({ bizNo: own("proof"), payChannel, goodsTitle: "VIP 会员 100% + 1" }), "data");
  const keys = async () => shownKeys.parse(await caller.control("keys"));

  it("for WALLET_A has a valid signature of the merchant, and no valid one after a change", async () => {
    const payload = walletAPayload.parse(await payloadOf("WALLET_A"));
    const { merchantPublicKey } = (await keys()).walletA;
    expect(proveWalletA(payload, merchantPublicKey)).toEqual(BOTH);
    const changed = { ...payload, timestamp: payload.timestamp + 1 };
    expect(proveWalletA(changed, merchantPublicKey)).toEqual(NEITHER);
  });

  it("for WALLET_B has a valid signature of the app, and no valid one after a change", async () => {
    const payload = walletBPayload.parse(await payloadOf("WALLET_B"));
    const { appPublicKey } = (await keys()).walletB;
    expect(proveWalletB(payload, appPublicKey)).toEqual(BOTH);
    const terms: unknown = JSON.parse(payload.biz_content);
    expect(terms).toMatchObject({ total_amount: "6.00", out_trade_no: await outTradeNoOf(own("proof")) });
    const cheaper = payload.biz_content.replace("6.00", "0.06");
    expect(proveWalletB({ ...payload, biz_content: cheaper }, appPublicKey)).toEqual(NEITHER);
  });

  it.each(["WALLET_A", "WALLET_B"])("opens and pays at %s, with every pay source", async (payChannel) => {
    for (const paySource of ["APP", "NATIVE", "H5"]) {
      const payload = at(await caller.order({ bizNo: own(paySource), payChannel, paySource }), "data");
      const paid = await caller.control("pay", { payload });
      expect(paid).toEqual({ outTradeNo: await outTradeNoOf(own(paySource)), state: "PAID", notified: true });
      expect(await statusOf(own(paySource))).toBe("PAID");
    }
  });
});

describe("the URL that a browser opens", () => {
  const addressFor = async (appEnv: "DEV" | "PROD") => {
    const { ports, sandbox } = host;
    const record = { id: "t", appId: "a", signStatus: "OK", gmtCreate: 0, gmtModified: 0 } as const;
    const now = ports.clock.now();
    const expiresAt = now + 3_600_000;
    const urls = { notifyUrl: "http://127.0.0.1/notify", returnUrl: "http://127.0.0.1/return" };
    const order = { outTradeNo: "ORDER_1", amount: 600, goodsTitle: "One month", paySource: "H5" } as const;
    const request = { ...order, ...urls, expiresAt };
    const account = { ...sandbox.payTools.WALLET_B, ...record, appEnv };
    const prepayment = { issuedAt: now, validUntil: expiresAt, values: {} };
    const payload = await ports.wallets.WALLET_B.payload(account, request, prepayment, now);
    return textAt(payload.unwrapOr({ pay_url: "" }), "pay_url").split("?")[0];
  };

  it("belongs to the sandbox for a DEV pay tool, and to the wallet for PROD", async () => {
    expect(await addressFor("DEV")).toBe(host.sandbox.addresses.walletB);
    expect(await addressFor("PROD")).toBe("https://openapi.alipay.com/gateway.do");
  });
});

describe("a failing wallet", () => {
  it.each([
    ["WALLET_A", "walletA", "reset-after", 30002],
    ["WALLET_A", "walletA", "500", 30002],
    ["WALLET_A", "walletA", "reject", 30001],
    ["WALLET_B", "walletB", "reset-after", 40001],
    ["WALLET_B", "walletB", "500", 40001],
    ["WALLET_B", "walletB", "reject", 40001],
  ])(
    "%s (%s: %s) fails with its code, and the retry has one prepayment",
    async (channel, wallet, prepay, code) => {
      const terms = { bizNo: own("trouble"), payChannel: channel, paySource: "NATIVE" };
      await caller.control("faults", { [wallet]: { prepay } });
      expect(await caller.order(terms)).toMatchObject({ code });
      await caller.control("faults", { [wallet]: { prepay: null } });
      expect(await caller.order(terms)).toMatchObject({ code: 0 });
      const known = await caller.control(`orders/${await outTradeNoOf(own("trouble"))}`);
      expect(known).toMatchObject({ prepayCount: 1, state: "NOTPAY" });
    },
  );
});

describe("a wallet that executes a call and does not respond", () => {
  it(
    "delays a request for a limited time, and the retry returns the lost result",
    { tags: "slow" },
    async () => {
      const channels = ["WALLET_A", "WALLET_B"];
      const orders = () =>
        Promise.all(
          channels.map((payChannel) =>
            caller.order({ bizNo: own(payChannel), payChannel, paySource: "NATIVE" }),
          ),
        );
      await caller.control("faults", { walletA: { prepay: "timeout" }, walletB: { prepay: "timeout" } });
      expect((await orders()).map((answer) => at(answer, "code"))).toEqual([30002, 40001]);
      await caller.control("faults", { walletA: { prepay: null }, walletB: { prepay: null } });
      expect((await orders()).map((answer) => at(answer, "code"))).toEqual([0, 0]);
      for (const bizNo of channels) {
        const known = await caller.control(`orders/${await outTradeNoOf(own(bizNo))}`);
        expect(known).toMatchObject({ prepayCount: 1, state: "NOTPAY" });
      }
    },
  );

  it("also fails payloads that WALLET_B's app signs locally", async () => {
    await caller.control("faults", { walletB: { prepay: "timeout" } });
    expect(await caller.order({ bizNo: own("alone") })).toMatchObject({ code: 40001 });
    await caller.control("faults", { walletB: { prepay: null } });
    expect(await caller.order({ bizNo: own("alone") })).toMatchObject({ code: 0 });
    const known = await caller.control(`orders/${await outTradeNoOf(own("alone"))}`);
    expect(known).toMatchObject({ prepayCount: 1, state: "NOTPAY" });
  });
});

describe("the clock", () => {
  let ahead: Started;
  beforeAll(async () => {
    ahead = await start();
  });
  afterAll(() => ahead.stop());

  it("closes expired orders and starts a new day with a new SMS quota and allowance", async () => {
    const { facts } = ahead.host;
    const customer = callerOf(facts, facts.appId, facts.appSecret, own("user"));
    const sms = () => customer.get("/sms.json?mobileNo=13900139000");
    const reports = () => downloads(facts.limitedDownloadsClientId, "2026-01-01", "2026-01-02", ahead.host);
    const codes = [];
    for (let sent = 0; sent < 6; sent += 1) {
      codes.push(at(await sms(), "code"));
      await customer.control("clock", { advanceMs: 60_000 });
    }
    expect(codes).toEqual([0, 0, 0, 0, 0, 10022]);
    for (let requestCount = 0; requestCount < 3; requestCount += 1) await reports();
    await customer.order({ bizNo: "slow", payChannel: "WALLET_A" });
    const now = at(await customer.control("clock", { advanceMs: DAY }), "now");
    expect(now).toBeGreaterThan(Date.now() + DAY - 60_000);
    expect(at(await sms(), "code")).toBe(0);
    expect(listAt(await customer.control("sms?mobileNo=13900139000"))).toHaveLength(6);
    expect((await reports()).status).toBe(200);
    expect(at(await history(customer), "data", "payOrderList", 0, "paymentStatus")).toBe("CLOSE");
  });
});

describe("startDevHost", () => {
  it("rejects if the port is in use", async () => {
    const port = Number(new URL(host.facts.baseUrl).port);
    await expect(startDevHost({ port, dataDir, print: () => undefined })).rejects.toThrow("EADDRINUSE");
  });
});
