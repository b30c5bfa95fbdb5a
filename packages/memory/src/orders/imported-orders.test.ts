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
  parseInput,
  reconcileOrders,
  refundOrder,
  refundOrderInput,
  registerApp,
  syncOrder,
} from "@tillkit/core";
import { expect, it, vi } from "vitest";
import { memoryPorts } from "../ports/memory-ports.js";

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
  (await registerApp(ports, { appId: "old", appSecret: "the-old-secret", name: "Old" }))._unsafeUnwrap();
  const tool = { accountId: "m-1", walletAppId: "wx-1", appName: "", appPackageName: "", appSignature: "" };
  const input = { ...tool, payChannel: "WALLET_A", appEnv: "DEV", credentials: {} } as const;
  (await configurePayTool(ports, "old", input))._unsafeUnwrap();
  const take = async (...lines: readonly object[]): Promise<readonly ImportOutcome[]> => {
    const inputs = lines.map((one) =>
      parseInput(importedOrderInput(ports.policy), { ...one })._unsafeUnwrap(),
    );
    return (await importOrders(ports, inputs, { operator: "kim" }))._unsafeUnwrap();
  };
  return { ports, query, take };
}

it("shows an imported order, and queries the wallet only for an operator", async () => {
  const { ports, query, take } = await openOld();
  expect(await take(line())).toEqual([{ outcome: "imported" }]);
  const detail = parseInput(getOrderInput(ports.policy), KEY)._unsafeUnwrap();
  expect((await getOrder(ports, "old", detail))._unsafeUnwrap()).toMatchObject({ paymentStatus: "PENDING" });
  const history = parseInput(listOrdersInput(ports.policy), KEY)._unsafeUnwrap();
  expect((await listOrders(ports, "old", history))._unsafeUnwrap()).toMatchObject({ totalCount: 1 });
  (await reconcileOrders(ports))._unsafeUnwrap();
  expect(query).not.toHaveBeenCalled();
  expect((await syncOrder(ports, "old", "b-1"))._unsafeUnwrap()).toMatchObject({ bizNo: "b-1" });
  expect(query).toHaveBeenCalledOnce();
});

it("lets hosts query the wallet about connected orders that are PENDING, and about no other", async () => {
  const { ports, query } = await openOld();
  const paid = { pmtDt: TIME + 1, walletTradeNo: "420000" };
  const lines = [
    line(),
    line({ bizNo: "b-2", id: "w-2", paymentStatus: "CLOSE" }),
    line({ bizNo: "b-3", id: "w-3", paymentStatus: "PAID", ...paid }),
    line({ bizNo: "b-4", id: "w-4", paymentStatus: "REFUND", refundedAmount: 600, ...paid }),
  ];
  const inputs = lines.map((one) => parseInput(importedOrderInput(ports.policy), one)._unsafeUnwrap());
  const options = { operator: "kim", connect: true };
  const dueNow = async () => (await ports.orders.dueSince(ports.clock.now(), 10))._unsafeUnwrap().due;
  (await importOrders(ports, inputs, { ...options, dryRun: true }))._unsafeUnwrap();
  expect([await dueNow(), (await ports.orders.findById("w-1"))._unsafeUnwrap()]).toEqual([0, undefined]);
  (await importOrders(ports, inputs, options))._unsafeUnwrap();
  expect(await dueNow()).toBe(1);
  (await reconcileOrders(ports))._unsafeUnwrap();
  expect(query).toHaveBeenCalledOnce();
});

it("connects nothing in a dry run of orders that were imported before", async () => {
  const { ports, take } = await openOld();
  await take(line());
  const before = (await ports.orders.findById("w-1"))._unsafeUnwrap();
  const timeline = (await ports.orders.timeline({ appId: "old", bizNo: "b-1" }))._unsafeUnwrap();
  const inputs = [parseInput(importedOrderInput(ports.policy), line())._unsafeUnwrap()];
  const options = { operator: "kim", connect: true };
  const dry = await importOrders(ports, inputs, { ...options, dryRun: true });
  expect(dry._unsafeUnwrap()).toEqual([{ outcome: "connected" }]);
  expect((await ports.orders.findById("w-1"))._unsafeUnwrap()).toEqual(before);
  expect((await ports.orders.timeline({ appId: "old", bizNo: "b-1" }))._unsafeUnwrap()).toEqual(timeline);
  expect((await importOrders(ports, inputs, options))._unsafeUnwrap()).toEqual(dry._unsafeUnwrap());
  expect((await ports.orders.findById("w-1"))._unsafeUnwrap()?.payToolId).not.toBe(before?.payToolId);
});

it("tells apart repeated lines, other values and a taken id, also within a batch", async () => {
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
  const stored = (await ports.orders.listAll({ limit: 10 }))._unsafeUnwrap();
  expect(stored).toMatchObject([{ bizNo: "b-1", amount: 600 }]);
});

it.each([
  ["stored before", false],
  ["in the same batch", true],
])("takes no number of an order of another app %s, which has the same bizNo", async (_, isTogether) => {
  const { ports, take } = await openOld();
  (await registerApp(ports, { appId: "new", appSecret: "the-new-secret", name: "New" }))._unsafeUnwrap();
  const taken = { outcome: "conflict", reason: "id-taken" };
  const other = line({ appId: "new", amount: 700 });
  if (isTogether) expect(await take(line(), other)).toEqual([{ outcome: "imported" }, taken]);
  else await take(line());
  const inputs = [parseInput(importedOrderInput(ports.policy), other)._unsafeUnwrap()];
  const by = { operator: "kim", reason: "test", from: "cli", traceId: "" };
  for (const dryRun of [true, false])
    for (const replacing of [{}, { replaceUntouched: by }]) {
      const outcomes = await importOrders(ports, inputs, { operator: "kim", dryRun, ...replacing });
      expect(outcomes._unsafeUnwrap()).toEqual([taken]);
    }
  const stored = (await ports.orders.listAll({ limit: 10 }))._unsafeUnwrap();
  expect(stored).toMatchObject([{ appId: "old", bizNo: "b-1", amount: 600 }]);
});

it("opens no payment for an imported order, also after it is connected", async () => {
  const { ports, take } = await openOld();
  const now = ports.clock.now();
  await take(line({ gmtCreate: now, gmtModified: now }));
  const terms = { amount: 600, goodsTitle: "Month", payChannel: "WALLET_A" };
  const input = parseInput(createOrderInput(ports.policy), { ...KEY, ...terms })._unsafeUnwrap();
  const refused = { name: "biz-no.conflict", fields: ["bizNo"] };
  expect((await createOrder(ports, "old", input))._unsafeUnwrapErr()).toEqual(refused);
  (await syncOrder(ports, "old", "b-1"))._unsafeUnwrap();
  expect((await createOrder(ports, "old", input))._unsafeUnwrapErr()).toEqual(refused);
});

it("connects an order to the pay tool of the moment, and keeps that one", async () => {
  const { ports, take } = await openOld();
  await take(line({ paymentStatus: "PAID", pmtDt: TIME + 1 }));
  (await syncOrder(ports, "old", "b-1"))._unsafeUnwrap();
  const key = { appId: "old", bizNo: "b-1" };
  const first = (await ports.orders.find(key))._unsafeUnwrap();
  const tool = { accountId: "m-2", walletAppId: "wx-2", payChannel: "WALLET_A", appEnv: "DEV" } as const;
  (await configurePayTool(ports, "old", { ...tool, credentials: {} }))._unsafeUnwrap();
  (await syncOrder(ports, "old", "b-1"))._unsafeUnwrap();
  expect(first?.payToolId).not.toBe("");
  expect((await ports.orders.find(key))._unsafeUnwrap()).toEqual(first);
});

it.each([
  ["the same amount", 200],
  ["another amount", 100],
])("does not take a refund of the previous service for a new one of %s", async (_what, amount) => {
  const { ports, take } = await openOld();
  const { WALLET_A } = ports.wallets;
  const account = (await ports.payTools.current("old", "WALLET_A"))._unsafeUnwrap();
  if (account === undefined) throw new Error("The app has no pay tool.");
  const offer = { outTradeNo: "w-1", amount: 600, goodsTitle: "Month", notifyUrl: "", returnUrl: "" };
  const expiresAt = ports.clock.now() + 1000;
  const request = { ...offer, paySource: "APP", expiresAt } as const;
  (await WALLET_A.prepare(account, request, { deadline: 1000 }))._unsafeUnwrap();
  WALLET_A.pay("w-1");
  const earlier = { outTradeNo: "w-1", refundNo: "w-1-1", amount: 200, orderAmount: 600 };
  const first = { ...earlier, reason: "broken", notifyUrl: "" };
  (await WALLET_A.refund(account, first, { deadline: 1000 }))._unsafeUnwrap();
  await take(line({ paymentStatus: "PAID", pmtDt: TIME + 1, refundedAmount: 200 }));

  const refund = (refundNo: string) =>
    parseInput(refundOrderInput(ports.policy), { ...BY, bizNo: "b-1", refundNo, amount }).asyncAndThen(
      (input) => refundOrder(ports, "old", input),
    );
  expect((await refund("1"))._unsafeUnwrapErr()).toEqual({ name: "refund-no.conflict", amount: 200 });
  const key = { appId: "old", bizNo: "b-1" };
  expect((await ports.orders.find(key))._unsafeUnwrap()).toMatchObject({ refundedAmount: 200 });
  expect((await ports.refunds.list(key))._unsafeUnwrap()).toEqual([]);

  // A new number moves money once, also if the call is repeated.
  expect((await refund("2"))._unsafeUnwrap()).toMatchObject({ status: "CONFIRMED", amount });
  expect((await refund("2"))._unsafeUnwrap()).toMatchObject({ status: "CONFIRMED", amount });
  expect(WALLET_A.balance()).toBe(400 - amount);
});

it("stores no refund of an imported order if the wallet does not answer", async () => {
  const { ports, take } = await openOld();
  await take(line({ paymentStatus: "PAID", pmtDt: TIME + 1 }));
  const lost = { name: "wallet.unknown", cause: "timeout", detail: "no answer" } as const;
  ports.wallets.WALLET_A.failNext("queryRefund", lost);
  const refunded = parseInput(refundOrderInput(ports.policy), { ...BY, bizNo: "b-1", refundNo: "1" });
  expect(
    (await refunded.asyncAndThen((input) => refundOrder(ports, "old", input)))._unsafeUnwrapErr(),
  ).toEqual({ name: "refund.outcome-unknown" });
  expect((await ports.refunds.list({ appId: "old", bizNo: "b-1" }))._unsafeUnwrap()).toEqual([]);
});

it.each([
  ["138–0013–8000", "phone"],
  ["Kim <kim@example.com>", "email"],
  ["2088102146225135", "walletAccount"],
  ["b-1", "bizNo"],
])("stores no order of the identity %j, and names the check %s", async (customerIdentity, rule) => {
  const { take } = await openOld();
  expect(await take(line({ customerIdentity }))).toEqual([{ outcome: "forbidden-identity", rule }]);
});

it.each(["customerIdentity", "goodsTitle"])("refuses a %s that shows nothing", (field) => {
  const parsed = parseInput(importedOrderInput(defaultPolicy), line({ [field]: "\u3000" }));
  expect(parsed._unsafeUnwrapErr()).toEqual({ name: "parameter.invalid", parameter: field, rule: "blank" });
});

it.each(["kim@example.com", "Kim 13800138000"])("does not store the name %j", async (customerName) => {
  const { ports, take } = await openOld();
  await take(line({ customerName }));
  expect((await ports.orders.find({ appId: "old", bizNo: "b-1" }))._unsafeUnwrap()).not.toHaveProperty(
    "customerName",
  );
});
