import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import { parseInput } from "../shared/input.js";
import type { PaymentRequest, Wallet } from "../wallets/wallet.js";
import { createOrder, type CreateOrderPorts } from "./create-order.js";
import type { WalletOptions } from "../pay-tools/wallet-options.js";
import { type Order } from "./order.js";
import type { TimelineEntry } from "./timeline.js";
import { account, anOrder, app, stub } from "../testing/stubs.js";
import { createOrderInput } from "./create-order-input.js";
import { ERROR_CATALOG } from "../errors/catalog.js";
import { orThrow } from "../errors/or-throw.js";

const NOW = 1_000_000;

/** Creates a store of one order, and a wallet that accepts it. Records requests and queries. */
function openFixture(
  start?: Order,
  changes: Partial<Pick<CreateOrderPorts, "apps" | "payTools" | "serviceTypes">> = {},
) {
  let stored = start;
  let questions = 0;
  let known: ReturnType<Wallet["query"]> = okAsync(undefined);
  const entries: TimelineEntry[] = [];
  let now = NOW;
  let url = "https://pay.example/wallets";
  const prepared: PaymentRequest[] = [];
  const ports: CreateOrderPorts = {
    apps: stub({ getCached: () => app }),
    payTools: stub({ getCachedCurrent: () => account, getCached: () => account }),
    serviceTypes: stub({}),
    orders: stub({
      find: () => okAsync(stored),
      insertOnce: (order, entry) => {
        stored ??= order;
        entries.push(entry);
        return okAsync(stored);
      },
      transition: (_key, { to }) => {
        if (stored === undefined) return okAsync(undefined);
        stored = { ...stored, paymentStatus: to };
        return okAsync({ moved: true, order: stored });
      },
      claimPrepayment: (_key, claim) => {
        if (stored === undefined) return okAsync(undefined);
        stored = { ...stored, prepaymentClaim: claim };
        return okAsync({ granted: true, order: stored });
      },
      attachPrepayment: (_key, prepayment) => {
        if (stored !== undefined) stored = { ...stored, prepayment };
        return okAsync(stored);
      },
    }),
    refunds: stub({}),
    wallets: {
      WALLET_A: stub({
        localPrepayment: () => undefined,
        prepare: (_account, request) => {
          prepared.push(request);
          return okAsync({ issuedAt: now, validUntil: now + 10 * 60_000, values: { prepayId: "p" } });
        },
        query: () => {
          questions += 1;
          return known;
        },
        payload: (_account, request, _prepayment, at) => okAsync({ code_url: `${request.outTradeNo} ${at}` }),
      }),
      WALLET_B: stub({}),
    },
    clock: { now: () => now, sleep: async () => undefined },
    random: { bytes: (count) => new Uint8Array(count).fill(7) },
    digest: { sha256: (text) => text, keyed: (text) => [text] },
    observer: { onEvent: () => undefined },
    policy: defaultPolicy,
    get notificationsUrl() {
      return url;
    },
    ...changes,
  };
  const create = (changes: Readonly<Record<string, unknown>> = {}) =>
    parseInput(createOrderInput(ports.policy), {
      bizNo: "b/1?",
      customerIdentity: "c-1",
      amount: 600,
      goodsTitle: "Thirty days",
      payChannel: "WALLET_A",
      ...changes,
    }).asyncAndThen((input) => createOrder(ports, "app_1", input));
  const moveTo = (next: string) => (url = next);
  const walletSays = (stated: typeof known) => {
    known = stated;
  };
  const advance = (ms: number) => (now += ms);
  return {
    create,
    prepared,
    entries,
    moveTo,
    advance,
    walletSays,
    held: () => stored,
    questions: () => questions,
  };
}

describe("the options of an order", () => {
  /** Creates a store whose pay tool gets other default options by `change`. */
  function openWithDefaults(first: WalletOptions) {
    let defaults: WalletOptions | undefined = first;
    const current = () => (defaults === undefined ? account : { ...account, walletOptions: defaults });
    const fixture = openFixture(undefined, {
      payTools: stub({ getCachedCurrent: current, getCached: current }),
    });
    return { ...fixture, change: (next: WalletOptions | undefined) => (defaults = next) };
  }

  it("are stored and sent, with the defaults of the pay tool", async () => {
    const { create, prepared } = openWithDefaults({ limit_pay: ["no_credit"], attach: "shop" });
    const { order } = await orThrow(create({ walletOptions: { attach: "till 7" } }));
    const sent = { attach: "till 7", limit_pay: ["no_credit"] };
    expect(order.walletOptions).toEqual({ given: { attach: "till 7" }, sent });
    expect(prepared.map(({ options }) => options)).toEqual([sent]);
  });

  it("are absent from the order and the request if there are none", async () => {
    const { create, prepared } = openFixture();
    const { order } = await orThrow(create({ walletOptions: {} }));
    expect(order).not.toHaveProperty("walletOptions");
    expect(prepared[0]).not.toHaveProperty("options");
    expect((await orThrow(create())).order.id).toBe(order.id);
  });

  it("are kept after the pay tool has changed, and a repetition causes no conflict", async () => {
    const { create, prepared, change, advance } = openWithDefaults({ limit_pay: ["no_credit"] });
    await orThrow(create());
    for (const next of [{ goods_tag: "t" }, undefined]) {
      change(next);
      // The prepayment has expired, so the wallet is called again.
      advance(11 * 60_000);
      await orThrow(create());
    }
    expect(prepared).toHaveLength(3);
    for (const request of prepared) expect(request).toEqual(prepared[0]);
    expect(prepared[0]?.options).toEqual({ limit_pay: ["no_credit"] });
  });

  it("cause a conflict that names them if a repetition has other options", async () => {
    const { create } = openFixture();
    const walletOptions = { attach: "a", goods_tag: "t" };
    await orThrow(create({ walletOptions }));
    expect((await create({ walletOptions: { goods_tag: "t", attach: "a" } })).isOk()).toBe(true);
    for (const [other, fields] of [
      [{ attach: "b", goods_tag: "t" }, ["walletOptions.attach"]],
      [{ ...walletOptions, support_fapiao: false }, ["walletOptions.support_fapiao"]],
      [undefined, ["walletOptions.attach", "walletOptions.goods_tag"]],
    ] as const)
      expect((await create({ walletOptions: other }))._unsafeUnwrapErr()).toEqual({
        name: "biz-no.conflict",
        fields,
      });
  });

  it("are compared as the caller sent them, even if a default leads to the same request", async () => {
    const { create } = openWithDefaults({ attach: "a" });
    await orThrow(create());
    expect((await create({ walletOptions: { attach: "a" } }))._unsafeUnwrapErr()).toEqual({
      name: "biz-no.conflict",
      fields: ["walletOptions.attach"],
    });
  });
});

describe("createOrder", () => {
  it("stores the parameters of the wallet's order, under the order's id", async () => {
    const { create, prepared, entries } = openFixture();
    const { order } = await orThrow(create());
    const entry = { type: "CREATED", details: '{"amount":600}', at: NOW, actor: "caller", reason: "" };
    expect(entries).toEqual([{ ...entry, to: "PENDING", alarm: false }]);
    // Optional members are absent, never `undefined`.
    expect(Object.values(order)).not.toContain(undefined);
    expect(order).toMatchObject({
      appId: "app_1",
      paymentStatus: "PENDING",
      paySource: "APP",
      expiresAt: NOW + defaultPolicy.orderTtl,
      nextQueryAt: NOW + 30_000,
      refundedAmount: 0,
    });
    expect(order.id).toMatch(/^[0-9A-Z]{1,32}$/);
    expect(order.notifyUrl).toBe("https://pay.example/wallets/notify/WALLET_A/tool-1/Yi8xPw");
    expect(prepared).toEqual([
      {
        outTradeNo: order.id,
        amount: 600,
        goodsTitle: "Thirty days",
        paySource: "APP",
        notifyUrl: order.notifyUrl,
        returnUrl: "https://pay.example/wallets/return/WALLET_A",
        expiresAt: order.expiresAt,
      },
    ]);
  });

  it("stores the payer if the wallet needs one, and sends it with every repetition", async () => {
    const { create, prepared, advance } = openFixture();
    const jsapi = { paySource: "JSAPI", payerId: "openid-1" };
    expect((await orThrow(create(jsapi))).order).toMatchObject(jsapi);
    advance(10 * 60_000);
    await create(jsapi);
    expect(prepared).toHaveLength(2);
    for (const request of prepared) expect(request).toMatchObject(jsapi);
  });

  it("drops the payer if the wallet needs none, also if a repetition has another one", async () => {
    const { create, prepared } = openFixture();
    const { order } = await orThrow(create({ payerId: "openid-1" }));
    expect(Object.keys(order)).not.toContain("payerId");
    expect((await orThrow(create({ payerId: "openid-2" }))).order).toEqual(order);
    expect(JSON.stringify(prepared)).not.toContain("openid");
  });

  it("reports payerId as the difference of a repetition by another person, without its value", async () => {
    const { create, held: stored } = openFixture();
    await create({ paySource: "JSAPI", payerId: "openid-1" });
    const before = stored();
    const other = (await create({ paySource: "JSAPI", payerId: "openid-2" }))._unsafeUnwrapErr();
    expect(other).toEqual({ name: "biz-no.conflict", fields: ["payerId"] });
    const elsewhere = (await create({ paySource: "APP", payerId: "openid-1" }))._unsafeUnwrapErr();
    expect(elsewhere).toEqual({ name: "biz-no.conflict", fields: ["paySource"] });
    expect(stored()).toEqual(before);
  });

  it("stores nothing if the payer is missing", async () => {
    const { create, held: stored } = openFixture();
    const missing = { name: "parameter.missing", parameter: "payerId" };
    expect((await create({ paySource: "JSAPI" }))._unsafeUnwrapErr()).toEqual(missing);
    const noPage = { name: "pay-source.invalid", rule: "unavailable" };
    expect((await create({ paySource: "PC" }))._unsafeUnwrapErr()).toEqual(noPage);
    expect(stored()).toBeUndefined();
  });

  it("calls the wallet once for repetitions, and again after the prepayment has expired", async () => {
    const { create, prepared, advance, moveTo } = openFixture();
    const first = await orThrow(create());
    expect(await orThrow(create())).toEqual(first);
    expect(prepared).toHaveLength(1);
    advance(10 * 60_000);
    // The wallet accepts a repeated order only if nothing in it has changed.
    moveTo("https://other.example/wallets");
    expect((await orThrow(create())).order.id).toBe(first.order.id);
    expect(prepared).toHaveLength(2);
    expect(prepared[1]).toEqual(prepared[0]);
  });

  it("returns the same payload to all callers within a minute, and then signs a new one", async () => {
    const { create, advance } = openFixture();
    const { order, payload } = await orThrow(create());
    advance(59_999);
    expect((await orThrow(create())).payload).toEqual(payload);
    advance(1);
    expect((await orThrow(create())).payload).toEqual({ code_url: `${order.id} ${NOW + 60_000}` });
  });

  it.each([
    [{ amount: 601 }, ["amount"]],
    [{ goodsTitle: "Other", paySource: "H5" }, ["goodsTitle", "paySource"]],
    [{ attachData: "{}" }, ["attachData"]],
    [{ customerIdentity: "c-2" }, ["customerIdentity"]],
    [{ sourceFrom: "others", serviceNo: "s" }, ["serviceNo", "sourceFrom"]],
  ])("names the parameters that differ from the order of this bizNo: %o", async (changes, fields) => {
    const { create, held: stored, prepared } = openFixture();
    await create();
    const before = stored();
    expect((await create(changes))._unsafeUnwrapErr()).toEqual({ name: "biz-no.conflict", fields });
    expect(stored()).toEqual(before);
    expect(prepared).toHaveLength(1);
  });

  it("accepts a repetition with another customerName, which is only a label", async () => {
    const { create } = openFixture();
    const { order } = await orThrow(create({ customerName: "Li" }));
    expect((await orThrow(create({ customerName: "Lei" }))).order).toEqual(order);
  });

  it.each([
    ["PAID", "order.already-paid"],
    ["CLOSE", "order.closed"],
    ["REFUND", "order.refunded"],
  ] as const)("fails without calling the wallet if the order is %s", async (paymentStatus, name) => {
    const first = openFixture();
    const { order } = await orThrow(first.create());
    const { create, prepared } = openFixture({ ...order, paymentStatus });
    expect((await create())._unsafeUnwrapErr()).toEqual({ name });
    expect(prepared).toEqual([]);
  });

  it("creates no order if the pay tool is not ready", async () => {
    const notReady = okAsync({ ...account, signStatus: "NO" as const });
    const { create, held: stored } = openFixture(undefined, {
      payTools: stub({ getCachedCurrent: () => undefined, current: () => notReady }),
    });
    expect((await create())._unsafeUnwrapErr()).toEqual({ name: "pay-tool.not-ready" });
    expect(stored()).toBeUndefined();
    const since = openFixture(anOrder({ bizNo: "b/1?", expiresAt: NOW + 1 }), {
      payTools: stub({
        getCachedCurrent: () => undefined,
        current: () => okAsync(undefined),
        getCached: () => undefined,
        find: () => notReady,
      }),
    });
    expect((await since.create())._unsafeUnwrapErr()).toEqual({ name: "pay-tool.not-ready" });
    expect(since.prepared).toEqual([]);
  });

  it("names the id that no enabled app has, to a caller in this process", async () => {
    const { create } = openFixture(undefined, {
      apps: stub({ getCached: () => undefined, find: () => okAsync(undefined) }),
    });
    const refused = await create();
    const detail = "No enabled app has the id 'app_1'.";
    expect(refused._unsafeUnwrapErr()).toEqual({ name: "credentials.invalid", detail });
    expect(() => orThrow(refused)).toThrow(`${ERROR_CATALOG["credentials.invalid"].message.en}. ${detail}`);
  });

  it("does not fail because of a cached record", async () => {
    const notReady = { ...account, signStatus: "NO" as const };
    const { create, prepared } = openFixture(undefined, {
      apps: stub({ getCached: () => ({ ...app, disabled: true }), find: () => okAsync(app) }),
      payTools: stub({ getCachedCurrent: () => notReady, current: () => okAsync(account) }),
    });
    expect((await create()).isOk()).toBe(true);
    expect(prepared).toHaveLength(1);
    const since = openFixture((await orThrow(create())).order, {
      payTools: stub({
        getCachedCurrent: () => ({ ...account, id: "tool-2" }),
        getCached: () => notReady,
        find: () => okAsync(account),
      }),
    });
    expect((await since.create()).isOk()).toBe(true);
  });

  it("creates no order of a retired service type, and returns an order that was created before", async () => {
    const type = {
      serviceTypeNo: "svt-1",
      serviceName: "Month",
      durationMs: 1,
      appId: "app_1",
      gmtCreate: 1,
    };
    let retiredAt: number | undefined;
    const serviceTypes: CreateOrderPorts["serviceTypes"] = stub({
      find: () => okAsync(retiredAt === undefined ? type : { ...type, retiredAt }),
    });
    const { create, held: stored } = openFixture(undefined, { serviceTypes });
    retiredAt = NOW;
    const refused = (await create({ serviceTypeNo: "svt-1" }))._unsafeUnwrapErr();
    expect(refused).toEqual({ name: "service-type.retired" });
    expect(stored()).toBeUndefined();
    retiredAt = undefined;
    const { order } = await orThrow(create({ serviceTypeNo: "svt-1" }));
    retiredAt = NOW;
    expect((await orThrow(create({ serviceTypeNo: "svt-1" }))).order).toEqual(order);
  });

  it("requires a customer for a timed service, also in an app without accounts", async () => {
    const apps: CreateOrderPorts["apps"] = stub({ getCached: () => ({ ...app, accountBased: false }) });
    const { create } = openFixture(undefined, { apps });
    const failure = (await create({ customerIdentity: "", serviceTypeNo: "svt-1" }))._unsafeUnwrapErr();
    expect(failure).toEqual({ name: "parameter.missing", parameter: "customerIdentity" });
  });

  describe("when the time to pay is over", () => {
    const TTL = defaultPolicy.orderTtl;

    it("queries the order at the wallet only then", async () => {
      const { create, advance, questions } = openFixture();
      await create();
      advance(TTL - 1);
      await create();
      expect(questions()).toBe(0);
      advance(1);
      expect((await create())._unsafeUnwrapErr()).toEqual({ name: "order.closed" });
      expect(questions()).toBe(1);
    });

    it("fails with order.already-paid if the wallet confirms a payment, and with order.closed if it does not answer", async () => {
      const { create, advance, walletSays, held: stored } = openFixture();
      const { order } = await orThrow(create());
      advance(TTL);
      walletSays(errAsync({ name: "wallet.unknown", cause: "timeout", detail: "" }));
      expect((await create())._unsafeUnwrapErr()).toEqual({ name: "order.closed" });
      expect(stored()?.paymentStatus).toBe("PENDING");
      const { walletAppId, accountId: merchantId } = account;
      const facts = { outTradeNo: order.id, walletAppId, merchantId, amount: 600, currency: "CNY" };
      walletSays(okAsync({ state: "PAID", ...facts, evidence: "paid" }));
      expect((await create())._unsafeUnwrapErr()).toEqual({ name: "order.already-paid" });
    });

    it("does not query an order that is closed", async () => {
      const first = openFixture();
      const { order } = await orThrow(first.create());
      const { create, advance, questions } = openFixture({ ...order, paymentStatus: "CLOSE" });
      advance(TTL);
      expect((await create())._unsafeUnwrapErr()).toEqual({ name: "order.closed" });
      expect(questions()).toBe(0);
    });
  });
});

describe("createOrderInput", () => {
  it.each([
    [{ bizNo: "b 1" }, "bizNo", "visible-ascii"],
    [{ attachData: "\u0000" }, "attachData", "null-character"],
  ])("names the rule that %o violates", (changes, parameter, rule) => {
    const raw = { bizNo: "b-1", amount: 600, goodsTitle: "Thirty days", payChannel: "WALLET_A", ...changes };
    const failure = parseInput(createOrderInput(defaultPolicy), raw)._unsafeUnwrapErr();
    expect(failure).toEqual({ name: "parameter.invalid", parameter, rule });
  });
});
