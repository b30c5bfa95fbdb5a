import {
  configurePayTool,
  createOrder,
  createOrderInput,
  getOrder,
  getOrderInput,
  defaultPolicy,
  importedOrderInput,
  importOrders,
  type ImportOutcome,
  listOrders,
  listOrdersInput,
  orThrow,
  parseInput,
  reconcileOrders,
  refundOrder,
  refundOrderInput,
  registerApp,
  syncOrder,
} from "@tillkit/core";
import { errAsync } from "neverthrow";
import { expect, it, vi } from "vitest";
import { memoryPorts, type MemoryPorts } from "../ports/memory-ports.js";

const BY = { reason: "asked to", operator: "kim" };
const KEY = { bizNo: "b-1", customerIdentity: "user-1" };
const TIME = 1_750_000_000_000;

const line = (changes: Readonly<Record<string, unknown>> = {}) => ({
  ...KEY,
  appId: "old",
  id: "w-1",
  amount: 600,
  goodsTitle: "Month",
  payChannel: "WALLET_A",
  paymentStatus: "PENDING",
  gmtCreate: TIME,
  gmtModified: TIME + 2,
  ...changes,
});

/** Opens ports with an app and a pay tool, and counts the queries of the wallet. */
async function openOld() {
  const memory = memoryPorts();
  const { WALLET_A } = memory.wallets;
  const query = vi.fn<typeof WALLET_A.query>((...call) => WALLET_A.query(...call));
  const ports = {
    ...memory,
    wallets: { ...memory.wallets, WALLET_A: { ...WALLET_A, query } },
  };
  await orThrow(registerApp(ports, { appId: "old", appSecret: "the-old-secret", name: "Old" }));
  const tool = { accountId: "m-1", walletAppId: "wx-1", appName: "", appPackageName: "", appSignature: "" };
  const input = { ...tool, payChannel: "WALLET_A", appEnv: "DEV", credentials: {} } as const;
  await orThrow(configurePayTool(ports, "old", input));
  const take = async (...lines: readonly object[]): Promise<readonly ImportOutcome[]> => {
    const inputs = lines.map((one) => orThrow(parseInput(importedOrderInput(ports.policy), { ...one })));
    return await orThrow(importOrders(ports, inputs, { operator: "kim" }));
  };
  return { ports, query, take };
}

/** Pays the order `w-1` as the customer, and returns the app's pay tool, which got the money. */
async function payAtWallet({ payTools, wallets, clock }: MemoryPorts) {
  const account = await orThrow(payTools.current("old", "WALLET_A"));
  if (account === undefined) throw new Error("The app has no pay tool.");
  const offer = { outTradeNo: "w-1", amount: 600, goodsTitle: "Month", notifyUrl: "", returnUrl: "" };
  const request = { ...offer, paySource: "APP", expiresAt: clock.now() + 1000 } as const;
  await orThrow(wallets.WALLET_A.prepare(account, request, { deadline: 1000 }));
  wallets.WALLET_A.pay("w-1");
  return account;
}

it("an imported order can be read, and the wallet is queried about it only for an operator", async () => {
  const { ports, query, take } = await openOld();
  expect(await take(line())).toEqual([{ outcome: "imported" }]);
  const detail = orThrow(parseInput(getOrderInput(ports.policy), KEY));
  expect(await orThrow(getOrder(ports, "old", detail))).toMatchObject({ paymentStatus: "PENDING" });
  const history = orThrow(parseInput(listOrdersInput(ports.policy), KEY));
  expect(await orThrow(listOrders(ports, "old", history))).toMatchObject({ totalCount: 1 });
  await orThrow(reconcileOrders(ports));
  expect(query).not.toHaveBeenCalled();
  expect(await orThrow(syncOrder(ports, "old", "b-1"))).toMatchObject({ bizNo: "b-1" });
  expect(query).toHaveBeenCalledOnce();
});

it("reconcileOrders queries the wallet about connected PENDING orders only", async () => {
  const { ports, query } = await openOld();
  const paid = { pmtDt: TIME + 1, walletTradeNo: "420000" };
  const lines = [
    line(),
    line({ bizNo: "b-2", id: "w-2", paymentStatus: "CLOSE" }),
    line({ bizNo: "b-3", id: "w-3", paymentStatus: "PAID", ...paid }),
    line({ bizNo: "b-4", id: "w-4", paymentStatus: "REFUND", refundedAmount: 600, ...paid }),
  ];
  const inputs = lines.map((one) => orThrow(parseInput(importedOrderInput(ports.policy), one)));
  const options = { operator: "kim", connect: true };
  const dueNow = async () => (await orThrow(ports.orders.dueSince(ports.clock.now(), 10))).due;
  await orThrow(importOrders(ports, inputs, { ...options, dryRun: true }));
  expect([await dueNow(), await orThrow(ports.orders.findById("w-1"))]).toEqual([0, undefined]);
  await orThrow(importOrders(ports, inputs, options));
  expect(await dueNow()).toBe(1);
  await orThrow(reconcileOrders(ports));
  expect(query).toHaveBeenCalledOnce();
});

it("a dry run connects no orders that were imported before", async () => {
  const { ports, take } = await openOld();
  await take(line());
  const before = await orThrow(ports.orders.findById("w-1"));
  const timeline = await orThrow(ports.orders.timeline({ appId: "old", bizNo: "b-1" }));
  const inputs = [orThrow(parseInput(importedOrderInput(ports.policy), line()))];
  const options = { operator: "kim", connect: true };
  const dry = await importOrders(ports, inputs, { ...options, dryRun: true });
  expect(orThrow(dry)).toEqual([{ outcome: "connected" }]);
  expect(await orThrow(ports.orders.findById("w-1"))).toEqual(before);
  expect(await orThrow(ports.orders.timeline({ appId: "old", bizNo: "b-1" }))).toEqual(timeline);
  expect(await orThrow(importOrders(ports, inputs, options))).toEqual(orThrow(dry));
  expect((await orThrow(ports.orders.findById("w-1")))?.payToolId).not.toBe(before?.payToolId);
});

it("importOrders distinguishes repeated lines, other values and a taken id, also within a batch", async () => {
  const { ports, take } = await openOld();
  expect(
    await take(line(), line(), line({ amount: 1 }), line({ bizNo: "b-2" }), line({ appId: "none" })),
  ).toEqual([
    { outcome: "imported" },
    { outcome: "unchanged" },
    { outcome: "conflict", reason: "other-values" },
    { outcome: "conflict", reason: "id-taken" },
    { outcome: "unknown-app" },
  ]);
  const stored = await orThrow(ports.orders.listAll({ limit: 10 }));
  expect(stored).toMatchObject([{ bizNo: "b-1", amount: 600 }]);
});

it.each([
  ["stored before", false],
  ["in the same batch", true],
])("importOrders refuses the id of another app's order with the same bizNo: %s", async (_, isTogether) => {
  const { ports, take } = await openOld();
  await orThrow(registerApp(ports, { appId: "new", appSecret: "the-new-secret", name: "New" }));
  const taken = { outcome: "conflict", reason: "id-taken" };
  const other = line({ appId: "new", amount: 700 });
  if (isTogether) expect(await take(line(), other)).toEqual([{ outcome: "imported" }, taken]);
  else await take(line());
  const inputs = [orThrow(parseInput(importedOrderInput(ports.policy), other))];
  const by = { operator: "kim", reason: "test", from: "cli", traceId: "" };
  for (const dryRun of [true, false])
    for (const replacing of [{}, { replaceUntouched: by }]) {
      const outcomes = await importOrders(ports, inputs, { operator: "kim", dryRun, ...replacing });
      expect(orThrow(outcomes)).toEqual([taken]);
    }
  const stored = await orThrow(ports.orders.listAll({ limit: 10 }));
  expect(stored).toMatchObject([{ appId: "old", bizNo: "b-1", amount: 600 }]);
});

it("createOrder opens no payment for an imported order, also after the order is connected", async () => {
  const { ports, take } = await openOld();
  const now = ports.clock.now();
  await take(line({ gmtCreate: now, gmtModified: now }));
  const terms = { amount: 600, goodsTitle: "Month", payChannel: "WALLET_A" };
  const input = orThrow(parseInput(createOrderInput(ports.policy), { ...KEY, ...terms }));
  const refused = { name: "biz-no.conflict", fields: ["bizNo"] };
  expect((await createOrder(ports, "old", input))._unsafeUnwrapErr()).toEqual(refused);
  await orThrow(syncOrder(ports, "old", "b-1"));
  expect((await createOrder(ports, "old", input))._unsafeUnwrapErr()).toEqual(refused);
});

it("syncOrder connects an order to the current pay tool, and keeps this connection", async () => {
  const { ports, take } = await openOld();
  await take(line({ paymentStatus: "PAID", pmtDt: TIME + 1 }));
  await orThrow(syncOrder(ports, "old", "b-1"));
  const key = { appId: "old", bizNo: "b-1" };
  const first = await orThrow(ports.orders.find(key));
  const tool = { accountId: "m-2", walletAppId: "wx-2", payChannel: "WALLET_A", appEnv: "DEV" } as const;
  await orThrow(configurePayTool(ports, "old", { ...tool, credentials: {} }));
  await orThrow(syncOrder(ports, "old", "b-1"));
  expect(first?.payToolId).not.toBe("");
  expect(await orThrow(ports.orders.find(key))).toEqual(first);
});

it.each([
  ["the same amount", 200],
  ["another amount", 100],
])(
  "refundOrder does not treat a refund of the previous service as a new refund of %s",
  async (_what, amount) => {
    const { ports, take } = await openOld();
    const { WALLET_A } = ports.wallets;
    const account = await payAtWallet(ports);
    const earlier = { outTradeNo: "w-1", refundNo: "w-1-1", amount: 200, orderAmount: 600 };
    const first = { ...earlier, reason: "broken", notifyUrl: "" };
    await orThrow(WALLET_A.refund(account, first, { deadline: 1000 }));
    await take(line({ paymentStatus: "PAID", pmtDt: TIME + 1, refundedAmount: 200 }));

    const refund = (refundNo: string) =>
      parseInput(refundOrderInput(ports.policy), { ...BY, bizNo: "b-1", refundNo, amount }).asyncAndThen(
        (input) => refundOrder(ports, "old", input),
      );
    expect((await refund("1"))._unsafeUnwrapErr()).toEqual({ name: "refund-no.conflict", amount: 200 });
    const key = { appId: "old", bizNo: "b-1" };
    expect(await orThrow(ports.orders.find(key))).toMatchObject({ refundedAmount: 200 });
    expect(await orThrow(ports.refunds.list(key))).toEqual([]);

    // A new number moves money once, also if the call is repeated.
    expect(await orThrow(refund("2"))).toMatchObject({ status: "CONFIRMED", amount });
    expect(await orThrow(refund("2"))).toMatchObject({ status: "CONFIRMED", amount });
    expect(WALLET_A.balance()).toBe(400 - amount);
  },
);

it("refundOrder returns the refund also to a call that began before another call made the refund", async () => {
  const { ports, take } = await openOld();
  const { WALLET_A } = ports.wallets;
  await payAtWallet(ports);
  await take(line({ paymentStatus: "PAID", pmtDt: TIME + 1 }));
  const input = orThrow(
    parseInput(refundOrderInput(ports.policy), { ...BY, bizNo: "b-1", refundNo: "1", amount: 200 }),
  );
  // The query of the first call takes so long that the second call ends before it.
  const queryRefund: typeof WALLET_A.queryRefund = (...call) =>
    refundOrder(ports, "old", input)
      .orElse((failure) =>
        errAsync({ name: "wallet.unknown", cause: "timeout", detail: failure.name } as const),
      )
      .andThen(() => WALLET_A.queryRefund(...call));
  const slow = { ...ports, wallets: { ...ports.wallets, WALLET_A: { ...WALLET_A, queryRefund } } };
  expect(await orThrow(refundOrder(slow, "old", input))).toMatchObject({ status: "CONFIRMED", amount: 200 });
  expect(WALLET_A.balance()).toBe(400);
});

it("refundOrder stores no refund of an imported order if the wallet does not answer", async () => {
  const { ports, take } = await openOld();
  await take(line({ paymentStatus: "PAID", pmtDt: TIME + 1 }));
  const lost = { name: "wallet.unknown", cause: "timeout", detail: "no answer" } as const;
  ports.wallets.WALLET_A.failNext("queryRefund", lost);
  const refunded = parseInput(refundOrderInput(ports.policy), { ...BY, bizNo: "b-1", refundNo: "1" });
  expect(
    (await refunded.asyncAndThen((input) => refundOrder(ports, "old", input)))._unsafeUnwrapErr(),
  ).toEqual({ name: "refund.outcome-unknown" });
  expect(await orThrow(ports.refunds.list({ appId: "old", bizNo: "b-1" }))).toEqual([]);
});

it.each([
  ["138–0013–8000", "phone"],
  ["Kim <kim@example.com>", "email"],
  ["2088102146225135", "walletAccount"],
  ["b-1", "bizNo"],
])(
  "importOrders stores no order of the identity %j, and names the check %s",
  async (customerIdentity, rule) => {
    const { take } = await openOld();
    expect(await take(line({ customerIdentity }))).toEqual([{ outcome: "forbidden-identity", rule }]);
  },
);

it.each(["customerIdentity", "goodsTitle"])(
  "importedOrderInput refuses a %s without a visible character",
  (field) => {
    const parsed = parseInput(importedOrderInput(defaultPolicy), line({ [field]: "\u3000" }));
    expect(parsed._unsafeUnwrapErr()).toEqual({ name: "parameter.invalid", parameter: field, rule: "blank" });
  },
);

it.each(["kim@example.com", "Kim 13800138000"])(
  "importOrders does not store the name %j",
  async (customerName) => {
    const { ports, take } = await openOld();
    await take(line({ customerName }));
    expect(await orThrow(ports.orders.find({ appId: "old", bizNo: "b-1" }))).not.toHaveProperty(
      "customerName",
    );
  },
);
