import { inspect } from "node:util";
import { createDownloadsClient } from "@tillkit/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { TillkitApiError, TillkitDownloadsError, TillkitError } from "./errors.js";
import { inProcess } from "./testing/in-process.js";
import { TillkitClient } from "./tillkit-client.js";
import type { CreateOrderInput } from "./types.js";

const CUSTOMER = "customer-7";

function anOrder(bizNo: string): CreateOrderInput {
  const what = { amount: 600, goodsTitle: "Membership", attachData: '{"productId":"month"}' };
  return { bizNo, ...what, payChannel: "WALLET_A", customerIdentity: CUSTOMER };
}

describe("orders", () => {
  it("creates an order, and returns the same order for the same bizNo", async () => {
    const { shop, client } = await inProcess();
    const payload = await client.orders.create(anOrder("buy-1"));
    expect(Object.keys(payload)).toEqual(expect.arrayContaining(["partnerid", "prepayid", "sign"]));
    await client.orders.create(anOrder("buy-1"));
    const order = await client.orders.get({ bizNo: "buy-1", customerIdentity: CUSTOMER });
    expect(order).toMatchObject({ bizNo: "buy-1", amount: 600, paymentStatus: "PENDING" });
    expect(order.attachData).toEqual({ productId: "month" });
    await shop.wallets.WALLET_A.notify(order);
    const paid = await client.orders.get({ bizNo: "buy-1", customerIdentity: CUSTOMER });
    expect(paid.paymentStatus).toBe("PAID");
    await shop.end();
  });

  it("lists all orders over all pages, newest first, each once", async () => {
    const { shop, client } = await inProcess();
    const bizNos = Array.from({ length: 7 }, (_, nth) => `buy-${nth}`);
    for (const bizNo of bizNos) {
      await client.orders.create(anOrder(bizNo));
      shop.advance(1_000);
    }
    const found: string[] = [];
    for await (const { bizNo } of client.orders.list({ customerIdentity: CUSTOMER, pageSize: 3 })) {
      // An order that is created during the loop moves older orders to the next page.
      if (found.length === 1) await client.orders.create(anOrder("buy-late"));
      found.push(bizNo);
    }
    expect(found).toEqual(bizNos.toReversed());
    const page = { customerIdentity: CUSTOMER, paymentStatus: "PAID" } as const;
    expect(await client.orders.listPage(page)).toEqual({ payOrderList: [], totalCount: 0 });
    await shop.end();
  });

  it("sends the customer's address in the header of the service", async () => {
    const sent: Headers[] = [];
    const { shop, client, options } = await inProcess();
    const spying = new TillkitClient({
      ...options,
      payerAddressHeader: "x-customer",
      fetch: (url, init) => {
        sent.push(new Headers(init.headers));
        return options.fetch?.(url, init) ?? Promise.reject(new Error("no fetch"));
      },
    });
    await spying.orders.create(anOrder("buy-1"), { payerAddress: "203.0.113.7" });
    await client.orders.create(anOrder("buy-2"));
    expect(sent.map((headers) => headers.get("x-customer"))).toEqual(["203.0.113.7"]);
    await shop.end();
  });
});

it("lists pay tools and services", async () => {
  const { shop, client } = await inProcess();
  expect((await client.payTools.list()).map(({ payChannel }) => payChannel).toSorted()).toEqual([
    "WALLET_A",
    "WALLET_B",
  ]);
  const { order } = await shop.placeOrder({ serviceTypeNo: shop.serviceType.serviceTypeNo });
  await shop.wallets.WALLET_A.notify(order);
  const { customerServiceList } = await client.services.list(order.customerIdentity);
  expect(customerServiceList).toMatchObject([{ serviceName: "Membership" }]);
  expect((await client.services.list("a/b?c#d%é")).customerServiceList).toEqual([]);
  // `encodeURIComponent` throws for half of a surrogate pair.
  await client.services
    .list("half \ud83d")
    .catch((error: unknown) => expect(error).toBeInstanceOf(TillkitError));
  await shop.end();
});

it("logs a customer in by SMS and checks the token", async () => {
  const { shop, client } = await inProcess();
  const mobileNo = "+8613800138000";
  await client.sessions.sendCode(mobileNo);
  const authCode = shop.ports.smsSender.messages.at(-1)?.authCode ?? "";
  const wrong = client.sessions.logIn({ mobileNo, authCode: "0" });
  await expect(wrong).rejects.toMatchObject({ failure: "auth-code.invalid", isRetryable: false });
  const { token } = await client.sessions.logIn({ mobileNo, authCode });
  expect(await client.sessions.checkToken(token)).toBe(true);
  expect(await client.sessions.checkToken(`${token}x`)).toBe(false);
  await shop.end();
});

it("reads downloads in both forms, with their failures", async () => {
  const { shop, client } = await inProcess();
  const input = { appId: shop.app.appId, dailyLimit: 3, clientId: "dlc_reports_of_notes" };
  await createDownloadsClient(shop.ports, input);
  const range = { id: "dlc_reports_of_notes", start: "2026-01-01", end: "2026-01-02" };
  const report = await client.downloads.get(range);
  expect(report.usage).toEqual({ dailyLimit: 3, usedToday: 1, remainingToday: 2 });
  expect((await client.downloads.getLegacy(range)).usage.usedToday).toBe(2);
  await client.downloads.get(range);
  for (const get of [client.downloads.get, client.downloads.getLegacy]) {
    const error: unknown = await get(range).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TillkitDownloadsError);
    expect(error).toMatchObject({ errorCode: "DAILY_LIMIT_REACHED", isRetryable: false, attempts: 1 });
    expect(error).toMatchObject({ usage: { dailyLimit: 3, remainingToday: 0 } });
  }
  await shop.end();
});

describe("failures", () => {
  it("names the failure and the trace id", async () => {
    const { shop, client } = await inProcess();
    const key = { bizNo: "none", customerIdentity: CUSTOMER };
    const error: unknown = await client.orders.get(key).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TillkitApiError);
    expect(error).toMatchObject({
      name: "TillkitApiError",
      code: 50001,
      failure: "order.not-found",
      operation: "orders.get",
      isRetryable: false,
      attempts: 1,
    });
    expect(error instanceof TillkitApiError && error.traceId).toMatch(/^[0-9a-f]{32}$/);
    await shop.end();
  });

  it("has messages in the language of the option", async () => {
    const { shop, client } = await inProcess({ language: "zh" });
    const key = { bizNo: "none", customerIdentity: CUSTOMER };
    await expect(client.orders.get(key)).rejects.toThrow(/\p{Script=Han}/u);
    await shop.end();
  });

  it("repeats a creation until the wallet answers", async () => {
    const { shop, client } = await inProcess();
    shop.faults.loseAnswer("WALLET_A", "prepare");
    expect(Object.keys(await client.orders.create(anOrder("buy-1")))).toContain("prepayid");
    await shop.end();
  });
});

describe("credentials", () => {
  afterEach(() => void vi.unstubAllGlobals());

  it("do not appear in a property, text or error of the client", async () => {
    const { shop, client, options } = await inProcess();
    const { appSecret } = options;
    const wrong = new TillkitClient({ ...options, appSecret: "wrong-secret" });
    const error: unknown = await wrong.payTools.list().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ failure: "credentials.invalid" });
    const deep = { depth: 20, showHidden: true, getters: true } as const;
    for (const value of [client, wrong, error]) {
      const texts = [inspect(value, deep), JSON.stringify(value), String(value)];
      for (const text of texts) expect(text).not.toMatch(new RegExp(`${appSecret}|wrong-secret`));
    }
    await shop.end();
  });

  it.each([
    ["a page", { document: {} }],
    ["a worker of a page", { importScripts: () => undefined, navigator: { userAgent: "Mozilla/5.0" } }],
    ["a mobile app", { navigator: { product: "ReactNative" } }],
  ])("are refused in %s", async (_, globals) => {
    const { shop, options } = await inProcess();
    // A bundle for browsers has no `process`, or one without the versions of Node.
    for (const process of [undefined, { versions: {} }]) {
      vi.stubGlobal("process", process);
      for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
      expect(() => new TillkitClient(options)).toThrow("must run on your server");
      expect(() => new TillkitClient({ ...options, runtime: "server" })).not.toThrow();
    }
    vi.unstubAllGlobals();
    await shop.end();
  });

  it("are refused in a window of Electron, and in an app that has all of Node", async () => {
    const { shop, options } = await inProcess();
    vi.stubGlobal("process", { versions: { node: "20.19.0" }, type: "renderer" });
    vi.stubGlobal("document", {});
    expect(() => new TillkitClient(options)).toThrow("must run on your server");
    vi.unstubAllGlobals();
    await shop.end();
  });

  it("are accepted on a server whose tests have the globals of a page", async () => {
    const { shop, options } = await inProcess();
    const globals = { document: {}, window: {}, navigator: { userAgent: "Mozilla/5.0 jsdom/26.1.0" } };
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    expect(() => new TillkitClient(options)).not.toThrow();
    await shop.end();
  });

  it.each(["Cloudflare-Workers", "Deno/2.9.6", "Bun/1.4.5"])("are accepted in %s", async (userAgent) => {
    const { shop, options } = await inProcess();
    vi.stubGlobal("process", undefined);
    vi.stubGlobal("navigator", { userAgent });
    vi.stubGlobal("importScripts", () => undefined);
    expect(() => new TillkitClient(options)).not.toThrow();
    await shop.end();
  });
});

it.each(["", "secret-1\n", " secret-1", "secret-\u{e9}"])(
  "refuses the secret %j, without repeating it",
  async (appSecret) => {
    const { shop, options } = await inProcess();
    const create = () => new TillkitClient({ ...options, appSecret });
    expect(create).toThrow(/^appId and appSecret must be ASCII text(?!.*secret-)/);
    await shop.end();
  },
);

it.each(["appId", "appSecret"])("refuses a missing %s", async (name) => {
  const { shop, options } = await inProcess();
  const incomplete = Object.assign({ ...options }, { [name]: undefined });
  expect(() => new TillkitClient(incomplete)).toThrow("appId and appSecret must be ASCII text");
  await shop.end();
});

it("accepts an address with white space around it", async () => {
  const { shop, options } = await inProcess();
  const client = new TillkitClient({ ...options, baseUrl: ` ${options.baseUrl} \n` });
  expect(await client.payTools.list()).toHaveLength(2);
  await shop.end();
});

it.each(["fr", "", "ZH", null])("refuses the language %j", async (language) => {
  const { shop, options } = await inProcess();
  // Code without types may pass anything.
  expect(() => new TillkitClient(Object.assign({ ...options }, { language }))).toThrow(
    "language must be en or zh",
  );
  await shop.end();
});

it.each([
  "",
  "pay.example.com/pay",
  "ftp://pay.example/pay",
  "https://a:b@pay.example",
  "https://a.example/?x=1",
])("refuses the address %j", async (baseUrl) => {
  const { shop, options } = await inProcess();
  expect(() => new TillkitClient({ ...options, baseUrl })).toThrow("baseUrl must be");
  await shop.end();
});
