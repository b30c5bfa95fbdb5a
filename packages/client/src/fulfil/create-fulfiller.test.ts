import { orThrow, parseInput, receiveNotification, refundOrder, refundOrderInput } from "@tillkit/core";
import {
  adoptBillException,
  adoptRefund,
  adoptRefundInput,
  resolveBillExceptionInput,
} from "@tillkit/core/operators";
import { describe, expect, it } from "vitest";
import { TillkitConnectionError } from "../errors.js";
import { inProcess } from "../testing/in-process.js";
import type { Order } from "../types.js";
import { createFulfiller } from "./create-fulfiller.js";
import type { FulfillerOptions } from "./fulfiller.js";
import { memoryFulfilmentStore } from "./memory-fulfilment-store.js";

const USER = "user-1";
const PURCHASE = { bizNo: "buy-1", customerIdentity: USER, amount: 600, data: "month" };
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Creates a service and a fulfiller that notes its effects. */
async function aFulfiller(changes: Partial<FulfillerOptions<undefined>> = {}) {
  const { shop, client } = await inProcess();
  const effects: string[] = [];
  const store = memoryFulfilmentStore();
  const options: FulfillerOptions<undefined> = {
    client,
    store,
    grant: async ({ bizNo, data }) => void effects.push(`grant ${bizNo} ${data}`),
    revoke: async ({ bizNo }) => void effects.push(`revoke ${bizNo}`),
    now: () => shop.ports.clock.now(),
    ...changes,
  };
  const fulfiller = createFulfiller(options);
  const create = async (bizNo: string): Promise<void> => {
    await client.orders.create({
      bizNo,
      amount: 600,
      goodsTitle: "Month",
      payChannel: "WALLET_A",
      customerIdentity: USER,
      attachData: '{"product":"month"}',
    });
  };
  const pay = async (bizNo: string): Promise<void> => {
    await shop.wallets.WALLET_A.notify(await client.orders.get({ bizNo, customerIdentity: USER }));
  };
  const buy = async (bizNo = "buy-1"): Promise<void> => {
    await fulfiller.register({ ...PURCHASE, bizNo });
    await create(bizNo);
    await pay(bizNo);
  };
  const refund = async (bizNo: string, amount?: number): Promise<void> => {
    const asked = { bizNo, refundNo: `r-${amount ?? "all"}`, reason: "test", operator: "han", amount };
    const input = parseInput(refundOrderInput(shop.ports.policy), asked);
    const made = await input.asyncAndThen((valid) => refundOrder(shop.ports, shop.app.appId, valid));
    if (made.isErr()) throw new Error(made.error.name);
  };
  return { shop, client, store, options, fulfiller, effects, create, pay, buy, refund };
}

describe("verify", () => {
  it("grants a paid purchase once, also when many processes verify at once", async () => {
    const { options, fulfiller, effects, buy, shop } = await aFulfiller();
    await buy();
    const processes = Array.from({ length: 20 }, () => createFulfiller(options));
    const outcomes = await Promise.all(processes.map((one) => one.verify("buy-1", USER)));
    expect(outcomes.filter(({ outcome }) => outcome === "granted")).toHaveLength(1);
    expect(await fulfiller.verify("buy-1", USER)).toEqual({ outcome: "granted-before" });
    expect(effects).toEqual(["grant buy-1 month"]);
    await shop.end();
  });

  it("grants nothing for an order that is not paid", async () => {
    const { fulfiller, effects, create, pay, shop } = await aFulfiller();
    await fulfiller.register(PURCHASE);
    await create("buy-1");
    expect(await fulfiller.verify("buy-1", USER)).toEqual({ outcome: "not-paid", paymentStatus: "PENDING" });
    expect(effects).toEqual([]);
    await pay("buy-1");
    expect(await fulfiller.verify("buy-1", USER)).toEqual({ outcome: "granted" });
    await shop.end();
  });

  it.each(["CLOSED", "EXPIRED", "A_LATER_STATUS"])(
    "grants nothing for an order in the status %s",
    async (paymentStatus) => {
      const { client, effects, buy, options, shop } = await aFulfiller();
      await buy();
      const order = await client.orders.get({ bizNo: "buy-1", customerIdentity: USER });
      const get = async () => Object.assign(order, { paymentStatus });
      const fulfiller = createFulfiller({ ...options, client: { orders: { ...client.orders, get } } });
      expect(await fulfiller.verify("buy-1", USER)).toEqual({ outcome: "not-paid", paymentStatus });
      expect(effects).toEqual([]);
      await shop.end();
    },
  );

  it("does not report a grant whose claim another process has taken over", async () => {
    const { store, effects, buy, options, shop } = await aFulfiller();
    await buy();
    const fulfiller = createFulfiller({ ...options, store: { ...store, complete: async () => false } });
    expect(await fulfiller.verify("buy-1", USER)).toEqual({ outcome: "in-progress" });
    expect(effects).toEqual([]);
    await shop.end();
  });

  it("returns unknown-purchase for the purchase of another customer and for one that was never registered", async () => {
    const { fulfiller, effects, buy, shop } = await aFulfiller();
    await buy();
    expect(await fulfiller.verify("buy-1", "user-2")).toEqual({ outcome: "unknown-purchase" });
    expect(await fulfiller.verify("buy-2", USER)).toEqual({ outcome: "unknown-purchase" });
    expect(effects).toEqual([]);
    await shop.end();
  });

  it.each([{ amount: 1 }, { bizNo: "buy-2" }])("grants nothing for another order: %o", async (changes) => {
    const { client, effects, buy, options, shop } = await aFulfiller();
    await buy();
    const get = async (): Promise<Order> => ({
      ...(await client.orders.get({ bizNo: "buy-1", customerIdentity: USER })),
      ...changes,
    });
    const fulfiller = createFulfiller({ ...options, client: { orders: { ...client.orders, get } } });
    expect(await fulfiller.verify("buy-1", USER)).toMatchObject({ outcome: "mismatch" });
    expect(effects).toEqual([]);
    await shop.end();
  });

  it("returns the error of a failed grant, and grants at the next call", async () => {
    let failures = 1;
    const { fulfiller, buy, shop } = await aFulfiller({
      grant: async () => {
        failures -= 1;
        if (failures >= 0) throw new Error("the grant failed");
      },
    });
    await buy();
    const error = new Error("the grant failed");
    expect(await fulfiller.verify("buy-1", USER)).toEqual({ outcome: "failed", error });
    expect(await fulfiller.verify("buy-1", USER)).toEqual({ outcome: "granted" });
    await shop.end();
  });

  it("returns the error of the grant if the store fails, too", async () => {
    const { store, buy, options, shop } = await aFulfiller();
    await buy();
    const error = new Error("the connection was lost");
    const failing = { ...store, complete: () => Promise.reject(error), release: () => Promise.reject(error) };
    const fulfiller = createFulfiller({ ...options, store: failing });
    expect(await fulfiller.verify("buy-1", USER)).toEqual({ outcome: "failed", error });
    shop.advance(30_000);
    expect(await createFulfiller(options).verify("buy-1", USER)).toEqual({ outcome: "granted" });
    await shop.end();
  });

  it("returns the error if the order cannot be read", async () => {
    const { shop, client, fulfiller, options } = await aFulfiller();
    await fulfiller.register(PURCHASE);
    const facts = { operation: "orders.get", isRetryable: true, attempts: 4 };
    const error = new TillkitConnectionError("no connection", facts);
    const get = () => Promise.reject(error);
    const broken = createFulfiller({ ...options, client: { orders: { ...client.orders, get } } });
    expect(await broken.verify("buy-1", USER)).toEqual({ outcome: "failed", error });
    await shop.end();
  });

  it("aborts the signal of an effect before another process can take the purchase over", async () => {
    const aborted: boolean[] = [];
    const lease = 5;
    const { shop, store, buy, options } = await aFulfiller({
      lease,
      grant: async (_purchase, { signal }) => void aborted.push(signal.aborted),
    });
    await buy();
    const claim: typeof store.claim = async (bizNo, wanted) => {
      const claimed = await store.claim(bizNo, wanted);
      const ended = AbortSignal.timeout(lease);
      // The timer of the signal does not keep the process alive, so the test starts a timer that
      // does.
      const alive = setInterval(() => undefined, lease);
      await new Promise((resolve) => ended.addEventListener("abort", resolve));
      clearInterval(alive);
      return claimed;
    };
    await createFulfiller({ ...options, store: { ...store, claim } }).verify("buy-1", USER);
    expect(aborted).toEqual([true]);
    await shop.end();
  });

  it("takes a grant over when the lease of a dead process has expired", async () => {
    const { shop, store, fulfiller, effects, buy } = await aFulfiller();
    await buy();
    const now = shop.ports.clock.now();
    await store.claim("buy-1", { id: "dead", to: "GRANTING", now, until: now + 30_000 });
    expect(await fulfiller.verify("buy-1", USER)).toEqual({ outcome: "in-progress" });
    shop.advance(30_000);
    expect(await fulfiller.verify("buy-1", USER)).toEqual({ outcome: "granted" });
    expect(effects).toEqual(["grant buy-1 month"]);
    await shop.end();
  });
});

describe("refunds", () => {
  it("are found by checkDue, which revokes the purchase once", async () => {
    const { shop, fulfiller, options, effects, buy, refund } = await aFulfiller();
    await buy();
    await fulfiller.verify("buy-1", USER);
    expect(await fulfiller.checkDue()).toEqual(new Map());
    shop.advance(MINUTE);
    expect(await fulfiller.checkDue()).toEqual(new Map([["buy-1", { outcome: "granted-before" }]]));
    await refund("buy-1");
    shop.advance(4 * MINUTE);
    const steps = await Promise.all([1, 2, 3].map(() => createFulfiller(options).checkDue()));
    expect(steps.flatMap((step) => [...step.values()])).toEqual([{ outcome: "revoked" }]);
    shop.advance(365 * DAY);
    expect(await fulfiller.checkDue()).toEqual(new Map());
    expect(await fulfiller.verify("buy-1", USER)).toEqual({ outcome: "revoked" });
    expect(effects).toEqual(["grant buy-1 month", "revoke buy-1"]);
    await shop.end();
  });

  it("of a part of the amount do not revoke the purchase", async () => {
    const { shop, fulfiller, effects, buy, refund } = await aFulfiller();
    await buy();
    await fulfiller.verify("buy-1", USER);
    await refund("buy-1", 100);
    shop.advance(MINUTE);
    expect(await fulfiller.checkDue()).toEqual(new Map([["buy-1", { outcome: "granted-before" }]]));
    expect(effects).toEqual(["grant buy-1 month"]);
    await shop.end();
  });

  it("before the first verification cause neither a grant nor a revocation", async () => {
    const { shop, fulfiller, effects, buy, refund } = await aFulfiller();
    await buy();
    await refund("buy-1");
    expect(await fulfiller.verify("buy-1", USER)).toEqual({ outcome: "revoked" });
    expect(effects).toEqual([]);
    await shop.end();
  });

  it("revoke a purchase whose granting process died, because the grant may have happened", async () => {
    const { shop, store, fulfiller, effects, buy, refund } = await aFulfiller();
    await buy();
    const now = shop.ports.clock.now();
    await store.claim("buy-1", { id: "dead", to: "GRANTING", now, until: now + 30_000 });
    await refund("buy-1");
    shop.advance(30_000);
    expect(await fulfiller.checkDue()).toEqual(new Map([["buy-1", { outcome: "revoked" }]]));
    expect(effects).toEqual(["revoke buy-1"]);
    await shop.end();
  });

  it("are looked for at the times of the schedule, and not after the last time", async () => {
    const { shop, fulfiller, buy } = await aFulfiller({ schedule: [MINUTE, 10 * MINUTE] });
    await buy();
    await fulfiller.verify("buy-1", USER);
    const reads: number[] = [];
    for (let minute = 1; minute <= 60; minute += 1) {
      shop.advance(MINUTE);
      if ((await fulfiller.checkDue()).size > 0) reads.push(minute);
    }
    expect(reads).toEqual([1, 10]);
    await shop.end();
  });
});

describe("recheck", () => {
  it("revokes a refunded purchase at once, and once", async () => {
    const { shop, options, effects, fulfiller, buy, refund } = await aFulfiller();
    await buy();
    await fulfiller.verify("buy-1", USER);
    expect(await fulfiller.recheck("buy-1")).toEqual({ outcome: "granted-before" });
    await refund("buy-1");
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => createFulfiller(options).recheck("buy-1")),
    );
    expect(outcomes).toContainEqual({ outcome: "revoked" });
    expect(await fulfiller.recheck("buy-1")).toEqual({ outcome: "revoked" });
    expect(effects).toEqual(["grant buy-1 month", "revoke buy-1"]);
    await shop.end();
  });

  it("grants a paid purchase, and returns unknown-purchase for another bizNo", async () => {
    const { shop, effects, fulfiller, buy } = await aFulfiller();
    await buy();
    expect(await fulfiller.recheck("buy-1")).toEqual({ outcome: "granted" });
    expect(await fulfiller.recheck("buy-2")).toEqual({ outcome: "unknown-purchase" });
    expect(effects).toEqual(["grant buy-1 month"]);
    await shop.end();
  });
});

describe("checkDue", () => {
  it("grants a paid purchase that was never verified", async () => {
    const { shop, fulfiller, effects, buy } = await aFulfiller();
    await buy();
    shop.advance(MINUTE);
    expect(await fulfiller.checkDue()).toEqual(new Map([["buy-1", { outcome: "granted" }]]));
    expect(effects).toEqual(["grant buy-1 month"]);
    await shop.end();
  });

  it("reads an order that was never created at the times of the schedule", async () => {
    const { shop, fulfiller } = await aFulfiller();
    await fulfiller.register(PURCHASE);
    shop.advance(MINUTE);
    const first = await fulfiller.checkDue();
    expect(first.get("buy-1")).toMatchObject({ outcome: "failed", error: { failure: "order.not-found" } });
    shop.advance(MINUTE);
    expect(await fulfiller.checkDue()).toEqual(new Map());
    shop.advance(3 * MINUTE);
    expect((await fulfiller.checkDue()).size).toBe(1);
    await shop.end();
  });

  it("repeats a failed read after the lease if it may succeed later", async () => {
    const { shop, client, options, buy } = await aFulfiller();
    await buy();
    const facts = { operation: "orders.get", isRetryable: true, attempts: 4 };
    const answers = [() => Promise.reject(new TillkitConnectionError("no connection", facts))];
    const get: typeof client.orders.get = (...asked) => answers.pop()?.() ?? client.orders.get(...asked);
    const fulfiller = createFulfiller({ ...options, client: { orders: { ...client.orders, get } } });
    shop.advance(MINUTE);
    expect((await fulfiller.checkDue()).get("buy-1")).toMatchObject({ outcome: "failed" });
    shop.advance(30_000);
    expect(await fulfiller.checkDue()).toEqual(new Map([["buy-1", { outcome: "granted" }]]));
    await shop.end();
  });

  it("repeats a failed effect after the lease", async () => {
    let failures = 1;
    const effects: string[] = [];
    const { shop, fulfiller, buy } = await aFulfiller({
      grant: async ({ bizNo }) => {
        failures -= 1;
        if (failures >= 0) throw new Error("the grant failed");
        effects.push(bizNo);
      },
    });
    await buy();
    shop.advance(MINUTE);
    expect((await fulfiller.checkDue()).get("buy-1")).toMatchObject({ outcome: "failed" });
    shop.advance(29_999);
    expect(await fulfiller.checkDue()).toEqual(new Map());
    shop.advance(1);
    expect((await fulfiller.checkDue()).get("buy-1")).toEqual({ outcome: "granted" });
    expect(effects).toEqual(["buy-1"]);
    await shop.end();
  });

  it("waits longer after each failed effect, up to six hours", async () => {
    const tried: number[] = [];
    const { shop, fulfiller, buy } = await aFulfiller({
      grant: async () => {
        tried.push(shop.ports.clock.now());
        throw new Error("the grant failed");
      },
    });
    await buy();
    await fulfiller.verify("buy-1", USER);
    for (let half = 0; half < 4_000; half += 1) {
      shop.advance(15_000);
      await fulfiller.checkDue();
    }
    const pauses = tried.slice(1).map((at, nth) => (at - (tried[nth] ?? 0)) / 1_000);
    expect(pauses).toEqual([30, 30, 60, 120, 240, 480, 960, 1_920, 3_840, 7_680, 15_360, 21_600]);
    await shop.end();
  });

  it.each([0, -1, 1.5, Number.NaN, 1_001])("refuses the limit %d", async (limit) => {
    const { shop, fulfiller } = await aFulfiller();
    await expect(fulfiller.checkDue(limit)).rejects.toThrow(RangeError);
    await shop.end();
  });

  it("takes at most the limit", async () => {
    const { shop, fulfiller, buy } = await aFulfiller();
    for (const bizNo of ["buy-1", "buy-2", "buy-3"]) await buy(bizNo);
    shop.advance(MINUTE);
    expect((await fulfiller.checkDue(2)).size).toBe(2);
    expect((await fulfiller.checkDue(2)).size).toBe(1);
    await shop.end();
  });
});

describe("restore", () => {
  it("grants every paid order of the customer that was not granted", async () => {
    const { shop, fulfiller, effects, buy } = await aFulfiller();
    for (const bizNo of ["buy-1", "buy-2"]) await buy(bizNo);
    await fulfiller.verify("buy-1", USER);
    const outcomes = await fulfiller.restore(USER);
    expect(outcomes).toEqual(
      new Map([
        ["buy-2", { outcome: "granted" }],
        ["buy-1", { outcome: "granted-before" }],
      ]),
    );
    expect(effects).toEqual(["grant buy-1 month", "grant buy-2 month"]);
    await shop.end();
  });

  it("finds the purchases again after the loss of the store", async () => {
    const { shop, options, effects, buy } = await aFulfiller();
    await buy();
    const lost = { ...options, store: memoryFulfilmentStore() };
    expect(await createFulfiller(lost).restore(USER)).toEqual(new Map());
    const dataOf = ({ attachData }: Order): string => JSON.stringify(attachData);
    const found = createFulfiller({ ...lost, dataOf });
    expect(await found.restore(USER)).toEqual(new Map([["buy-1", { outcome: "granted" }]]));
    expect(effects).toEqual(['grant buy-1 {"product":"month"}']);
    await shop.end();
  });

  it("leaves out a purchase that was registered for another customer", async () => {
    const { shop, client, options, effects, buy } = await aFulfiller();
    await buy();
    const list = () => client.orders.list({ customerIdentity: USER });
    const fulfiller = createFulfiller({ ...options, client: { orders: { ...client.orders, list } } });
    expect(await fulfiller.restore("user-2")).toEqual(new Map());
    expect(effects).toEqual([]);
    await shop.end();
  });

  it("grants the other orders if one of them cannot be recorded", async () => {
    const { shop, options, effects, buy } = await aFulfiller();
    for (const bizNo of ["buy-1", "buy-2"]) await buy(bizNo);
    const dataOf = ({ bizNo }: Order): string => (bizNo === "buy-2" ? "x".repeat(4_097) : "month");
    const found = createFulfiller({ ...options, store: memoryFulfilmentStore(), dataOf });
    const error = new RangeError("data must have at most 4096 characters.");
    expect(await found.restore(USER)).toEqual(
      new Map([
        ["buy-2", { outcome: "failed", error }],
        ["buy-1", { outcome: "granted" }],
      ]),
    );
    expect(effects).toEqual(["grant buy-1 month"]);
    await shop.end();
  });

  it("does not grant a revoked purchase again", async () => {
    const { shop, store, fulfiller, effects, buy } = await aFulfiller();
    await buy();
    const now = shop.ports.clock.now();
    await store.claim("buy-1", { id: "claim", to: "REVOKING", now, until: now + 1 });
    await store.complete("buy-1", { claimId: "claim", to: "REVOKED", now }, async () => undefined);
    expect(await fulfiller.restore(USER)).toEqual(new Map([["buy-1", { outcome: "revoked" }]]));
    expect(effects).toEqual([]);
    await shop.end();
  });
});

describe("register", () => {
  it("refuses other terms for a bizNo", async () => {
    const { shop, fulfiller } = await aFulfiller();
    await fulfiller.register(PURCHASE);
    expect(await fulfiller.register(PURCHASE)).toMatchObject({ status: "REGISTERED" });
    for (const changes of [{ amount: 700 }, { customerIdentity: "user-2" }, { data: "year" }])
      await expect(fulfiller.register({ ...PURCHASE, ...changes })).rejects.toThrow("other terms");
    await shop.end();
  });

  it.each([
    { bizNo: "" },
    { bizNo: "a b" },
    { amount: 0 },
    { amount: 0.5 },
    { data: "x".repeat(4_097) },
    { data: "\u0000" },
    { data: "\ud800" },
    { customerIdentity: "\udc00" },
    { customerIdentity: "x".repeat(257) },
  ])("refuses %o", async (changes) => {
    const { shop, fulfiller } = await aFulfiller();
    await expect(fulfiller.register({ ...PURCHASE, ...changes })).rejects.toThrow(RangeError);
    await shop.end();
  });

  it("accepts the longest texts, also with surrogate pairs", async () => {
    const { shop, fulfiller } = await aFulfiller();
    const purchase = { ...PURCHASE, data: "😀".repeat(2_048), customerIdentity: "x".repeat(256) };
    expect(await fulfiller.register(purchase)).toMatchObject(purchase);
    await shop.end();
  });
});

it.each([
  { lease: 0 },
  { lease: 0.5 },
  { lease: 24 * 60 * MINUTE + 1 },
  { schedule: [2, 1] },
  { schedule: [0] },
  { schedule: [0.5] },
  { schedule: [1, Infinity] },
])("refuses the options %o", async (changes) => {
  const { shop, options } = await aFulfiller();
  expect(() => createFulfiller({ ...options, ...changes })).toThrow(RangeError);
  await shop.end();
});

it("revokes once for a refund of the wallet's console that a notification, a bill and an operator report at once", async () => {
  const { shop, options, fulfiller, effects, buy } = await aFulfiller();
  await buy();
  expect(await fulfiller.verify("buy-1", USER)).toEqual({ outcome: "granted" });
  const { ports, app, wallets } = shop;
  const order = await orThrow(ports.orders.find({ appId: app.appId, bizNo: "buy-1" }));
  if (order === undefined) throw new Error("There is no order.");
  const account = await orThrow(ports.payTools.find(order.payToolId));
  if (account === undefined) throw new Error("There is no pay tool.");
  const wallet = wallets.WALLET_A;
  const refund = { outTradeNo: order.id, refundNo: "5030", amount: 600, orderAmount: 600 };
  const asked = { ...refund, reason: "", notifyUrl: "" };
  await orThrow(wallet.refund(account, asked, { deadline: 1_000 }));
  const notification = wallet.refundNotificationFor(order.id, "5030");
  const address = {
    payChannel: order.payChannel,
    payToolId: order.payToolId,
    orderRef: order.notifyUrl.split("/").at(-1) ?? "",
  };
  const adoption = { bizNo: "buy-1", walletRefundNo: "5030", reason: "seen", operator: "han" };
  const input = orThrow(parseInput(adoptRefundInput(ports.policy), adoption));
  const now = ports.clock.now();
  const listed = {
    id: "x-1",
    kind: "REFUND_NOT_HERE",
    day: "2026-01-31",
    payChannel: order.payChannel,
    appEnv: account.appEnv,
    accountId: account.accountId,
    outTradeNo: order.id,
    refundNo: "5030",
    amountThere: 600,
    order: { appId: app.appId, bizNo: "buy-1" },
    asOf: now,
    at: now,
  } as const;
  await orThrow(ports.billExceptions.report([listed]));
  const closing = { id: "x-1", operator: "li", note: "listed" };
  const exception = orThrow(parseInput(resolveBillExceptionInput(), closing));
  const made = await Promise.all([
    receiveNotification(ports, address, notification),
    adoptBillException(ports, exception),
    adoptRefund(ports, app.appId, input),
    receiveNotification(ports, address, notification),
    adoptRefund(ports, app.appId, input),
  ]);
  expect(made.map((one) => one.isOk())).toEqual([true, true, true, true, true]);
  const processes = Array.from({ length: 5 }, () => createFulfiller(options));
  for (let times = 0; times < 2; times += 1) {
    shop.advance(DAY);
    await Promise.all(processes.map((one) => one.checkDue()));
  }
  expect(effects).toEqual(["grant buy-1 month", "revoke buy-1"]);
  await shop.end();
});
